// The promises of docs/durable.md. Each has a test that fails if the line that keeps it is removed. Commits are slow here, so that anything
// that doesn't wait for them shows up as too early.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { after, type TestContext, test } from 'node:test';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { openDurable } from '../../src/durable/store/sqlite/sqlite.js';
import { makePrivateFile } from '../../src/durable/store/sqlite/store-folder.js';
import { until } from '../until.js';
import { fakeClock } from './fake-clock.js';
import { mortal } from './mortal.js';
import { copyOfStore, rowsOnDisk } from './on-disk.js';
import { type Tap, tapNextStore } from './tapped-store.js';
import { allRows, dropTemplate } from './test-database.js';
import { allStoreKinds, begun, type TestStore, testStore } from './test-store.js';

after(dropTemplate);

const HOUR_MS = 3_600_000;

const slow: Tap = { slow: (method) => (method === 'commit' ? 40 : 0) };

async function slowly(t: TestContext): Promise<TestStore & { readonly engine: DurableEngine }> {
  const scene = await testStore(t, 'folder');
  tapNextStore(slow);
  return { ...scene, engine: await scene.open() };
}

test('1. A run is on disk before anyone learns that it is accepted, and before its first call', async (t) => {
  const { engine, file, ledger, folder } = await slowly(t);
  const prepared = await file('single/three-calls-with-retries.wf');
  const atFirst: unknown[] = [];
  ledger.onRequest = ({ step }) => {
    if (step === 1) atFirst.push(rowsOnDisk(folder, 'SELECT request FROM runs').length);
  };
  const told = await engine.start({ prepared, request: { n: 1 }, respondAsync: true });
  assert.equal(rowsOnDisk(folder, 'SELECT request FROM runs').length, 1, 'told');
  assert.ok(told.kind === 'started');
  await told.end;
  const waited = await engine.start({ prepared, request: { n: 2 } });
  assert.ok(waited.kind === 'started');
  await waited.end;
  assert.deepEqual(atFirst, [1, 2], 'at the first calls');
});

test('1. Writes are flushed: after a commit returns, a power cut cannot undo it', async (t) => {
  const { folder } = await testStore(t, 'folder');
  const file = path.join(folder, 'some.db');
  makePrivateFile(file);
  const made = openDurable(file, 0);
  made.exec('CREATE TABLE some(a)');
  made.close();
  const database = openDurable(file, 0);
  t.after(() => database.close());
  // Some builds of SQLite flush less for a file that has a log of writes when they open it.
  database.prepare('SELECT * FROM some').all();
  const pragma = (name: string): unknown => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  assert.deepEqual([pragma('journal_mode'), pragma('synchronous'), pragma('busy_timeout')], ['wal', 2, 0]);
});

test('2. The result of each call, and of each attempt, is on disk before the next one is sent', async (t) => {
  const { engine, file, ledger, folder } = await slowly(t);
  const recorded: number[] = [];
  ledger.onRequest = () => recorded.push(rowsOnDisk(folder, 'SELECT 1 FROM entries WHERE kind = 1').length);
  const { end } = await begun(engine, await file('single/three-calls-with-retries.wf'));
  assert.equal((await end).kind, 'outcome');
  assert.deepEqual(recorded, [0, 1, 2]);
});

test('2. What is recorded is not sent again, 3. and a call in doubt is, with the same key', async (t) => {
  const { engine, file, ledger, folder, open } = await slowly(t);
  let copy = '';
  ledger.onRequest = ({ step }) => {
    if (step === 2) copy = copyOfStore(folder);
  };
  const { run, end } = await begun(engine, await file('single/three-calls-with-retries.wf'));
  await end;
  const [, second] = ledger.received.splice(0);
  ledger.onRequest = () => undefined;
  const other = await open({ cwd: copy });
  await other.serve();
  await until(async () => (await other.state(run))?.status === 'completed');
  assert.deepEqual(
    ledger.received.map(({ step }) => step),
    [2, 3],
  );
  assert.equal(ledger.received[0]?.key, second?.key);
  const resumed = (await other.log(run)).filter(({ type }) => type === 'resumed');
  assert.match(String(resumed[0]?.message), /Ledger: POST \/1\/2 may have been sent before; it was sent again/);
});

