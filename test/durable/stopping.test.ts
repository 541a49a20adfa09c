// What a server with a store answers while it stops, and what it records of runs that end meanwhile.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { entryKinds } from '../../src/durable/model/entries.js';
import type { StoreWrite } from '../../src/durable/model/run-rows.js';
import type { TaskView } from '../../src/durable/model/run-views.js';
import { startStoreClient } from '../../src/durable/store/sqlite/store-client.js';
import { closeServer } from '../../src/server/process/run-server.js';
import { post, send, startServer } from '../server/test-server.js';
import { temporaryFolder } from '../temporary-folder.js';
import { until } from '../until.js';
import { tapNextStore } from './tapped-store.js';
import { begun, storeKinds, testStore } from './test-store.js';

/** The store, but for these methods. */
const storeWith = (store: DurableEngine, own: Partial<DurableEngine>): DurableEngine =>
  new Proxy(store, {
    get(_, name) {
      const value: unknown = Reflect.get({ ...own }, name) ?? Reflect.get(store, name, store);
      return typeof value === 'function' ? value.bind(store) : value;
    },
  });

test('answers a message that arrived before it was told to stop', async (t) => {
  const { open } = await testStore(t);
  const store = await open();
  let isAsked = false;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow = storeWith(store, {
    async send(message) {
      isAsked = true;
      await released;
      return store.send(message);
    },
    close: (graceMs, beforeClosing) =>
      store.close(graceMs, async () => {
        setImmediate(release);
        await beforeClosing?.();
      }),
  });
  const { app, server, url, err } = await startServer(t, { workflows: [], store: slow, host: '127.0.0.1' });
  const sent = post(`${url}/messages/payment`, { order: 1 });
  await until(() => isAsked);
  await closeServer(server, app, 0, undefined, slow);
  const { status, text } = await sent;
  assert.deepEqual([status, err], [202, []], text);
});

test('refuses a message that comes when its store is closed, without calling it a fault', async (t) => {
  const { open } = await testStore(t);
  const store = await open();
  const { app, url, err } = await startServer(t, { workflows: [], store, host: '127.0.0.1' });
  app.runs.stop();
  await store.close(0);
  const { status, headers } = await post(`${url}/messages/payment`, { order: 1 });
  assert.deepEqual([status, headers.get('retry-after'), err], [503, '5', []]);
});

for (const kind of storeKinds) {
  test(`the log of a run that ends while its process stops is whole (${kind})`, async (t) => {
    const { open, file, ledger } = await testStore(t, kind);
    const prepared = await file('called/last-calls/main.wf');
    const first = await open();
    const seen = async (engine: DurableEngine, run: string): Promise<unknown> => {
      const { status, outputs } = (await engine.state(run)) ?? {};
      const log = (await engine.log(run)).map(({ type, line, message }) => `${type} ${line} ${message ?? ''}`);
      return { status, outputs, log: log.sort() };
    };
    const whole = await begun(first, prepared);
    await whole.end;
    const expected = await seen(first, whole.run);
    ledger.delayMs = () => 200;
    const { run } = await begun(first, prepared);
    await until(() => ledger.received.length === 4);
    await first.close(20_000);
    const second = await open();
    assert.deepEqual(await seen(second, run), expected);
    const { runs } = await second.list({ parent: run });
    assert.deepEqual(
      runs.map(({ status }) => status),
      ['completed'],
    );
  });
}

for (const kind of storeKinds) {
  test(`tells those who wait for a run that has left memory where it is when the server stops (${kind})`, async (t) => {
    const { open, file } = await testStore(t, kind);
    const store = await open();
    await store.serve();
    let asked = 0;
    const seen = storeWith(store, {
      settled(...how) {
        asked++;
        return store.settled(...how);
      },
    });
    const workflows = [await file('single/message.wf')];
    const { app, server, url, err } = await startServer(t, { workflows, store: seen, host: '127.0.0.1' });
    const waiting = { prefer: 'wait=60', connection: 'close' };
    const started = post(`${url}/message`, {}, { ...waiting, 'idempotency-key': 'k' });
    await until(() => asked === 1);
    const [run] = (await store.list({})).runs;
    assert.ok(run !== undefined);
    const location = `/runs/${run.run}`;
    const looking = send(`${url}${location}`, { headers: waiting });
    await until(() => asked === 2);
    await closeServer(server, app, 0, undefined, seen);
    const [start, look] = await Promise.all([started, looking]);
    assert.deepEqual([start.status, start.headers.get('location'), err], [202, location, []], start.text);
    assert.deepEqual([look.status, (look.json as { status: string }).status], [200, 'waiting'], look.text);
    const again = await (await open()).start({ prepared: workflows[0] ?? assert.fail(), request: {}, key: 'k' });
    assert.deepEqual([again.kind, again.kind === 'known' && again.acknowledged], ['known', true]);
  });
}

const task: TaskView = {
  task: 't',
  run: 'r',
  workflow: 'refund',
  service: 'Boss',
  question: 'decide',
  pairs: {},
  askedAt: '2026-01-01T00:00:00.000Z',
  status: 'open',
};

/** What the browser of a person sends. */
const answerForm = (url: string): Promise<Response> =>
  fetch(`${url}/tasks/t?key=k`, {
    method: 'POST',
    body: new URLSearchParams({ answer: 'yes' }),
    headers: { connection: 'close' },
  });

