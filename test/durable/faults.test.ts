// Faults around a store: its disk is full, its files are damaged or from another version, plugins vanish, results are too large, the clock
// is set. Nothing is lost, and each is reported in a plain sentence.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { DurableRun } from '../../runtime/run/durable-run.js';
import { missingDriver } from '../../runtime/services/connector-errors.js';
import { createDryHost } from '../../src/durable/journal/journal-host.js';
import { RunJournal } from '../../src/durable/journal/run-journal.js';
import { RunRecords } from '../../src/durable/journal/run-records.js';
import { hashOfText } from '../../src/durable/model/versions.js';
import { LAST_WITHOUT_SUMS } from '../../src/durable/store/sqlite/row-sums.js';
import { loadSqlite, openDurable, sqliteCodes } from '../../src/durable/store/sqlite/sqlite.js';
import { makePrivateFile } from '../../src/durable/store/sqlite/store-folder.js';
import { prepareTables, type StoreFormat } from '../../src/durable/store/sqlite/store-format.js';
import { faultOf, handlersOf, type ThreadCall } from '../../src/durable/store/sqlite/thread-calls.js';
import { failedPart } from '../../src/load-chunk.js';
import { until } from '../until.js';
import { fakeClock } from './fake-clock.js';
import { copyOfStore } from './on-disk.js';
import { restarted } from './restarts.js';
import { tapNextStore } from './tapped-store.js';
import { begun, storeKinds, testStore } from './test-store.js';

/** Faults of a full disk for everything that is written. */
function fullDisk(): { isFull: boolean; readonly before: (call: ThreadCall) => ReturnType<typeof faultOf> | undefined } {
  const disk = {
    isFull: false,
    before: ({ part, method }: ThreadCall) =>
      disk.isFull && (method === 'commit' || (part === 'shared' && method !== 'inboxAfter'))
        ? { name: 'Error', message: 'database or disk is full', hint: undefined, sqlite: sqliteCodes.full }
        : undefined,
  };
  return disk;
}

test('a full disk: refuses new runs, those in flight wait and continue, and reports its start and end', async (t) => {
  const { file, open, ledger } = await testStore(t, 'folder');
  const disk = fullDisk();
  const said: string[] = [];
  tapNextStore(disk);
  const engine = await open({ onProblem: (sentence) => said.push(sentence) });
  const prepared = await file('single/two-plain-calls.wf');
  ledger.onRequest = ({ step }) => {
    if (step === 1) disk.isFull = true;
  };
  const { run, end } = await begun(engine, prepared);
  await until(() => !engine.health().ok);
  assert.deepEqual(await engine.start({ prepared, request: {} }), { kind: 'unavailable', problem: 'the disk is full' });
  assert.equal(ledger.received.length, 1, 'the next call waits for the record of the first one');
  ledger.onRequest = () => undefined;
  disk.isFull = false;
  assert.equal((await end).kind, 'outcome');
  assert.equal((await engine.state(run))?.status, 'completed');
  assert.deepEqual(
    ledger.received.map(({ step }) => step),
    [1, 2],
  );
  assert.deepEqual(said, [
    'The store cannot be written: the disk is full. Runs wait until it can be written again.',
    'The store is writable again; runs continue.',
  ]);
});