test('3. A call at most once is not sent again: its intent is on disk before', async (t) => {
  const { engine, file, ledger, folder, open } = await slowly(t);
  let copy = '';
  ledger.onRequest = () => {
    copy = copyOfStore(folder);
  };
  const { run, end } = await begun(engine, await file('single/at-most-once.wf'));
  await end;
  assert.equal((await engine.state(run))?.outputs?.doubt, false);
  const other = await open({ cwd: copy });
  await other.serve();
  await until(async () => (await other.state(run))?.status === 'completed');
  assert.deepEqual((await other.state(run))?.outputs, { doubt: true, attempts: 1 });
  const resumed = (await other.log(run)).find(({ type }) => type === 'resumed');
  assert.match(String(resumed?.message), /may have been sent before; it was not sent again/);
  assert.equal(ledger.received.length, 1);
});

test('4. The outcome is on disk before the caller has it, except for a run without effects, which follows soon', async (t) => {
  const { engine, file, folder } = await slowly(t);
  const states = (): unknown[] => rowsOnDisk(folder, 'SELECT state FROM runs ORDER BY n').map(({ state }) => state);
  const one = await begun(engine, await file('single/three-calls-with-retries.wf'));
  await one.end;
  assert.deepEqual(states(), [11]);
  const two = await engine.start({ prepared: await file('single/version-one.wf'), request: {} });
  assert.ok(two.kind === 'started');
  await two.end;
  await until(() => states().length === 2);
  const three = await engine.start({ prepared: await file('single/rejection.wf'), request: {}, key: 'k' });
  assert.ok(three.kind === 'started');
  await three.end;
  assert.deepEqual(states(), [11, 11, 12], 'a run with a key is no exception');
});

test('5. A wait, including one before a retry, continues where it was', async (t) => {
  t.after(() => {
    fakeClock.offset = 0;
  });
  const { file, open, ledger } = await testStore(t);
  ledger.fails = (received) => received.step === 2 && ledger.received.length === 2;
  const prepared = await file('single/wait-and-three-calls.wf');
  const first = await open();
  const { run, end } = await begun(first, prepared);
  await end;
  const due = (await first.state(run))?.waitingFor?.until;
  await first.close(0);
  fakeClock.offset = HOUR_MS;
  const second = await open();
  await second.serve();
  assert.equal((await second.state(run))?.waitingFor?.until, due, 'an hour later');
  fakeClock.jumpTo(Date.parse(due ?? ''));
  await until(async () => (await second.state(run))?.waitingFor?.kind === 'retry');
  const retry = (await second.state(run))?.waitingFor?.until;
  await second.close(0);
  fakeClock.offset += 60_000;
  const third = await open();
  await third.serve();
  assert.equal((await third.state(run))?.waitingFor?.until, retry, 'a minute later');
  fakeClock.jumpTo(Date.parse(retry ?? ''));
  await until(async () => (await third.state(run))?.status === 'completed');
  assert.deepEqual(
    ledger.received.map(({ step }) => step),
    [1, 2, 2, 3],
  );
});

test('5. A wait until a moment ends at that moment, however long the calls before it took', async (t) => {
  t.after(() => {
    fakeClock.offset = 0;
  });
  const { engine, file, ledger } = await slowly(t);
  await engine.serve();
  const at = new Date(Date.now() + 2 * HOUR_MS).toISOString();
  ledger.onRequest = () => {
    fakeClock.offset = HOUR_MS;
  };
  const { run } = await begun(engine, await file('single/call-and-wait-until.wf'), { at });
  await until(async () => (await engine.state(run))?.status === 'waiting');
  assert.equal((await engine.state(run))?.waitingFor?.until, at);
  fakeClock.jumpTo(Date.parse(at));
  await until(async () => (await engine.state(run))?.status === 'completed');
});

test('6. A run ends with the workflow that it started with, even if its file is gone', async (t) => {
  t.after(() => {
    fakeClock.offset = 0;
  });
  const { file, open, folder } = await testStore(t);
  const prepared = await file('single/old-text.wf');
  const first = await open();
  const { run, end } = await begun(first, prepared);
  await end;
  await first.close(0);
  rmSync(path.join(folder, prepared.workflow.file));
  const other = await file('single/new-text.wf');
  const second = await open({ current: () => other });
  await second.serve();
  fakeClock.offset = 2 * HOUR_MS;
  await until(async () => (await second.state(run))?.status === 'completed');
  assert.deepEqual((await second.state(run))?.outputs, { text: 'old' });
});

