// Calls of other workflows in runs of a store: their effects happen once, their waits survive a restart, their ends are the caller's.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { testFile } from '../root.js';
import { until } from '../until.js';
import { begun, kept, storeKinds } from './kept.js';
import { dropTemplate } from './test-database.js';

after(dropTemplate);

const called = (lines: string): string =>
  `config:\n    name: "Part"\n    version: 1\n\nservices:\n    Ledger is an API at "{env.LEDGER_URL}"\n\nworkflow:\n    trigger: t\n\n${lines.replace(/^(?=.)/gm, '    ')}\n`;

/** Declared after the service Ledger. */
const services = { services: '    Part is a workflow at "./part.wf"\n' };

for (const kind of storeKinds) {
  test(`a resumed run continues inside the workflow that it calls (${kind})`, async (t) => {
    const { workflow, open, ledger, folder } = await kept(t, kind);
    writeFileSync(path.join(folder, 'part.wf'), testFile('durable/files/called/waits-for-payment.wf'));
    const prepared = await workflow(
      'send zero using Ledger at "/2/0" with n 1\nget part using Part with customer request.customer\n    save the result as part\nlog "the part gave {part.sum}"\nsend three using Ledger at "/2/3" with n 1\ncomplete with sum part.sum',
      '',
      services,
    );
    const first = await open({ current: () => prepared });
    const { run, end } = await begun(first, prepared, { customer: 'ada' });
    assert.equal((await end).kind, 'paused');
    assert.deepEqual((await first.state(run))?.waitingFor?.name, 'payment');
    await first.close(0);
    // The run ends with the version that it began with.
    writeFileSync(path.join(folder, 'part.wf'), called('reject with "a newer version"'));
    const second = await open({ current: () => prepared });
    await second.serve();
    const sent = await second.send({ name: 'payment', body: { order: 'ada', amount: 5 } });
    assert.equal(sent.kind, 'sent');
    const state = await second.settled(run, 'ended', 30_000);
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
    const { workflow, open, folder, ledger } = await kept(t, kind);
    writeFileSync(path.join(folder, 'part.wf'), testFile('durable/files/called/rejects-or-fails.wf'));
    const prepared = await workflow(
      'set said to []\nfor each mode in ["no", "broken"]:\n    get part using Part with mode mode and zero 0\n        on failure:\n            retry 1 times waiting 0 seconds\n            if still failing:\n                add failure.rejected to said\n                add failure.attempts to said\nwait for go\ncomplete with said said',
      '',
      services,
    );
    const first = await open({ current: () => prepared });
    const { run, end } = await begun(first, prepared, {});
    assert.equal((await end).kind, 'paused');
    await first.close(0);
    const second = await open({ current: () => prepared });
    await second.serve();
    await second.send({ name: 'go', body: {}, run });
    const state = await second.settled(run, 'ended', 30_000);
    assert.deepEqual([state?.status, state?.outputs], ['completed', { said: [true, 1, false, 2] }]);
    assert.equal(ledger.received.length, 3, 'one rejection, one error that was retried once');
    const effects = (await second.journal(run))?.entries.map(({ kind: what }) => what) ?? [];
    assert.ok(effects.includes('call'), String(effects));
  });

  test(`what ends a called workflow ends its waits: their messages go to others, their tasks are over (${kind})`, async (t) => {
    const { workflow, open, folder } = await kept(t, kind);
    const waits =
      'at the same time:\n    step Paid:\n        wait for payment with order request.customer\n    step Asked:\n        ask Boss to look\n    step Stopped:\n        wait for stop with order request.customer\n        reject with "stopped"';
    writeFileSync(path.join(folder, 'part.wf'), called(waits).replace('services:\n', 'services:\n    Boss is a person\n'));
    const prepared = await workflow(
      'get part using Part with customer request.customer\n    on failure:\n        log failure.message\nwait for payment with order request.customer\n    save the message as payment\ncomplete with amount payment.amount',
      '',
      services,
    );
    const engine = await open({ current: () => prepared });
    await engine.serve();
    const { run, end } = await begun(engine, prepared, { customer: 'ada' });
    assert.equal((await end).kind, 'paused');
    await until(async () => (await engine.tasks()).tasks.length === 1);
    await engine.send({ name: 'stop', body: { order: 'ada' } });
    await until(async () => (await engine.tasks()).tasks.length === 0);
    await until(async () => (await engine.state(run))?.waitingFor?.line === 15);
    await engine.send({ name: 'payment', body: { order: 'ada', amount: 5 } });
    const state = await engine.settled(run, 'ended', 20_000);
    assert.deepEqual([state?.status, state?.outputs], ['completed', { amount: 5 }]);
  });
}
