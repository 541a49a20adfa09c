// The thread of a store ends unexpectedly or hangs, or a commit fails for an unknown reason: a server continues on its own.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '../until.js';
import { type Tap, tapNextStore } from './tapped-store.js';
import { begun, testStore } from './test-store.js';

interface Scene {
  readonly title: string;
  /** Arms the fault. */
  readonly tap: (fault: { isDue: boolean }) => Tap & { readonly strike?: () => void };
  readonly said: RegExp;
}

let endThread: (() => Promise<unknown>) | undefined;

const scenes: readonly Scene[] = [
  {
    title: 'a thread that ends',
    tap: () => ({
      onThread: (end) => {
        endThread = end;
      },
      strike: () => void endThread?.(),
    }),
    said: /^The store cannot be used now: its thread has ended \(exit code 1\)\. wf opens it again, and runs continue\.$/,
  },
  {
    title: 'a commit that fails for an unknown reason',
    tap: (fault) => ({
      before: ({ method }) => {
        if (!fault.isDue || method !== 'commit') return undefined;
        fault.isDue = false;
        return { name: 'Error', message: 'constraint failed', hint: undefined, sqlite: 19 };
      },
    }),
    said: /^The store cannot be used now: a commit failed \(constraint failed\)\. wf opens it again, and runs continue\.$/,
  },
];

for (const { title, tap, said } of scenes) {
  test(`${title}: runs continue without a restart, and nothing recorded is repeated`, async (t) => {
    const { file, open, ledger } = await testStore(t, 'folder');
    const fault = { isDue: false };
    const armed = tap(fault);
    tapNextStore(armed);
    const sentences: string[] = [];
    const engine = await open({ onProblem: (sentence) => sentences.push(sentence) });
    await engine.serve();
    const prepared = await file('single/three-calls-around-a-message.wf');
    const waiting = await begun(engine, prepared);
    assert.equal((await waiting.end).kind, 'paused');
    const { run } = await begun(engine, prepared);
    await until(async () => (await engine.state(run))?.status === 'waiting');
    // The second call is in flight.
    ledger.onRequest = ({ step }) => {
      if (step !== 2) return;
      fault.isDue = true;
      armed.strike?.();
    };
    await engine.send({ name: 'go', body: {}, run });
    await until(() => sentences.length > 0);
    ledger.onRequest = () => undefined;
    assert.match(sentences[0] ?? '', said);
    await until(() => engine.health().ok);
    await engine.send({ name: 'go', body: {}, run: waiting.run });
    const later = await begun(engine, await file('single/one-output.wf'));
    assert.equal((await later.end).kind, 'outcome');
    for (const id of [run, waiting.run]) await until(async () => (await engine.state(id))?.status === 'completed');
    const keys = ledger.received.filter(({ step }) => step === 2).map(({ key }) => key);
    assert.equal(new Set(keys).size, 2, 'a call in doubt is sent again with its key');
    assert.equal(ledger.received.filter(({ step }) => step === 3).length, 2);
    assert.deepEqual(sentences.slice(1), ['The store is writable again; runs continue.']);
    const log = await engine.log(run);
    assert.equal(log.filter(({ type }) => type === 'resumed').length, 1);
  });
}

test('a thread that hangs: the store is unavailable until it answers again, and runs have only waited', async (t) => {
  const { file, open, ledger } = await testStore(t, 'folder');
  const ticks = seizedIntervals(t);
  const { promise: hang, resolve: release } = withResolvers();
  let isHung = false;
  tapNextStore({ held: () => (isHung ? hang : undefined) });
  const sentences: string[] = [];
  const engine = await open({ onProblem: (sentence) => sentences.push(sentence) });
  await engine.serve();
  const prepared = await file('single/calls-without-output.wf');
  ledger.onRequest = () => {
    isHung = true;
  };
  const { run, end } = await begun(engine, prepared);
  await until(() => isHung);
  await until(() => {
    for (const tick of ticks) tick();
    return sentences.length > 0;
  });
  assert.deepEqual(sentences, [
    'The store cannot be written: it has not answered for 5 seconds. Runs wait until it can be written again.',
  ]);
  assert.equal(engine.health().ok, false);
  assert.equal((await engine.start({ prepared, request: {} })).kind, 'unavailable');
  assert.equal(ledger.received.length, 1, 'nothing is sent before the first result is on disk');
  isHung = false;
  release();
  assert.equal((await end).kind, 'outcome');
  await until(() => engine.health().ok);
  assert.deepEqual(sentences.slice(1), ['The store is writable again; runs continue.']);
  assert.equal(ledger.received.length, 2);
  assert.ok((await engine.log(run)).every(({ type }) => type !== 'resumed'));
});

/** The callbacks of all timers that start from now on and repeat. Only the test calls them. */
function seizedIntervals({ mock }: TestContext): (() => void)[] {
  const callbacks: (() => void)[] = [];
  const start = globalThis.setInterval;
  mock.method(globalThis, 'setInterval', (callback: () => void) => {
    callbacks.push(callback);
    return start(() => undefined, 1_000_000);
  });
  return callbacks;
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
