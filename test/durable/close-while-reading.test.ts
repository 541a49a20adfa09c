// A store closes while a run is being read: the run must make no call, whose connection would be closed under it.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { until } from '../until.js';
import { begun, kept } from './kept.js';
import { tapNextStore } from './tapped-store.js';

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
  await setImmediate();
  t.mock.restoreAll();
  return opened;
}

test('a run that is being read while its store closes calls nothing, and continues elsewhere', async (t) => {
  const { file, open, ledger } = await kept(t, 'folder');
  const first = await open();
  const prepared = await file('kept/message-and-call.wf');
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
    for (let turn = 0; turn < TURNS && ledger.received.length === 0; turn++) await setImmediate();
  });
  await closed;
  assert.equal(ledger.received.length, 0);

  ledger.delayMs = () => 0;
  const last = await open();
  await last.serve();
  await until(async () => (await last.state(run))?.status === 'completed');
  assert.equal(ledger.received.length, 1);
});