test('answers a form that a person sent before the server was told to stop', async (t) => {
  const { open } = await testStore(t);
  const store = await open();
  let isAsked = false;
  let isClosed = false;
  let goOn = (): void => undefined;
  const isStopping = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const slow = storeWith(store, {
    task: async () => task,
    async answer() {
      isAsked = true;
      await isStopping;
      // A server that waits for nothing closes its store here.
      await new Promise((resolve) => process.nextTick(resolve));
      if (isClosed) throw new Error('The store is closed.');
      return { kind: 'answered', task: { ...task, status: 'answered' } };
    },
    close: (graceMs, beforeClosing) =>
      store.close(graceMs, async () => {
        const waited = beforeClosing?.();
        goOn();
        await waited;
        isClosed = true;
      }),
  });
  const { app, server, url, err } = await startServer(t, { workflows: [], store: slow, host: '127.0.0.1' });
  const sent = answerForm(url);
  await until(() => isAsked);
  await closeServer(server, app, 0, undefined, slow);
  assert.deepEqual([(await sent).status, err], [200, []]);
});

test('refuses a form that comes when the store is closed with a page, without calling it a fault', async (t) => {
  const { open } = await testStore(t);
  const store = await open();
  const { app, url, err } = await startServer(t, { workflows: [], store, host: '127.0.0.1' });
  app.runs.stop();
  await store.close(0);
  const answer = await answerForm(url);
  assert.deepEqual([answer.status, answer.headers.get('retry-after'), err], [503, '5', []]);
  assert.match(await answer.text(), /<h1>Not possible now<\/h1>/);
});

// A process that exits at once, as after a second Ctrl+C, while the thread of its store is working.

/** Enough for several tenths of a second. */
const ROWS = 100_000;

const script = fileURLToPath(import.meta.url);
const folder = process.argv[2];

/** Exits in the middle of a long commit. */
async function exitWhileWriting(folder: string): Promise<void> {
  const { writer } = await startStoreClient({ folder, key: undefined, isRekeying: false }, () => undefined);
  const { shard } = await writer.takeShard(true);
  const rows = Array.from(
    { length: ROWS },
    (_, pos): StoreWrite => ['entry', 1, pos, null, pos, 2, entryKinds.call, 0, pos, 0, '{"r":{"ok":true}}'],
  );
  const written = (): number => statSync(path.join(folder, `s${shard}.db-wal`)).size;
  const before = written();
  void writer.commit(shard, rows).catch(() => undefined);
  // What does not fit into memory is written before the end of the commit.
  await until(() => written() > before);
  process.exit(130);
}

if (folder === undefined)
  test('a process that exits while its store is written does not abort', (t) => {
    const folder = temporaryFolder(t);
    const { status, signal, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' });
    // A disk that takes more than five seconds for a flush ends it as well.
    assert.ok(status === 130 || signal === 'SIGKILL', `${signal ?? status}: ${stderr}`);
  });
else await exitWhileWriting(folder);

// A store closes while a run is being read: the run must make no call, whose connection would be closed under it.

/** Turns of the event loop in which a run that was not released reaches its call. */
const TURNS = 500;

/** Milliseconds between two polls of a folder. */
const POLL_MS = 100;

/** Opens an engine that polls once: a poll in the middle of its calls would wait for the thread that is held, and the stop for the poll. */
async function withoutPolls<T>(t: TestContext, open: () => Promise<T>): Promise<T> {
  const { setTimeout: start } = globalThis;
  const later = (run: () => void, ms?: number) => start(run, ms === POLL_MS ? 3_600_000 : ms);
  t.mock.method(globalThis, 'setTimeout', later);
  const opened = await open();
  // The first poll has ended, and set the timer of the next one.
  await turn();
  t.mock.restoreAll();
  return opened;
}

test('a run that is being read while its store closes calls nothing, and continues elsewhere', async (t) => {
  const { file, open, ledger } = await testStore(t, 'folder');
  const first = await open();
  const prepared = await file('single/message-and-call.wf');
  const { run, end } = await begun(first, prepared);
  assert.equal((await end).kind, 'paused');
  await first.close(10);

  let read = (): void => undefined;
  const isReading = new Promise<void>((resolve) => {
    read = resolve;
  });
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let isHeld = false;
  tapNextStore({
    before: ({ method }) => {
      if (method !== 'loadRun') return undefined;
      isHeld = true;
      read();
      return undefined;
    },
    held: () => (isHeld ? held : undefined),
  });
  const second = await withoutPolls(t, async () => {
    const engine = await open();
    await engine.serve();
    return engine;
  });
  ledger.delayMs = () => 60_000;
  await second.send({ name: 'go', body: {}, run });
  await isReading;
  // It reads the run while the server, which closes before the store, still answers its callers.
  const closed = second.close(0, async () => {
    isHeld = false;
    goOn();
    for (let turns = 0; turns < TURNS && ledger.received.length === 0; turns++) await turn();
  });
  await closed;
  assert.equal(ledger.received.length, 0);

  ledger.delayMs = () => 0;
  const last = await open();
  await last.serve();
  await until(async () => (await last.state(run))?.status === 'completed');
  assert.equal(ledger.received.length, 1);
});
