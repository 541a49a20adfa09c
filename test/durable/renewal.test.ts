// The thread of a store ends unexpectedly, or a commit fails for an unknown reason: a server continues by itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { until } from '../until.js';
import { begun, kept } from './kept.js';
import { type Tap, tapNextStore } from './tapped-store.js';

const calls = `send one using Ledger at "/1/1"
wait for go
    save the message as it
send two using Ledger at "/1/2"
send three using Ledger at "/1/3"
complete with ok true`;

interface Scene {
  readonly title: string;
  /** Arms the fault. */
  readonly tap: (fault: { isDue: boolean }) => Tap & { readonly strike?: () => void };
  readonly said: RegExp;
}

let thread: Worker | undefined;

const scenes: readonly Scene[] = [
  {
    title: 'a thread that ends',
    tap: () => ({
      onThread: (started) => {
        thread = started;
      },
      strike: () => void thread?.terminate(),
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
    const { workflow, open, ledger } = await kept(t);
    const fault = { isDue: false };
    const armed = tap(fault);
    tapNextStore(armed);
    const sentences: string[] = [];
    const engine = await open({ onTrouble: (sentence) => sentences.push(sentence) });
    await engine.serve();
    const prepared = await workflow(calls);
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
    const later = await begun(engine, await workflow('complete with n 1'));
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
