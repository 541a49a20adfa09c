// A run whose branches all wait leaves memory, and continues when the first of them is due.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begun, kept, storeKinds } from './kept.js';

for (const kind of storeKinds) {
  test(`a run shows what is due first, whichever branch leaves last (${kind})`, async (t) => {
    const { open, file } = await kept(t, kind);
    const store = await open();
    const { run, end } = await begun(store, await file('kept/days-and-message.wf'));
    assert.equal((await end).kind, 'paused');
    const { waitingFor } = (await store.state(run)) ?? {};
    assert.equal(waitingFor?.kind, 'time');
    await store.close(0);
    const { waitingFor: later } = (await (await open()).state(run)) ?? {};
    assert.deepEqual(later, waitingFor);
  });

  test(`a run continues when the first of its branches is due (${kind})`, async (t) => {
    const { open, file } = await kept(t, kind);
    const store = await open();
    await store.serve();
    const { run, end } = await begun(store, await file('kept/person-and-message.wf'));
    assert.equal((await end).kind, 'paused');
    const state = await store.settled(run, 'ended', 10_000);
    assert.deepEqual([state?.status, state?.message], ['rejected', 'nobody answered']);
  });
}