test('7. A run of a living process is not taken by another one, and 8. it is adopted when that dies', async (t) => {
  const { file, open, ledger } = await testStore(t, 'folder');
  const prepared = await file('single/three-calls-with-retries.wf');
  ledger.delayMs = () => (ledger.received.length === 1 ? 60_000 : 0);
  const { engine: first, kill } = await mortal(open);
  await first.serve();
  const { run } = await begun(first, prepared);
  await until(() => ledger.received.length === 1);
  const second = await open();
  await second.serve();
  assert.equal((await second.resume(run)).kind, 'elsewhere');
  assert.equal(ledger.received.length, 1);
  await kill();
  await until(async () => (await second.state(run))?.status === 'completed');
  assert.deepEqual(
    ledger.received.map(({ step }) => step),
    [1, 1, 2, 3],
    'the first process sends nothing more',
  );
});

test('8. What a process left behind continues immediately when it starts again', async (t) => {
  const { file, open, ledger } = await testStore(t, 'folder');
  ledger.delayMs = () => (ledger.received.length === 1 ? 60_000 : 0);
  const { engine, kill } = await mortal(open);
  const { run } = await begun(engine, await file('single/three-calls-with-retries.wf'));
  await until(() => ledger.received.length === 1);
  await kill();
  const again = await open();
  await again.serve();
  await until(async () => (await again.state(run))?.status === 'completed');
});

test('8. Runs are adopted, whatever a process did before it starts adopting', async (t) => {
  const { file, open, ledger } = await testStore(t, 'folder');
  const prepared = await file('single/three-calls-with-retries.wf');
  for (const order of ['serve first', 'start first'] as const) {
    ledger.received.splice(0);
    ledger.delayMs = () => (ledger.received.length === 1 ? 60_000 : 0);
    const { engine: dead, kill } = await mortal(open);
    const { run: left } = await begun(dead, prepared);
    await until(() => ledger.received.length === 1);
    await kill();
    const engine = await open();
    // A server that gets its first request while it adopts runs.
    const serving = order === 'serve first' ? engine.serve() : undefined;
    const { run } = await begun(engine, prepared);
    await (serving ?? engine.serve());
    for (const id of [left, run]) await until(async () => (await engine.state(id))?.status === 'completed');
    assert.equal((await engine.log(run)).filter(({ type }) => type === 'resumed').length, 0, order);
    await engine.close(0);
  }
});

test('9. A run that waits for long, for a message or for a person is not in memory', async (t) => {
  const { file, open } = await testStore(t);
  const engine = await open();
  await engine.serve();
  for (const prepared of [await file('single/long-wait-in-seconds.wf'), await file('single/payment-or-nothing.wf')]) {
    const { end } = await begun(engine, prepared);
    assert.equal((await end).kind, 'paused');
  }
  const { end } = await begun(engine, await file('single/short-wait.wf'));
  await end;
  assert.deepEqual(await engine.close(0), { released: 1 }, 'of three, the one that waits for less than a minute');
});

test('10. The log reads as if nothing had happened, except for one entry', async (t) => {
  const { file, open, ledger } = await testStore(t, 'folder');
  ledger.delayMs = () => (ledger.received.length === 2 ? 60_000 : 0);
  const { engine, kill } = await mortal(open);
  const { run } = await begun(engine, await file('single/three-calls-with-retries.wf'));
  await until(() => ledger.received.length === 2);
  await kill();
  const again = await open();
  await again.serve();
  await until(async () => (await again.state(run))?.status === 'completed');
  const log = await again.log(run);
  assert.deepEqual(
    log.map(({ type, line }) => [type, line]),
    [
      ['log', 11],
      ['call', 12],
      ['resumed', 14],
      ['call', 14],
      ['call', 17],
    ],
  );
});

for (const kind of allStoreKinds) {
  test(`A run whose environment has changed says so once, without any value: ${kind}`, async (t) => {
    const { file, open, env, folder, database } = await testStore(t, kind);
    env.RATE = 'rate-before-1';
    const prepared = await file('single/compares-the-environment.wf');
    const first = await open();
    const { run, end } = await begun(first, prepared);
    await end;
    await first.close(0);
    env.RATE = 'rate-after-22';
    const second = await open();
    await second.serve();
    await second.send({ name: 'go', body: {}, run });
    await until(async () => (await second.state(run))?.status === 'completed');
    const warnings = (await second.log(run)).filter(({ type }) => type === 'warning').map(({ message }) => message);
    assert.deepEqual(warnings, ['The environment variable RATE has another value than when this run started.']);
    const infos = (): string => JSON.stringify(rowsOnDisk(folder, 'SELECT info FROM versions'));
    const stored = database === undefined ? infos() : await allRows(database);
    assert.ok(/(?:LEDGER_URL|RATE):[0-9a-f]{8},(?:LEDGER_URL|RATE):[0-9a-f]{8}/.test(stored));
    assert.ok(!/rate-(?:before|after)/.test(stored));
  });
}