test('a disk that is full before the first record of a run: nobody is told that it is accepted, nobody is held, and it starts later', async (t) => {
  const { file, open, ledger } = await testStore(t, 'folder');
  let isFull = false;
  tapNextStore({
    before: ({ method }) =>
      isFull && method === 'commit'
        ? { name: 'Error', message: 'database or disk is full', hint: undefined, sqlite: sqliteCodes.full }
        : undefined,
  });
  const engine = await open();
  const prepared = await file('single/two-plain-calls.wf');
  await (await begun(engine, prepared)).end;
  ledger.received.length = 0;
  for (const how of [{ key: 'a' }, { respondAsync: true }, { respondAsync: true, key: 'b' }, {}]) {
    isFull = true;
    const starting = Promise.resolve(engine.start({ prepared, request: {}, ...how }));
    const again = 'key' in how ? Promise.resolve(engine.start({ prepared, request: {}, ...how })) : undefined;
    const started = await starting;
    let run = '';
    if (started.kind === 'started') {
      assert.deepEqual(how, {}, 'it waits for its outcome only');
      assert.deepEqual([await started.endWithin(60_000), await started.recorded()], [undefined, false]);
      run = started.run;
    } else {
      assert.equal(started.kind, 'unrecorded');
      if (started.kind === 'unrecorded') run = started.run;
    }
    assert.ok(again === undefined || (await again).kind === 'unavailable');
    assert.equal(ledger.received.length, 0);
    isFull = false;
    await until(async () => engine.health().ok && (await engine.state(run))?.status === 'completed');
    const last = await engine.start({ prepared, request: {}, ...how });
    if ('key' in how) assert.deepEqual([last.kind, last.kind === 'known' && last.run], ['known', run], 'the key has one run');
    else if (last.kind === 'started') assert.deepEqual([(await last.end).kind, await last.recorded()], ['outcome', true]);
    ledger.received.length = 0;
  }
});

for (const [title, sqlite] of [
  ['as if its file was damaged', sqliteCodes.corrupt],
  ['because a thread has ended', 0],
] as const)
  test(`a run that could not be read when its message came, ${title}, is read again`, async (t) => {
    const { file, open } = await testStore(t, 'folder');
    let faults = 0;
    tapNextStore({
      before: ({ method }) =>
        method === 'loadRun' && faults++ === 0 ? { name: 'Error', message: 'not now', hint: undefined, sqlite } : undefined,
    });
    const engine = await open();
    await engine.serve();
    const { run, end } = await begun(engine, await file('single/message.wf'));
    await end;
    await engine.send({ name: 'go', body: { word: 'now' }, run });
    await until(async () => (await engine.state(run))?.status === 'completed');
    assert.ok(faults > 1);
  });

test('a full disk holds up neither who reruns a run nor who is told of one that waits', async (t) => {
  const { file, open } = await testStore(t, 'folder');
  const disk = { isFull: false };
  const full = { name: 'Error', message: 'database or disk is full', hint: undefined, sqlite: sqliteCodes.full };
  tapNextStore({ before: ({ method }) => (disk.isFull && method === 'commit' ? full : undefined) });
  const engine = await open();
  const { run, end } = await begun(engine, await file('single/two-plain-calls.wf'));
  await end;
  disk.isFull = true;
  await assert.rejects(engine.rerun(run, { from: 'start', workflow: 'recorded' }), /The new run may start later\.$/);
  disk.isFull = false;
  await until(async () => engine.health().ok && (await engine.list({ status: 'completed' })).runs.length === 2);
  disk.isFull = true;
  await engine.acknowledge(run);
  disk.isFull = false;
});

test('notices a full disk through a message or a first request, and its end even if no run writes anything', async (t) => {
  const { file, open } = await testStore(t, 'folder');
  const disk = fullDisk();
  tapNextStore(disk);
  const engine = await open();
  const prepared = await file('single/nothing.wf');
  disk.isFull = true;
  assert.deepEqual(await engine.start({ prepared, request: {}, key: 'a' }), { kind: 'unavailable', problem: 'the disk is full' });
  assert.equal(engine.health().ok, false);
  disk.isFull = false;
  await until(() => engine.health().ok);
  disk.isFull = true;
  await assert.rejects(engine.send({ name: 'payment', body: {} }));
  assert.equal(engine.health().ok, false);
  disk.isFull = false;
  await until(() => engine.health().ok);
  assert.equal((await engine.start({ prepared, request: {}, key: 'a' })).kind, 'started');
});

