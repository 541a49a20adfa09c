// A file with runs is missing or has been emptied, after an incomplete restore for example: wf says so, and accepts nothing for its runs.
import assert from 'node:assert/strict';
import { cpSync, existsSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { DurableEngine, Started } from '../../src/durable/durable-engine.js';
import { loadSqlite } from '../../src/durable/store/sqlite/sqlite.js';
import { apiServer, body } from './runs-server.js';
import { testStore } from './test-store.js';

const wholeBackup = 'Stop all processes that use the store, and restore its whole folder from one backup.';
const isMissing = { name: 'UsageError', message: 'The file s1.db of the store is missing.', hint: wholeBackup };

interface Scene {
  /** A run in each of `s0.db`, `s1.db` and `s2.db`. */
  readonly runs: readonly string[];
  readonly fileOf: (shard: number) => string;
  /** Changes the shared file. */
  readonly change: (sql: string) => void;
  readonly reopened: () => Promise<DurableEngine>;
  readonly startAgain: (engine: DurableEngine) => Promise<Started>;
  readonly said: readonly string[];
}

/** Three processes have left a run each. */
async function threeShards(t: TestContext, name = 'single/done.wf'): Promise<Scene> {
  const { file, open, folder, env } = await testStore(t, 'folder');
  env.CHAT = env.LEDGER_URL ?? '';
  const prepared = await file(name);
  const engines = [await open(), await open(), await open()];
  const runs: string[] = [];
  for (const [shard, engine] of engines.entries()) {
    const started = await engine.start({ prepared, request: {}, respondAsync: true, key: shard === 1 ? 'its key' : undefined });
    assert.ok(started.kind === 'started');
    await engine.settled(started.run, 'paused', 60_000);
    runs.push(started.run);
  }
  for (const engine of engines) await engine.close(0);
  const said: string[] = [];
  const inStore = path.join(folder, 'runs');
  return {
    runs,
    said,
    fileOf: (shard) => path.join(inStore, `s${shard}.db`),
    change(sql) {
      const database = new (loadSqlite().DatabaseSync)(path.join(inStore, 'common.db'));
      database.exec(sql);
      database.close();
    },
    reopened: () => open({ onProblem: (sentence) => void said.push(sentence) }),
    startAgain: async (engine) => engine.start({ prepared, request: {}, respondAsync: true, key: 'its key' }),
  };
}

const losses = { missing: (file: string) => rmSync(file), empty: (file: string) => truncateSync(file) };

for (const [problem, lose] of Object.entries(losses)) {
  test(`a file with runs that is ${problem} is reported once, left out, and not created again`, async (t) => {
    const { runs, fileOf, said, reopened, startAgain } = await threeShards(t);
    lose(fileOf(1));
    const lost = { name: 'UsageError', message: `The file s1.db of the store is ${problem}.`, hint: wholeBackup };
    const first = await reopened();
    await first.serve();
    const lastWayOut = 'Without a backup, give up its runs: wf runs give-up s1.db';
    const report = `${lost.message.slice(0, -1)}. The runs in it are neither shown nor continued. ${wholeBackup} ${lastWayOut}`;
    assert.deepEqual(said, [report]);
    const second = await reopened();
    await second.serve(); // s1.db would be the first that is free
    for (const engine of [first, second]) {
      const listed = await engine.list({});
      assert.deepEqual([listed.runs.map(({ run }) => run), listed.unreadable], [[runs[2], runs[0]], ['s1.db']]);
      assert.deepEqual(engine.health(), { ok: true });
      await assert.rejects(engine.state(runs[1] ?? ''), lost, 'it was there, so it is not unknown');
    }
    assert.deepEqual(await startAgain(first), { kind: 'unavailable', problem: 'part of it cannot be used' });
    await assert.rejects(first.moving.export()[Symbol.asyncIterator]().next(), lost);
    assert.equal(said.length, 2);
    for (const engine of [first, second]) await engine.close(0);
    assert.deepEqual(await (await reopened()).prune({ olderThanMs: 0 }), { runs: 2 });
    await assert.rejects((await reopened()).rekey(undefined), lost);
    if (problem === 'missing') assert.equal(existsSync(fileOf(1)), false);
  });
}

test('a file with runs whose write-ahead log is lost before it was moved is reported as empty', async (t) => {
  const { fileOf, reopened } = await threeShards(t);
  // As after kill -9, when all tables are still in the log.
  rmSync(fileOf(1));
  const database = new (loadSqlite().DatabaseSync)(fileOf(1));
  database.exec('PRAGMA journal_mode = WAL');
  database.close();
  assert.deepEqual((await (await reopened()).list({})).unreadable, ['s1.db']);
});

test('nothing is sent to a run in a missing file, and it arrives after the restore', async (t) => {
  const { runs, fileOf, change, reopened } = await threeShards(t, 'single/payment-of-an-order.wf');
  change('UPDATE waiters SET since = since - 1000 WHERE run = (SELECT run FROM waiters ORDER BY id LIMIT 1 OFFSET 1)');
  cpSync(fileOf(1), `${fileOf(1)}.copy`);
  rmSync(fileOf(1));
  const payment = { name: 'payment', body: { order: 1, n: 7 } };
  const engine = await reopened();
  await assert.rejects(engine.send(payment), isMissing);
  await assert.rejects(engine.send({ ...payment, run: runs[1] ?? '' }), isMissing);
  const api = await apiServer(t, { console: true }, engine);
  const page = await (await fetch(`${api.url}/console`)).text();
  assert.match(page, /The file s1\.db of the store cannot be read\. The runs in it are not shown\./);
  const refused = await api.post('/messages/payment', payment.body);
  assert.deepEqual([refused.status, body(refused)], [503, { error: isMissing.message, hint: isMissing.hint }]);
  assert.equal((await engine.send({ ...payment, run: runs[2] ?? '' })).kind, 'sent', 'others receive theirs');
  await engine.close(0);
  cpSync(`${fileOf(1)}.copy`, fileOf(1));
  rmSync(`${fileOf(1)}.copy`);
  const restored = await reopened();
  await restored.serve();
  assert.deepEqual(await restored.send(payment), { kind: 'sent', delivered: 1, run: runs[1] });
  assert.deepEqual((await restored.settled(runs[1] ?? '', 'ended', 60_000))?.outputs, { n: 7 });
});

test('a question of a run in a missing file takes no answer', async (t) => {
  const { runs, fileOf, reopened } = await threeShards(t, 'single/two-questions.wf');
  rmSync(fileOf(1));
  const engine = await reopened();
  const { tasks } = await engine.tasks();
  const taskOf = (shard: number): string => tasks.find(({ run }) => run === runs[shard])?.task ?? '';
  await assert.rejects(engine.answer(taskOf(1), { answer: 'yes' }), isMissing);
  assert.equal((await engine.task(taskOf(1)))?.status, 'open');
  assert.equal((await engine.answer(taskOf(2), { answer: 'yes' })).kind, 'answered');
});

test('a server lists the shards that an earlier version has written', async (t) => {
  const { fileOf, change, reopened } = await threeShards(t);
  change('DELETE FROM slots');
  const engine = await reopened();
  await engine.serve();
  await engine.close(0);
  rmSync(fileOf(2));
  assert.deepEqual((await (await reopened()).list({})).unreadable, ['s2.db']);
});

test('a file that was created and not listed yet is used', async (t) => {
  const { fileOf, change, reopened, startAgain, said } = await threeShards(t);
  change('DELETE FROM slots WHERE slot = 0; DELETE FROM keys');
  writeFileSync(fileOf(0), '');
  const engine = await reopened();
  assert.equal((await startAgain(engine)).kind, 'started');
  await engine.close(0);
  assert.deepEqual(said, []);
  rmSync(fileOf(0));
  assert.deepEqual((await (await reopened()).list({})).unreadable, ['s0.db']);
});

test('a process whose own file is removed accepts nothing more', async (t) => {
  const { open, file, folder } = await testStore(t, 'folder');
  const prepared = await file('single/done.wf');
  let lost: (sentence: string) => void = () => undefined;
  const isLost = new Promise<string>((resolve) => {
    lost = resolve;
  });
  const engine = await open({ onProblem: (sentence) => /any more/.test(sentence) && lost(sentence) });
  await engine.serve();
  rmSync(path.join(folder, 'runs', 's0.db'));
  const problem = 'one of its files is missing';
  assert.equal(await isLost, `The store cannot be used any more: ${problem}. Restart wf to continue its runs.`);
  assert.equal(engine.health().ok, false);
  const refused = await engine.start({ prepared, request: {}, respondAsync: true });
  assert.deepEqual(refused, { kind: 'unavailable', problem });
});

test('processes that start at the same time list their own shards, and miss none', async (t) => {
  const { open, file } = await testStore(t, 'folder');
  const prepared = await file('single/done.wf');
  const said: string[] = [];
  const engines = await Promise.all(Array.from({ length: 6 }, () => open({ onProblem: (sentence) => void said.push(sentence) })));
  await Promise.all(
    engines.map(async (engine) => {
      await engine.serve();
      assert.equal((await engine.start({ prepared, request: {}, respondAsync: true })).kind, 'started');
      assert.equal((await engine.list({})).unreadable, undefined);
    }),
  );
  assert.deepEqual(said, []);
});

const garbage = (file: string): void => writeFileSync(file, 'not a database'.repeat(1_000));

for (const [problem, lose, keptAs] of [
  ['missing', losses.missing, undefined],
  ['empty', losses.empty, 's1.db.given-up'],
  ['damaged', garbage, 's1.db.given-up'],
] as const) {
  test(`the runs in a file that is ${problem} can be given up, and others get what was meant for them`, async (t) => {
    const { runs, fileOf, change, reopened } = await threeShards(t, 'single/payment-of-an-order.wf');
    change(`UPDATE waiters SET since = 0 WHERE lower(hex(run)) = '${runs[1]?.replaceAll('-', '')}'`);
    lose(fileOf(1));
    const engine = await reopened();
    await assert.rejects(engine.giveUp('s7.db'), { name: 'UsageError', message: 'The store has no file "s7.db" with runs.' });
    const isReadable = 'The file s0.db of the store can be read. Its runs are not given up.';
    await assert.rejects(engine.giveUp('s0.db'), { name: 'UsageError', message: isReadable });
    const server = await reopened();
    await server.serve();
    await assert.rejects(engine.giveUp('s1.db'), { name: 'UsageError', message: 'Another process uses the store.' });
    await server.close(0);
    assert.deepEqual(await engine.giveUp('s1.db'), { keptAs });
    assert.equal(existsSync(fileOf(1)), false);
    assert.equal(keptAs !== undefined, existsSync(`${fileOf(1)}.given-up`));
    await engine.close(0);
    const after = await reopened();
    await after.serve();
    assert.deepEqual([(await after.list({})).unreadable, await after.state(runs[1] ?? '')], [undefined, undefined]);
    const sent = await after.send({ name: 'payment', body: { order: 1, n: 7 } });
    assert.deepEqual(sent, { kind: 'sent', delivered: 1, run: runs[0] });
    assert.equal((await after.settled(runs[0] ?? '', 'ended', 60_000))?.status, 'completed');
  });
}

test('a shard that was given up is used again, and its name is free again', async (t) => {
  const { fileOf, reopened, startAgain } = await threeShards(t);
  for (const keptAs of ['s1.db.given-up', 's1.db.given-up-2']) {
    garbage(fileOf(1));
    const engine = await reopened();
    assert.deepEqual(await engine.giveUp('s1.db'), { keptAs });
    await engine.close(0);
    const servers = [await reopened(), await reopened()];
    for (const server of servers) await server.serve();
    assert.equal((await startAgain(servers[1] as DurableEngine)).kind, 'started');
    for (const server of servers) await server.close(0);
    assert.equal(existsSync(fileOf(1)), true);
  }
});

test('questions of runs that were given up are over, once no other file can have them', async (t) => {
  const { runs, fileOf, reopened } = await threeShards(t, 'single/two-questions.wf');
  for (const shard of [1, 2]) rmSync(fileOf(shard));
  const asked = async (engine: DurableEngine): Promise<string[]> => [
    ...new Set((await engine.tasks()).tasks.map(({ run }) => run)),
  ];
  const engine = await reopened();
  await engine.giveUp('s1.db');
  assert.deepEqual((await asked(engine)).sort(), [...runs].sort(), 'they may be in s2.db');
  await engine.giveUp('s2.db');
  assert.deepEqual(await asked(engine), [runs[0]]);
});
