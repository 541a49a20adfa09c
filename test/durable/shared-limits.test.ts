// Limits of services over a database: all processes count together, and the calls of a dead one stop counting.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { Client } from 'pg';
import { cli } from '../root.js';
import { until } from '../until.js';
import { dropTemplate, testDatabase } from './test-database.js';
import { begun, testStore } from './test-store.js';

after(dropTemplate);

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

test('turns: as many as the limits allow, whichever process asks, and once however often it asks', async (t) => {
  const database = await testDatabase();
  if (database === undefined) return t.skip('There is no PostgreSQL here.');
  const client = new Client({ connectionString: database.address });
  await client.connect();
  t.after(async () => {
    await client.end();
    await database.drop();
  });
  const rows = async (sql: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await client.query(sql, [...values])).rows;
  await rows(`INSERT INTO wf.processes(id, expires, doubtful, backend)
    SELECT id, now() + interval '1 hour', now() + interval '1 hour', 0 FROM unnest('{p1,p2}'::text[]) AS p(id)`);
  const ask = async (
    process: string,
    wanted: number[],
    limits: [atOnce: number | null, perMinute: number | null],
    done: number[] = [],
  ) => {
    const values = ['a', process, done.map(id), wanted.map(id), ...limits];
    const [row] = await rows('SELECT * FROM wf.take_turns($1, $2, $3, $4, $5, $6)', values);
    const taken = row?.taken as string[]; // an array of UUIDs
    return [taken.map((one) => Number(one.slice(-4))).sort(), row?.wait_ms];
  };

  assert.deepEqual(await ask('p1', [1, 2], [null, 3]), [[1, 2], null]);
  assert.deepEqual(await ask('p1', [1, 2], [null, 3]), [[1, 2], null], 'the answer was lost');
  assert.deepEqual(await ask('p2', [3, 4], [null, 3]), [[3], null]);
  assert.deepEqual(await ask('p2', [4], [null, 3]), [[], null], 'one must end first');
  const [none, waitMs] = await ask('p2', [4], [null, 3], [3]);
  assert.deepEqual(none, []);
  assert.ok(Number(waitMs) > 0 && Number(waitMs) <= 60_000, String(waitMs));
  await rows(`UPDATE wf.turns SET ended = ended - interval '1 minute' WHERE id = $1`, [id(3)]);
  assert.deepEqual((await ask('p2', [4], [null, 3]))[0], [4], 'a minute later');

  assert.deepEqual((await ask('p2', [5], [3, null]))[0], [], 'three are open');
  assert.deepEqual((await ask('p2', [5], [4, null]))[0], [5]);
  await rows(`UPDATE wf.processes SET expires = now() WHERE id = 'p1'`);
  assert.deepEqual((await ask('p2', [6, 7, 8], [4, null]))[0], [6, 7], 'those of a dead process are over');
  assert.deepEqual((await ask('p1', [9], [100, null]))[0], [], 'and it gets none');
});

test('two processes together never make more calls at once than a service allows', async (t) => {
  const { file, open, ledger, database, folder, env } = await testStore(t, 'PostgreSQL');
  if (database === undefined) return;
  const prepared = await file('single/limited-rounds.wf');
  let [now, most] = [0, 0];
  ledger.delayMs = () => 100;
  ledger.onRequest = () => {
    most = Math.max(most, ++now);
  };
  ledger.answer = () => {
    now--;
    return {};
  };
  const words = ['run', prepared.file, '--store', database, '--input', '{"run":1}'];
  const child = spawn(process.execPath, [cli, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await until(() => ledger.received.length > 0);
  const { end } = await begun(await open(), prepared, { run: 2 });
  assert.equal((await end).kind, 'outcome');
  assert.deepEqual((await ended)[0], 0);
  assert.deepEqual([ledger.received.length, most], [12, 2]);
});
