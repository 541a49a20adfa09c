// A run has a place for a message from its start on if its request alone tells which one it is: what comes early is kept for this run.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { heldSince } from '../../src/durable/model/messages.js';
import { loadSqlite } from '../../src/durable/store/sqlite/sqlite.js';
import { until } from '../until.js';
import { allStoreKinds, begun, kept } from './kept.js';
import { dropTemplate } from './test-database.js';

after(dropTemplate);

const payment = (order: string, amount: number): { name: string; body: { order: string; amount: number } } => ({
  name: 'payment',
  body: { order, amount },
});

async function approve(engine: DurableEngine, run: string): Promise<void> {
  const { tasks } = await engine.tasks();
  await engine.answer(tasks.find((task) => task.run === run)?.task ?? '', { answer: 'yes' });
}

const amountOf = async (engine: DurableEngine, run: string): Promise<unknown> =>
  (await engine.settled(run, 'ended', 60_000))?.outputs?.amount;

for (const kind of allStoreKinds) {
  test(`a message that comes early is kept for the run that was there first, whoever waits now (${kind})`, async (t) => {
    const { file, open } = await kept(t, kind);
    const engine = await open();
    await engine.serve();
    const early = await file('kept/early-payment.wf');
    const first = await begun(engine, early, { order: 'A' });
    await first.end;
    const second = await begun(engine, await file('kept/payment-of-a-found-order.wf'), { order: 'A' });
    await second.end;
    const third = await begun(engine, early, { order: 'A' });
    await third.end;
    const sent = [];
    for (const amount of [1, 2, 3, 4]) sent.push(await engine.send(payment('A', amount)));
    assert.deepEqual(
      sent.map((one) => one.kind === 'sent' && one.delivered),
      [1, 1, 1, 0],
    );
    assert.deepEqual(
      sent.map((one) => one.kind === 'sent' && one.keptUntil === undefined),
      [true, true, true, false],
    );
    assert.equal((await engine.state(first.run))?.status, 'waiting');
    for (const { run } of [third, first]) await approve(engine, run);
    const amounts = [];
    for (const { run } of [first, second, third]) amounts.push(await amountOf(engine, run));
    assert.deepEqual(amounts, [1, 2, 3]);
  });

  test(`the older of a run that waits now and one with a place gets the message (${kind})`, async (t) => {
    const { file, open } = await kept(t, kind);
    const engine = await open();
    await engine.serve();
    const waits = await begun(engine, await file('kept/payment-of-a-found-order.wf'), { order: 'B' });
    await waits.end;
    const early = await begun(engine, await file('kept/early-payment.wf'), { order: 'B' });
    await early.end;
    const later = await begun(engine, await file('kept/payment-of-a-found-order.wf'), { order: 'B' });
    await later.end;
    for (const amount of [1, 2, 3]) await engine.send(payment('B', amount));
    await approve(engine, early.run);
    const amounts = [];
    for (const { run } of [waits, early, later]) amounts.push(await amountOf(engine, run));
    assert.deepEqual(amounts, [1, 2, 3]);
  });

  test(`a place outlives its process, takes one message, and ends with its run (${kind})`, async (t) => {
    const { file, open } = await kept(t, kind);
    const first = await open();
    await first.serve();
    const early = await file('kept/early-payment.wf');
    const gone = await begun(first, early, { order: 'C' });
    await gone.end;
    const lives = await begun(first, early, { order: 'D' });
    await lives.end;
    assert.deepEqual(await first.send(payment('D', 5)), { kind: 'sent', run: lives.run, delivered: 1 });
    await first.close(0);
    const second = await open();
    await second.serve();
    await second.cancel(gone.run);
    await until(async () => (await second.state(gone.run))?.status === 'cancelled');
    await until(async () => {
      const sent = await second.send(payment('C', 6));
      return sent.kind === 'sent' && sent.delivered === 0;
    });
    await approve(second, lives.run);
    assert.equal(await amountOf(second, lives.run), 5);
  });
}

test('the place of a run whose start is being recorded stays, unlike that of a run that was never recorded', async (t) => {
  const { file, open, folder } = await kept(t, 'folder');
  const engine = await open();
  const { run, end } = await begun(engine, await file('kept/early-payment.wf'), { order: 'A' });
  await end;
  const common = new (loadSqlite().DatabaseSync)(path.join(folder, 'runs', 'common.db'));
  const copy = common.prepare(
    'INSERT INTO waiters(run, place, name, fields, hash, since) SELECT ?, place, name, fields, hash, ? FROM waiters LIMIT 1',
  );
  const startedAgo = (ms: number): string => `${(Date.now() - ms).toString(16).padStart(12, '0')}70008${'0'.repeat(15)}`;
  const [beginning, lost] = [startedAgo(0), startedAgo(600_000)];
  for (const id of [beginning, lost]) copy.run(Buffer.from(id, 'hex'), heldSince(id));
  await engine.prune({ olderThanMs: 0 });
  const left = common.prepare('SELECT lower(hex(run)) AS run FROM waiters ORDER BY id').all();
  assert.deepEqual(
    left.map((row) => row.run),
    [run.replaceAll('-', ''), beginning],
  );
  common.close();
});
