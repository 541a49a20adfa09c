// Who gets a message: the run that it names, be it a called one; the one that was there first; and each message once.
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, test } from 'node:test';
import { DAY_MS } from '../../runtime/dates/date-unit.js';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { heldSince } from '../../src/durable/model/messages.js';
import { Changes } from '../../src/durable/store/shared/changes.js';
import { Messages } from '../../src/durable/store/shared/messages.js';
import { SharedFile, sqliteSql } from '../../src/durable/store/sqlite/shared-file.js';
import { loadSqlite } from '../../src/durable/store/sqlite/sqlite.js';
import { processorTime } from '../processor-time.js';
import { temporaryFolder } from '../temporary-folder.js';
import { until } from '../until.js';
import { dropTemplate } from './test-database.js';
import { allStoreKinds, begun, storeKinds, testStore } from './test-store.js';

for (const kind of storeKinds) {
  test(`a message for a called run goes to no other one of its caller, also if it comes first (${kind})`, async (t) => {
    const { file, open } = await testStore(t, kind);
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
    const { open } = await testStore(t, kind);
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
    const { file, open } = await testStore(t, kind);
    const engine = await open();
    await engine.serve();
    const { run, end } = await begun(engine, await file('single/message.wf'));
    assert.equal((await end).kind, 'paused');
    const message = { name: 'go', body: { n: 1 }, run, key: 'one' };
    const first = await engine.send(message);
    await until(async () => (await engine.state(run))?.status === 'completed');
    assert.deepEqual(await engine.send(message), first);
    assert.equal((await engine.send({ ...message, body: { n: 2 } })).kind, 'other body');
    assert.equal((await engine.send({ ...message, key: 'two' })).kind, 'run finished');
  });

  test(`a message that came before the time was up counts, even if the run only waits for it afterwards (${kind})`, async (t) => {
    const { file, open } = await testStore(t, kind);
    const engine = await open();
    await engine.send({ name: 'payment', body: { order: 1, amount: 7 } });
    const paid = [];
    for (let n = 0; n < 2; n++) {
      const { end } = await begun(engine, await file('single/message-at-once.wf'));
      const ended = await end;
      paid.push(ended.kind === 'outcome' && ended.outcome.outputs);
    }
    assert.deepEqual(paid, [{ paid: 7 }, { paid: 0 }]);
  });
}

// A run has a place for a message from its start on if its request alone tells which one it is: what comes early is kept for this run.

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
    const { file, open } = await testStore(t, kind);
    const engine = await open();
    await engine.serve();
    const early = await file('single/early-payment.wf');
    const first = await begun(engine, early, { order: 'A' });
    await first.end;
    const second = await begun(engine, await file('single/payment-of-a-found-order.wf'), { order: 'A' });
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
    const { file, open } = await testStore(t, kind);
    const engine = await open();
    await engine.serve();
    const waits = await begun(engine, await file('single/payment-of-a-found-order.wf'), { order: 'B' });
    await waits.end;
    const early = await begun(engine, await file('single/early-payment.wf'), { order: 'B' });
    await early.end;
    const later = await begun(engine, await file('single/payment-of-a-found-order.wf'), { order: 'B' });
    await later.end;
    for (const amount of [1, 2, 3]) await engine.send(payment('B', amount));
    await approve(engine, early.run);
    const amounts = [];
    for (const { run } of [waits, early, later]) amounts.push(await amountOf(engine, run));
    assert.deepEqual(amounts, [1, 2, 3]);
  });

  test(`a place outlives its process, takes one message, and ends with its run (${kind})`, async (t) => {
    const { file, open } = await testStore(t, kind);
    const first = await open();
    await first.serve();
    const early = await file('single/early-payment.wf');
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
  const { file, open, folder } = await testStore(t, 'folder');
  const engine = await open();
  const { run, end } = await begun(engine, await file('single/early-payment.wf'), { order: 'A' });
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

// Very many runs that wait for the same message: what a message costs does not grow with them.

const MANY = 300_000;
const MESSAGES = 20;

const hex = (n: number): string => n.toString(16).padStart(32, '0');

for (const way of ['by its fields', 'by its run'] as const)
  test(`a message finds its run ${way} without looking through ${MANY} others`, async (t) => {
    const file = new SharedFile(temporaryFolder(t, {}), undefined);
    t.after(() => file.close());
    const sql = sqliteSql(file, () => true);
    const messages = new Messages(sql, new Changes(sql));
    const isByRun = way === 'by its run';
    const wait = { name: 'paid', place: '0', due: undefined, now: 1 };
    for (let n = 0; n < MESSAGES; n++) {
      await messages.want({ ...wait, run: hex(MANY + n), pairs: isByRun ? [] : [['order', n]] });
    }
    // Those that have waited longest are of no use to these messages.
    await file.change(() =>
      file.run(
        `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MANY})
         INSERT INTO waiters(name, run, place, fields, hash, since)
         SELECT name, CAST(printf('%016d', n) AS BLOB), place, fields, ${isByRun ? 'hash' : "CAST(printf('%016d', n) AS BLOB)"}, 0
         FROM numbers, (SELECT * FROM waiters ORDER BY id LIMIT 1)`,
      ),
    );
    const found: unknown[] = [];
    const taken = processorTime();
    for (let n = 0; n < MESSAGES; n++) {
      const message = { name: 'paid', body: { order: n }, run: isByRun ? hex(MANY + n) : undefined, key: undefined, now: 2 };
      const sent = await messages.send(message);
      found.push(sent.kind === 'sent' && sent.run);
    }
    const ms = taken();
    assert.deepEqual(
      found,
      Array.from({ length: MESSAGES }, (_, n) => hex(MANY + n)),
    );
    assert.ok(ms < 10 * MESSAGES, `${ms} ms`);
  });