test('a run that asks for a message while the disk is full waits instead of failing', async (t) => {
  const { file, open } = await testStore(t, 'folder');
  const disk = fullDisk();
  let refused = 0;
  tapNextStore({
    before: (call) => {
      // Full from the moment at which the run begins to wait.
      disk.isFull ||= call.method === 'wantMessage' && refused === 0;
      const fault = disk.before(call);
      if (fault !== undefined && call.method === 'wantMessage') refused++;
      return fault;
    },
  });
  const engine = await open();
  await engine.serve();
  const prepared = await file('single/payment-of-an-order.wf');
  const { run, end } = await begun(engine, prepared);
  await until(() => refused > 0 && !engine.health().ok);
  disk.isFull = false;
  assert.equal((await end).kind, 'paused');
  await engine.send({ name: 'payment', body: { order: 1, n: 5 } });
  await until(async () => (await engine.state(run))?.status === 'completed');
});

test('a process stops in time although its store cannot be written, and its work continues elsewhere', async (t) => {
  const { file, open, ledger } = await testStore(t, 'folder');
  const disk = fullDisk();
  tapNextStore(disk);
  const engine = await open();
  ledger.onRequest = ({ step }) => {
    if (step === 1) disk.isFull = true;
  };
  const { run } = await begun(engine, await file('single/two-plain-calls.wf'));
  await until(() => !engine.health().ok);
  ledger.onRequest = () => undefined;
  await engine.close(10);
  const other = await open();
  await other.serve();
  await until(async () => (await other.state(run))?.status === 'completed');
  assert.deepEqual(
    ledger.received.map(({ step }) => step),
    [1, 1, 2],
    'the first call was in doubt',
  );
  assert.equal(ledger.received[0]?.key, ledger.received[1]?.key);
});

test('refuses a store of a newer format without changing it', async (t) => {
  const { file, open, folder } = await testStore(t, 'folder');
  const engine = await open();
  await (await begun(engine, await file('single/nothing.wf'))).end;
  await engine.close(0);
  const common = path.join(folder, 'runs', 'common.db');
  const database = openDurable(common, 0);
  database.exec('PRAGMA user_version = 99');
  database.close();
  const before = readdirSync(path.join(folder, 'runs')).map((name) => [
    name,
    readFileSync(path.join(folder, 'runs', name), 'base64'),
  ]);
  await assert.rejects(open(), {
    name: 'UsageError',
    message: 'The store was written by a newer wf: it has format 99, and this wf knows format 1.',
    hint: 'Nothing was changed. Use that newer wf, or another store.',
  });
  const after = readdirSync(path.join(folder, 'runs')).map((name) => [
    name,
    readFileSync(path.join(folder, 'runs', name), 'base64'),
  ]);
  assert.deepEqual(after, before);
});

test('migrates an older format in one transaction: all of it, or nothing', async (t) => {
  const { folder } = await testStore(t, 'folder');
  const file = path.join(folder, 'some.db');
  makePrivateFile(file);
  const database = openDurable(file, 0);
  t.after(() => database.close());
  const tables = { shard: 'CREATE TABLE one(a)', shared: '' };
  const both = (sql: string) => ({ shard: sql, shared: '' });
  const formatOf = (): unknown => database.prepare('PRAGMA user_version').get()?.user_version;
  const migrated = (migrations: StoreFormat['migrations']): void => prepareTables(database, 'shard', { tables, migrations });
  migrated([]);
  database.exec('INSERT INTO one VALUES(7)');
  assert.throws(() => migrated([both('ALTER TABLE one ADD COLUMN b'), both('ALTER TABLE missing ADD COLUMN c')]));
  assert.equal(formatOf(), 1);
  assert.deepEqual(Object.keys(database.prepare('SELECT * FROM one').get() ?? {}), ['a'], 'nothing is half done');
  migrated([both('ALTER TABLE one ADD COLUMN b DEFAULT 1'), both('ALTER TABLE one ADD COLUMN c DEFAULT 2')]);
  assert.equal(formatOf(), 3);
  assert.deepEqual({ ...database.prepare('SELECT * FROM one').get() }, { a: 7, b: 1, c: 2 });
  assert.throws(
    () => migrated([both('ALTER TABLE one ADD COLUMN b')]),
    /written by a newer wf: it has format 3, and this wf knows format 2/,
  );
});

