// A run whose branches all wait leaves memory, and continues when the first of them is due.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogEntry } from '../../runtime/types.js';
import { createEngine } from '../../src/engine/engine.js';
import { until } from '../until.js';
import { begun, storeKinds, testStore } from './test-store.js';

for (const kind of storeKinds) {
  test(`a run shows what is due first, whichever branch leaves last (${kind})`, async (t) => {
    const { open, file } = await testStore(t, kind);
    const store = await open();
    const { run, end } = await begun(store, await file('single/days-and-message.wf'));
    assert.equal((await end).kind, 'paused');
    const { waitingFor } = (await store.state(run)) ?? {};
    assert.deepEqual([waitingFor?.kind, waitingFor?.others], ['time', 1]);
    await store.close(0);
    const { waitingFor: later } = (await (await open()).state(run)) ?? {};
    assert.deepEqual(later, waitingFor);
  });

  test(`a run continues when the first of its branches is due (${kind})`, async (t) => {
    const { open, file } = await testStore(t, kind);
    const store = await open();
    await store.serve();
    const { run, end } = await begun(store, await file('single/person-and-message.wf'));
    assert.equal((await end).kind, 'paused');
    const state = await store.settled(run, 'ended', 60_000);
    assert.deepEqual([state?.status, state?.message], ['rejected', 'nobody answered']);
  });

  test(`a branch that ends the run also ends rounds that wait in another branch (${kind})`, async (t) => {
    const { open, file } = await testStore(t, kind);
    const store = await open();
    const { run } = await begun(store, await file('single/rounds-that-wait-beside-an-end.wf'));
    const state = await store.settled(run, 'paused', 60_000);
    assert.deepEqual([state?.status, state?.outputs], ['completed', { who: 'the other branch' }]);
  });

  test(`a run that is let go while one branch works and another waits goes on at once (${kind})`, async (t) => {
    const { open, file, ledger } = await testStore(t, kind);
    ledger.delayMs = () => 200;
    const first = await open();
    const { run } = await begun(first, await file('single/calls-beside-a-message.wf'));
    await until(() => ledger.received.length === 1);
    await first.close(20_000);
    assert.equal(ledger.received.length, 1, 'nothing new is sent while it stops');
    const second = await open();
    await second.serve();
    await until(() => ledger.received.length === 2);
    await until(async () => (await second.state(run))?.waitingFor?.name === 'go');
    await second.send({ name: 'go', body: {}, run });
    assert.equal((await second.settled(run, 'ended', 60_000))?.status, 'completed');
    assert.deepEqual(
      ledger.received.map(({ step }) => step),
      [1, 2],
    );
  });
}

for (const isStored of [false, true]) {
  test(`rounds in a branch that another one ends call nothing more (${isStored ? 'folder' : 'in memory'})`, async (t) => {
    const { open, file, ledger, env } = await testStore(t, 'folder');
    // The rounds get no answer before the other branch ends the called workflow. The caller then waits long enough for more of them.
    const delays = new Map([
      [1, 150],
      [3, 400],
    ]);
    ledger.delayMs = () => delays.get(ledger.received.at(-1)?.run ?? 0) ?? 0;
    const prepared = await file('called/rounds-cut-off/main.wf');
    if (isStored) {
      const store = await open({ current: () => prepared });
      const { run } = await begun(store, prepared);
      assert.equal((await store.settled(run, 'ended', 60_000))?.status, 'completed');
    } else {
      const engine = createEngine({ env, secrets: [] });
      t.after(() => engine.close());
      assert.equal((await engine.run(prepared, {})).outcome.status, 'completed');
    }
    const calls = ledger.received.map(({ run, step }) => `${run}/${step}`);
    assert.equal(calls.at(-1), '3/1');
    assert.deepEqual(
      calls.filter((call) => call === '1/3' || call === '1/4'),
      [],
    );
  });
}

for (const kind of [...storeKinds, 'memory'] as const) {
  test(`the end of a run waits for a call at most once of a called workflow, which sends nothing more (${kind})`, async (t) => {
    const { open, file, ledger, env } = await testStore(t, kind === 'memory' ? 'folder' : kind);
    // The other branch has ended the run by the time that the charge is answered.
    ledger.delayMs = () => (ledger.received.at(-1)?.run === 1 ? 300 : 0);
    const prepared = await file('called/charge-under-way/main.wf');
    let log: readonly Partial<LogEntry>[];
    if (kind === 'memory') {
      const engine = createEngine({ env, secrets: [] });
      t.after(() => engine.close());
      log = (await engine.run(prepared, {})).outcome.log;
    } else {
      const store = await open();
      const { run } = await begun(store, prepared);
      assert.equal((await store.settled(run, 'ended', 60_000))?.message, 'too much');
      log = await store.log(run);
    }
    const charge = log.find(({ type, phrase }) => type === 'call' && phrase === 'charge card');
    assert.deepEqual([charge?.ok, charge?.status], [true, 200], JSON.stringify(log));
    assert.deepEqual(ledger.received.map(({ run, step }) => `${run}/${step}`).sort(), ['1/1', '2/1']);
  });
}

test('a run in which one branch waits for the turn of its call, and another for a message, goes on at once', async (t) => {
  const { open, file, ledger } = await testStore(t, 'folder');
  const first = await open();
  const { run } = await begun(first, await file('single/turn-beside-a-message.wf'));
  await until(() => ledger.received.length === 1);
  // From then on, the branch counts as waiting.
  const isWaiting = Date.now() + 1_500;
  await until(() => Date.now() > isWaiting);
  assert.equal((await first.state(run))?.status, 'running');
  await first.close(0);
  assert.equal((await (await open()).state(run))?.status, 'running');
});
