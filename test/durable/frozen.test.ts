// A run that freezes its process is noticed, although the process never gets to write anything.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { test } from 'node:test';
import { storedStates } from '../../src/durable/model/run-rows.js';
import { loadSqlite } from '../../src/durable/store/sqlite/sqlite.js';
import { root } from '../root.js';
import { until } from '../until.js';
import { fakeClock } from './fake-clock.js';
import { tapNextStore } from './tapped-store.js';
import { begun, testStore } from './test-store.js';

/** Sets the number of processes that died in a row while they executed the only run of a shard, which was 1. */
function countAdoptions(file: string, adoptions: number): void {
  const { DatabaseSync } = loadSqlite();
  const shard = new DatabaseSync(file);
  assert.equal(shard.prepare('UPDATE runs SET adoptions = ? WHERE adoptions = 1').run(adoptions).changes, 1);
  shard.close();
}

test('a run whose process is killed ten times in a row for not moving is stuck, also if it had been waiting', async (t) => {
  t.after(() => {
    fakeClock.offset = 0;
  });
  const { file, open, folder } = await testStore(t, 'folder');
  const first = await open();
  const { run, end } = await begun(first, await file('single/log-after-a-wait.wf'));
  assert.equal((await end).kind, 'paused');
  await first.close(0);
  fakeClock.offset = 2 * 3_600_000;
  // It is found waiting, then executing once, and after that as often as nine other processes would have found it.
  for (let life = 1; life <= 3; life++) {
    if (life === 3) countAdoptions(path.join(folder, 'runs/s0.db'), 9);
    let endThread: (() => Promise<unknown>) | undefined;
    let isFrozen = false;
    tapNextStore({
      onThread: (end) => {
        endThread = end;
      },
      // A process that does not move sends nothing to the thread of its store.
      held: () => (isFrozen ? new Promise(() => undefined) : undefined),
    });
    const engine = await open({
      onLog: () => {
        isFrozen = true;
      },
    });
    await engine.serve();
    let isStuck = false;
    await until(async () => {
      if (!isFrozen) isStuck = (await engine.state(run))?.status === 'stuck';
      return isFrozen || isStuck;
    });
    assert.equal(isStuck, life === 3, `life ${life}`);
    await endThread?.();
    await engine.close(0);
  }
});

/** A statement from another process while this one does not move. */
function fromElsewhere(database: string, statement: string): unknown {
  const script = `const client = new (require('pg').Client)({ connectionString: process.argv[1] });
    client.connect().then(() => client.query(process.argv[2])).then(({ rows }) => (console.log(JSON.stringify(rows)), client.end()));`;
  return JSON.parse(execFileSync(process.execPath, ['-e', script, database, statement], { cwd: root, encoding: 'utf8' }));
}

/** As if the process that executes the only run had died: of one that did so before, for the ninth time. */
const DIES = `UPDATE wf.runs r SET owner = 'dead', adoptions = CASE old.adoptions WHEN 1 THEN 9 ELSE old.adoptions END
  FROM wf.runs old WHERE old.id = r.id RETURNING old.state, old.adoptions`;

test('over a database, too, such a run is stuck if it had been waiting, and continues once it is resumed', async (t) => {
  t.after(() => {
    fakeClock.offset = 0;
  });
  const { file, open, database } = await testStore(t, 'PostgreSQL');
  if (database === undefined) return;
  const deaths: unknown[] = [];
  const engine = await open({
    onLog: () => {
      if (deaths.length < 2) deaths.push(fromElsewhere(database, DIES));
    },
  });
  await engine.serve();
  const { run, end } = await begun(engine, await file('single/log-after-a-wait.wf'));
  assert.equal((await end).kind, 'paused');
  fakeClock.offset = 2 * 3_600_000;
  await until(async () => (await engine.state(run))?.status === 'stuck');
  const state = storedStates.running;
  assert.deepEqual(deaths, [[{ state, adoptions: 0 }], [{ state, adoptions: 1 }]], 'it was recorded as running each time');
  assert.match((await engine.state(run))?.message ?? '', /The process ended ten times in a row while this run was executed/);
  assert.equal((await engine.resume(run)).kind, 'done');
  await until(async () => (await engine.state(run))?.status === 'completed');
});