test('reports a damaged file, before and during use', async (t) => {
  const { file, open, folder } = await testStore(t, 'folder');
  const said: string[] = [];
  let isDamaged = false;
  tapNextStore({
    before: ({ method }) =>
      isDamaged && method === 'commit'
        ? { name: 'Error', message: 'database disk image is malformed', hint: undefined, sqlite: sqliteCodes.corrupt }
        : undefined,
  });
  const engine = await open({ onProblem: (sentence) => said.push(sentence) });
  const prepared = await file('single/two-plain-calls.wf');
  await (await begun(engine, prepared)).end;
  isDamaged = true;
  const started = await engine.start({ prepared, request: {}, respondAsync: true });
  assert.deepEqual(started, { kind: 'unavailable', problem: 'one of its files is damaged' });
  assert.deepEqual(said, ['The store cannot be used any more: one of its files is damaged. Restart wf to continue its runs.']);
  await engine.close(0);
  writeFileSync(path.join(folder, 'runs', 'common.db'), 'not a database at all, '.repeat(500));
  await assert.rejects(open(), {
    name: 'UsageError',
    message: 'The file common.db of the store is damaged.',
    hint: /backup/,
  });
});

test('a thread that lacks a call of its list says so when it starts, instead of answering nothing', () => {
  const pruner = {
    count: 2,
    pruneSlice: (most: number) => most,
    moveLog(this: { count: number }) {
      return this.count;
    },
  };
  const handlers = handlersOf('pruner', pruner as never);
  assert.deepEqual([handlers.get('pruneSlice')?.(5), handlers.get('moveLog')?.()], [5, 2]);
  assert.throws(
    () => handlersOf('pruner', { ...pruner, moveLog: undefined } as never),
    /^Error: The pruner of a store has no moveLog\.$/,
  );
});

test('reports file errors in words, not in codes', () => {
  const of = (code: string) => faultOf(Object.assign(new Error(`${code}: some, open '/x'`), { code, syscall: 'open' }));
  assert.deepEqual(
    [of('EACCES').message, of('EROFS').message, of('ENOSPC').message],
    ['permission is denied', 'the disk is read-only', 'the disk is full'],
  );
  assert.equal(of('ENOSPC').sqlite, sqliteCodes.full, 'a full disk is one that may have room again');
});

test('a vanished plugin leaves its run stuck, which continues when the plugin is back', async (t) => {
  t.after(() => {
    fakeClock.offset = 0;
  });
  const { file, open, folder } = await testStore(t, 'folder');
  const plugin = path.join(folder, 'rates.mjs');
  writeFileSync(plugin, 'export const call = async () => ({ value: { rate: 2 } });');
  const prepared = await file('single/plugin-after-a-wait.wf');
  const engine = await open();
  await engine.serve();
  const { run, end } = await begun(engine, prepared);
  await end;
  renameSync(plugin, `${plugin}.away`);
  fakeClock.offset = 2 * 3_600_000;
  await until(async () => (await engine.state(run))?.status === 'stuck');
  assert.match((await engine.state(run))?.message ?? '', /The plugin "\.\/rates\.mjs", or something it imports, is missing\./);
  renameSync(`${plugin}.away`, plugin);
  assert.equal((await engine.resume(run)).kind, 'done');
  await until(async () => (await engine.state(run))?.status === 'completed');
  assert.deepEqual((await engine.state(run))?.outputs, { rate: 2 });
});

for (const kind of storeKinds)
  test(`a missing driver is no failure of the call: the run is stuck until someone installs it (${kind})`, async (t) => {
    const { file, open } = await testStore(t, kind);
    const prepared = await file('single/handled-query.wf');
    const engine = await open();
    await engine.serve();
    const options: object = { connectors: { perform: async () => missingDriver('an SQLite file', '@photostructure/sqlite') } };
    const started = await engine.start({ prepared, request: {}, options, respondAsync: true });
    assert.ok(started.kind === 'started');
    const { run, end } = started;
    await end;
    const state = await engine.state(run);
    assert.equal(state?.status, 'stuck');
    assert.equal(
      state?.message,
      'An SQLite file needs the package @photostructure/sqlite, which is not installed. Install it beside wf, then resume the run.',
    );
    // It is installed here, and the file has no such table.
    assert.equal((await engine.resume(run)).kind, 'done');
    await until(async () => (await engine.state(run))?.status === 'completed');
    assert.match(String((await engine.state(run))?.outputs?.failed), /no such table: orders/);
  });

