// A file of a store is damaged: what can be read goes on, and what can't is reported, with the way out.
import assert from 'node:assert/strict';
import { chmodSync, chownSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { loadSqlite } from '../../src/durable/store/sqlite/sqlite.js';
import { apiServer, body } from './runs-server.js';
import { begun, testStore } from './test-store.js';

const PAGE_BYTES = 4096;
const report =
  'The file s0.db of the store is damaged. The runs in it are neither shown nor continued. Stop all processes that use the store, and restore its folder from a backup. Without a backup, give up its runs: wf runs give-up s0.db';
const damage = {
  name: 'UsageError',
  message: 'The file s0.db of the store is damaged.',
  hint: /restore its folder from a backup\.$/,
};

interface Scene {
  readonly lost: string;
  readonly sound: string;
  readonly said: string[];
  readonly reopened: () => Promise<DurableEngine>;
}

/** Two processes have left a finished run each; the file of the first is no database any more. */
async function damagedShard(t: TestContext): Promise<Scene> {
  const { file, open, folder } = await testStore(t, 'folder');
  const prepared = await file('single/done.wf');
  const both = [await open(), await open()];
  const runs: string[] = [];
  for (const engine of both) {
    const { run, end } = await begun(engine, prepared);
    await end;
    runs.push(run);
  }
  for (const engine of both) await engine.close(0);
  writeFileSync(path.join(folder, 'runs', 's0.db'), 'not a database at all, '.repeat(500));
  const said: string[] = [];
  const [lost = '', sound = ''] = runs;
  return { lost, sound, said, reopened: () => open({ onProblem: (sentence) => void said.push(sentence) }) };
}

test('runs of sound shards are listed beside a damaged one, which is reported once', async (t) => {
  const { lost, sound, said, reopened } = await damagedShard(t);
  const engine = await reopened();
  for (let time = 0; time < 2; time++) {
    const { runs, unreadable } = await engine.list({});
    assert.deepEqual([runs.map(({ run }) => run), unreadable], [[sound], ['s0.db']]);
  }
  assert.equal((await engine.state(sound))?.status, 'completed');
  await assert.rejects(engine.state(lost), damage, 'it may be there, so it is not unknown');
  assert.deepEqual(await engine.prune({ olderThanMs: 0 }), { runs: 1 });
  await assert.rejects(engine.moving.export()[Symbol.asyncIterator]().next(), damage, 'a part must not pass for the whole');
  await assert.rejects(engine.rekey(undefined), damage);
  assert.deepEqual(said, [report]);
});

test('a server starts and serves beside a damaged shard, and says so', async (t) => {
  const { lost, sound, said, reopened } = await damagedShard(t);
  const engine = await reopened();
  await engine.serve();
  assert.deepEqual(said, [report]);
  const api = await apiServer(t, {}, engine);
  const { headers } = await api.post('/quick', {});
  const started = headers.get('x-run-id');
  const list = body(await api.get('/runs')) as {
    readonly runs: readonly { readonly run: string }[];
    readonly unreadable: unknown;
  };
  assert.deepEqual([list.runs.map(({ run }) => run), list.unreadable], [[started, sound], ['s0.db']]);
  const refused = await api.get(`/runs/${lost}`);
  assert.deepEqual([refused.status, body(refused).error], [503, damage.message]);
});

test('a store with damage in the middle of its shared file is refused in words', async (t) => {
  const { open, folder } = await testStore(t, 'folder');
  await (await open()).close(0);
  const file = path.join(folder, 'runs', 'common.db');
  const database = new (loadSqlite().DatabaseSync)(file);
  const root = Number(database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'tasks_by_state'").get()?.rootpage);
  database.close();
  writeFileSync(file, readFileSync(file).fill(0xff, (root - 1) * PAGE_BYTES, root * PAGE_BYTES));
  await assert.rejects(open(), { ...damage, message: 'The file common.db of the store is damaged.' });
});

test('a store without its shared file is refused, and stays as it is', async (t) => {
  const { open, folder } = await testStore(t, 'folder');
  const engine = await open();
  await engine.serve();
  await engine.close(0);
  const runs = path.join(folder, 'runs');
  rmSync(path.join(runs, 'common.db'));
  const left = readdirSync(runs);
  await assert.rejects(open(), { message: 'The store runs cannot be used: its file common.db is missing.', hint: /backup\.$/ });
  assert.deepEqual(readdirSync(runs), left);
});

const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;

test('a shard of another user is left out like a damaged one', { skip: isRoot || process.platform === 'win32' }, async (t) => {
  const { open, folder, file } = await testStore(t, 'folder');
  const prepared = await file('single/done.wf');
  const both = [await open(), await open()];
  for (const engine of both) await (await begun(engine, prepared)).end;
  for (const engine of both) await engine.close(0);
  chmodSync(path.join(folder, 'runs', 's0.db'), 0);
  const said: string[] = [];
  const engine = await open({ onProblem: (sentence) => void said.push(sentence) });
  await engine.serve();
  const listed = await engine.list({});
  assert.deepEqual([listed.runs.length, listed.unreadable, engine.health()], [1, ['s0.db'], { ok: true }]);
  assert.match(
    said.join(),
    /^The file s0\.db of the store cannot be opened: permission is denied\. [^,]*, and run wf as that user only\.$/,
  );
});

test('files that root adds to a store belong to the owner of its folder', { skip: !isRoot }, async (t) => {
  const { open, folder } = await testStore(t, 'folder');
  await (await open()).close(0);
  const runs = path.join(folder, 'runs');
  chownSync(runs, NOBODY, NOBODY);
  const engine = await open();
  await engine.serve();
  await engine.close(0);
  assert.equal(statSync(path.join(runs, 's0.db')).uid, NOBODY);
});
