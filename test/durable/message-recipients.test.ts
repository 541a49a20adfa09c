// Who gets a message: the run that it names, be it a called one, and each message once, whatever the sender repeats.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../runtime/values/time-units.js';
import { until } from '../until.js';
import { begun, kept, storeKinds } from './kept.js';

for (const kind of storeKinds) {
  test(`a message for a called run goes to no other one of its caller, also if it comes first (${kind})`, async (t) => {
    const { file, open } = await kept(t, kind);
    const engine = await open();
    await engine.serve();
    const { run, end } = await begun(engine, await file('called/approvals/main.wf'));
    assert.equal((await end).kind, 'paused');
    const called = (await engine.list({ parent: run })).runs;
    assert.equal(called.length, 3);
    for (const { run: id, about } of called) {
      const early = await engine.send({ name: 'reason', body: { said: `because of ${about}` }, run: id });
      assert.equal(early.kind === 'sent' && early.delivered, 0);
      const sent = await engine.send({ name: 'approval', body: { said: `yes, ${about}` }, run: id });
      assert.equal(sent.kind === 'sent' && sent.delivered, 1);
    }
    const state = await engine.settled(run, 'ended', 60_000);
    const all = ['Ada', 'Ben', 'Eve'].map((name) => `${name}: yes, ${name}, because of ${name}`);
    assert.deepEqual(state?.outputs, { all });
  });

  test(`a message that comes early is kept as long as --keep-messages says (${kind})`, async (t) => {
    const { open } = await kept(t, kind);
    for (const [days, options] of [
      [7, {}],
      [30, { keepMessagesMs: 30 * DAY_MS }],
    ] as const) {
      const sent = await (await open(options)).send({ name: 'go', body: { n: days } });
      assert.ok(sent.kind === 'sent' && sent.keptUntil !== undefined);
      assert.ok(Math.abs(Date.parse(sent.keptUntil) - Date.now() - days * DAY_MS) < 600_000);
    }
  });

  test(`a message sent twice has the first answer again, also when it has ended its run (${kind})`, async (t) => {
    const { file, open } = await kept(t, kind);
    const engine = await open();
    await engine.serve();
    const { run, end } = await begun(engine, await file('kept/message.wf'));
    assert.equal((await end).kind, 'paused');
    const message = { name: 'go', body: { n: 1 }, run, key: 'one' };
    const first = await engine.send(message);
    await until(async () => (await engine.state(run))?.status === 'completed');
    assert.deepEqual(await engine.send(message), first);
    assert.equal((await engine.send({ ...message, body: { n: 2 } })).kind, 'other body');
    assert.equal((await engine.send({ ...message, key: 'two' })).kind, 'run finished');
  });

  test(`a message that came before the time was up counts, even if the run only waits for it afterwards (${kind})`, async (t) => {
    const { file, open } = await kept(t, kind);
    const engine = await open();
    await engine.send({ name: 'payment', body: { order: 1, amount: 7 } });
    const paid = [];
    for (let n = 0; n < 2; n++) {
      const { end } = await begun(engine, await file('kept/message-at-once.wf'));
      const ended = await end;
      paid.push(ended.kind === 'outcome' && ended.outcome.outputs);
    }
    assert.deepEqual(paid, [{ paid: 7 }, { paid: 0 }]);
  });
}