for (const kind of storeKinds)
  test(`a run whose process lacks a part of wf, which was updated, is left to the next one (${kind})`, async (t) => {
    const { file, open } = await testStore(t, kind);
    const said: string[] = [];
    const prepared = await file('single/two-calls.wf');
    const missing = failedPart(Object.assign(new Error('gone'), { code: 'ENOENT' }));
    const updated = { ...prepared, run: () => Promise.reject(missing) };
    const first = await open({ onProblem: (sentence) => void said.push(sentence) });
    const { run, end } = await begun(first, updated);
    assert.equal((await end).kind, 'released');
    assert.match(said.join(), /^A part of wf could not be loaded: it does not exist\. If wf was updated, restart it/);
    assert.equal((await first.state(run))?.status, 'running');
    await first.close(0);
    const second = await open();
    await second.serve();
    await until(async () => (await second.state(run))?.status === 'completed');
  });

test('a result that is too large, and a run with too many calls or waits, end with a clear error', async (t) => {
  const { file, open, ledger } = await testStore(t, 'folder');
  const engine = await open();
  ledger.answer = () => ({ v: 'x'.repeat(8.5 * 1024 * 1024) });
  const prepared = await file('single/call-with-a-result.wf');
  const { run, end } = await begun(engine, prepared);
  await end;
  const { status, message } = (await engine.state(run)) ?? {};
  assert.equal(status, 'error');
  assert.match(message ?? '', /Ledger gave 9 MB in line 11; a run with a store can keep results of up to 8 MB\./);
  const records = new RunRecords();
  records.effects = 100_000;
  const journal: DurableRun = new RunJournal(
    createDryHost(0, () => undefined),
    records,
  );
  const call = journal.main.call({ kind: 'call', site: 0, line: 1, title: 'x' });
  const stopped = /The run was stopped after 100,000 calls and waits: more cannot be kept\. Divide the work among several runs\./;
  await assert.rejects(
    call.attempt(1, async () => ({ result: 1, shown: {} })),
    stopped,
  );
  const site = { site: 0, line: 1, title: 'x' };
  const sleep = async () => undefined;
  await assert.rejects(
    journal.main.pause({ kind: 'wait', ...site }, 1, sleep, () => undefined),
    stopped,
  );
  await assert.rejects(journal.main.receive({ kind: 'message', ...site }, { name: 'go', pairs: [] }, sleep), stopped);
});

test('a wait that is longer than dates go waits until the last of them', async (t) => {
  const { file, open } = await testStore(t);
  const engine = await open();
  for (const name of ['wait-of-weeks', 'message-within-ages']) {
    const { run, end } = await begun(engine, await file(`single/${name}.wf`), { weeks: 1e9 });
    await end;
    const { status, waitingFor } = (await engine.state(run)) ?? {};
    assert.deepEqual([status, waitingFor?.until?.slice(0, 10)], ['waiting', '9999-12-31'], name);
  }
  assert.equal((await engine.list({})).runs.length, 2);
});

test('setting the clock back shortens no wait and holds no caller, and nothing ends before it began', async (t) => {
  t.after(() => {
    fakeClock.offset = 0;
  });
  const { file, open } = await testStore(t, 'folder');
  const prepared = await file('single/times.wf');
  const engine = await open();
  await engine.serve();
  const { run, end } = await begun(engine, prepared);
  await end;
  const due = Date.parse((await engine.state(run))?.waitingFor?.until ?? '');
  const held = engine.settled(run, 'ended', 200);
  fakeClock.offset = -24 * 3_600_000;
  assert.equal((await held)?.status, 'waiting', 'no caller is held for longer');
  const { run: later, end: laterEnd } = await begun(engine, await file('single/one-output.wf'));
  await laterEnd;
  assert.ok(later > run, 'ids still go up');
  assert.ok(((await engine.get(later))?.durationMs ?? -1) >= 0, 'no run takes less than no time');
  assert.equal((await engine.state(run))?.status, 'waiting');
  fakeClock.jumpTo(due + 10);
  await until(async () => (await engine.state(run))?.status === 'completed');
  const { same, begin = '', end: ended = '' } = (await engine.state(run))?.outputs ?? {};
  assert.equal(same, false);
  assert.ok(String(ended) > String(begin));
});

