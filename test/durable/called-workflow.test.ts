// Calls of other workflows in runs of a store: their effects happen once, their waits survive a restart, their ends are the caller's.
import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { until } from '../until.js';
import { begun, kept, storeKinds } from './kept.js';
import { dropTemplate } from './test-database.js';

after(dropTemplate);

for (const kind of storeKinds) {
  test(`a resumed run continues inside the workflow that it calls (${kind})`, async (t) => {
    const { file, open, ledger, folder } = await kept(t, kind);
    const prepared = await file('called/payment/main.wf');
    const first = await open({ current: () => prepared });
    const { run, end } = await begun(first, prepared, { customer: 'ada' });
    assert.equal((await end).kind, 'paused');
    assert.deepEqual((await first.state(run))?.waitingFor?.name, 'payment');
    await first.close(0);
    // The run ends with the version that it began with.
    renameSync(path.join(folder, 'newer-part.wf'), path.join(folder, 'part.wf'));
    const second = await open({ current: () => prepared });
    await second.serve();
    const sent = await second.send({ name: 'payment', body: { order: 'ada', amount: 5 } });
    assert.equal(sent.kind, 'sent');
    const state = await second.settled(run, 'ended', 60_000);
    assert.deepEqual([state?.status, state?.outputs, state?.message], ['completed', { sum: 2_006 }, undefined]);
    assert.deepEqual(
      ledger.received.map(({ step }) => step),
      [0, 1, 2, 3],
    );
    assert.deepEqual(
      (await second.log(run)).filter(({ type }) => type === 'log').map(({ message }) => message),
      ['asked for ada', 'the part gave 2006'],
    );
  });

  test(`a rejection and an error inside are failures, and stay so when the run is resumed (${kind})`, async (t) => {
    const { file, open, ledger } = await kept(t, kind);
    const prepared = await file('called/failures/main.wf');
    const first = await open({ current: () => prepared });
    const { run, end } = await begun(first, prepared, {});
    assert.equal((await end).kind, 'paused');
    await first.close(0);
    const second = await open({ current: () => prepared });
    await second.serve();
    await second.send({ name: 'go', body: {}, run });
    const state = await second.settled(run, 'ended', 60_000);
    assert.deepEqual([state?.status, state?.outputs], ['completed', { said: [true, 1, false, 2] }]);
    assert.equal(ledger.received.length, 3, 'one rejection, one error that was retried once');
    const effects = (await second.journal(run))?.entries.map(({ kind: what }) => what) ?? [];
    assert.ok(effects.includes('call'), String(effects));
  });

  test(`what ends a called workflow ends its waits: their messages go to others, their tasks are over (${kind})`, async (t) => {
    const { file, open } = await kept(t, kind);
    const prepared = await file('called/waits/main.wf');
    const engine = await open({ current: () => prepared });
    await engine.serve();
    const { run, end } = await begun(engine, prepared, { customer: 'ada' });
    assert.equal((await end).kind, 'paused');
    await until(async () => (await engine.tasks()).tasks.length === 1);
    await engine.send({ name: 'stop', body: { order: 'ada' } });
    await until(async () => (await engine.tasks()).tasks.length === 0);
    await until(async () => (await engine.state(run))?.waitingFor?.line === 15);
    await engine.send({ name: 'payment', body: { order: 'ada', amount: 5 } });
    const state = await engine.settled(run, 'ended', 60_000);
    assert.deepEqual([state?.status, state?.outputs], ['completed', { amount: 5 }]);
  });

  test(`"at most once" below a call of a workflow starts it once, and says nothing about the calls in it (${kind})`, async (t) => {
    const { file, open, ledger } = await kept(t, kind);
    ledger.delayMs = () => (ledger.received.length > 2 ? 0 : 60_000);
    const first = await open();
    const { run } = await begun(first, await file('called/at-most-once/main.wf'));
    await until(() => ledger.received.length === 2);
    await first.close(0);
    const second = await open();
    await second.serve();
    const state = await second.settled(run, 'ended', 60_000);
    assert.deepEqual([state?.status, state?.outputs], ['completed', { doubt: true }]);
    const keysOf = (wanted: number): string[] => ledger.received.flatMap(({ step, key }) => (step === wanted ? [key] : []));
    assert.deepEqual(keysOf(1), Array(2).fill(keysOf(1)[0]), 'sent again with its key');
    assert.equal(keysOf(2).length, 1);
    assert.equal((await second.list({ parent: run })).runs.length, 1);
  });
}