test('a run continues with the runtime it started with, even under another version of wf', async (t) => {
  t.after(() => {
    fakeClock.offset = 0;
  });
  const { file, open, folder } = await testStore(t, 'folder');
  const engine = await open();
  const { run, end } = await begun(engine, await file('single/wait-and-two-calls.wf'));
  await end;
  await engine.close(0);
  // What another version left: the same store, with a runtime other than this program's.
  const { DatabaseSync } = loadSqlite();
  const shard = new DatabaseSync(path.join(folder, 'runs', 's0.db'));
  const info = JSON.parse(String(shard.prepare('SELECT info FROM versions').get()?.info));
  const shared = new DatabaseSync(path.join(folder, 'runs', 'common.db'));
  const found = shared.prepare('SELECT data FROM contents WHERE hash = ?').get(info.runtime);
  const text = `${String(found?.data)}\n// another one`;
  const other = { ...info, runtime: hashOfText(text) };
  const { environment: _, ...hashed } = other;
  shared.prepare('UPDATE contents SET hash = ?, data = ? WHERE hash = ?').run(other.runtime, text, info.runtime);
  const hash = hashOfText(JSON.stringify(hashed));
  shard.prepare('UPDATE versions SET info = ?, hash = ?, sum = NULL').run(JSON.stringify(other), hash);
  shard.prepare('INSERT INTO meta(key, value) VALUES(?, 1)').run(LAST_WITHOUT_SUMS);
  shard.close();
  shared.close();
  const next = await open();
  await next.serve();
  fakeClock.offset = 2 * 3_600_000;
  await until(async () => (await next.state(run))?.status === 'completed');
});

test('abandons a run whose process died ten times, until someone resumes it', async (t) => {
  const { file, open, ledger, folder } = await testStore(t, 'folder');
  ledger.delayMs = () => 60_000;
  const engine = await open();
  const { run } = await begun(engine, await file('single/two-plain-calls.wf'));
  await until(() => ledger.received.length === 1);
  const left = copyOfStore(folder);
  await engine.close(0);
  // It has died nine times already.
  const { DatabaseSync } = loadSqlite();
  const shard = new DatabaseSync(path.join(left, 'runs', 's0.db'));
  shard.exec('UPDATE runs SET adoptions = 8');
  shard.close();
  const ninth = await open({ cwd: left });
  await ninth.serve();
  await until(() => ledger.received.length === 2);
  const again = copyOfStore(left);
  await ninth.close(0);
  const last = await open({ cwd: again });
  await last.serve();
  await until(async () => (await last.state(run))?.status === 'stuck');
  assert.match((await last.state(run))?.message ?? '', /The process ended ten times in a row while this run was executed/);
  ledger.delayMs = () => 0;
  assert.equal((await last.resume(run)).kind, 'done');
  await until(async () => (await last.state(run))?.status === 'completed');
});

test('restarts leave no files behind, and a run that makes progress survives any number of them', async () => {
  assert.deepEqual((await restarted(12)).violations, []);
});

test('a server does not start while the disk is full, and says why', async (t) => {
  const { open } = await testStore(t, 'folder');
  const disk = {
    before: ({ method }: ThreadCall) =>
      method === 'takeShard'
        ? { name: 'Error', message: 'database or disk is full', hint: undefined, sqlite: sqliteCodes.full }
        : undefined,
  };
  tapNextStore(disk);
  const engine = await open();
  await assert.rejects(engine.serve(), { name: 'UsageError', message: 'The store cannot be written: the disk is full.' });
});
