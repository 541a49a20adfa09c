// A rerun from the failure does what failed again, whatever it was, and nothing before it.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { LogEntry, WfRecord } from '../../runtime/types.js';
import type { DurableEngine, Rerun, RerunRequest } from '../../src/durable/durable-engine.js';
import { calledRunHex, toRunHex, toRunId } from '../../src/durable/model/run-ids.js';
import type { RunSummary } from '../../src/durable/model/run-views.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { until } from '../until.js';
import { fakeClock } from './fake-clock.js';
import { dropTemplate } from './test-database.js';
import { begun, storeKinds, testStore } from './test-store.js';

async function failed(rerun: Rerun): Promise<{ readonly run: string; readonly outputs: unknown }> {
  assert.ok(rerun.kind === 'started', JSON.stringify(rerun));
  const ended = await rerun.end;
  return { run: rerun.run, outputs: ended.kind === 'outcome' ? ended.outcome.outputs : ended.kind };
}

const fromFailure = { from: 'failure', workflow: 'recorded' } as const;

const statusOf = async (engine: DurableEngine, run: string): Promise<string | undefined> =>
  (await engine.settled(run, 'ended', 60_000))?.status;

/** What its lines logged, and its steps. */
const logged = async (engine: DurableEngine, run: string): Promise<LogEntry[]> =>
  (await engine.log(run)).filter(({ type }) => type === 'log' || type === 'step');

type TestStore = Awaited<ReturnType<typeof testStore>>;

/** A server with a rerun, which now waits, of a run that waited for an hour and ended as `error`. */
async function waitingAgain(
  context: TestContext,
  { file, open }: TestStore,
  name: string,
): Promise<{ readonly engine: DurableEngine; readonly run: string }> {
  const engine = await open();
  await engine.serve();
  const { run, end } = await begun(engine, await file(name));
  assert.equal((await end).kind, 'paused');
  // A clock that runs could let the time of the rerun be up before it has asked.
  context.after(() => {
    fakeClock.offset = 0;
  });
  fakeClock.offset = 2 * 3_600_000;
  assert.equal(await statusOf(engine, run), 'error');
  const again = await failed(await engine.rerun(run, fromFailure));
  assert.equal(again.outputs, 'paused');
  return { engine, run: again.run };
}

for (const kind of storeKinds) {
  test(`waits for a message again that did not come (${kind})`, async (t) => {
    const setting = await testStore(t, kind);
    const { engine, run } = await waitingAgain(t, setting, 'single/call-and-silence.wf');
    await engine.send({ name: 'go', body: { n: 5 }, run });
    const state = await engine.settled(run, 'ended', 60_000);
    assert.deepEqual([state?.outputs, setting.ledger.received.length], [{ sum: 1_006 }, 1]);
  });

  test(`asks a person again who did not answer (${kind})`, async (t) => {
    const setting = await testStore(t, kind);
    const { engine, run } = await waitingAgain(t, setting, 'single/silent-person.wf');
    const { received } = setting.ledger;
    await until(() => received.length === 2);
    assert.equal(new Set(received.map(({ key }) => key)).size, 2, 'it is another notification');
    const [task] = (await engine.tasks()).tasks;
    assert.equal(task?.run, run);
    await engine.answer(task?.task ?? '', { answer: 'yes' });
    const state = await engine.settled(run, 'ended', 60_000);
    assert.deepEqual(state?.outputs, { said: 'yes' });
  });

  test(`keeps the answer of a person that was accepted just before the run ended (${kind})`, async (t) => {
    const { file, open, ledger } = await testStore(t, kind);
    // Nobody serves, so nothing continues the run.
    const engine = await open();
    const { run, end } = await begun(engine, await file('single/question-in-a-step.wf'));
    assert.equal((await end).kind, 'paused');
    const [task] = (await engine.tasks()).tasks;
    await engine.answer(task?.task ?? '', { answer: 'yes', by: 'Ada' });
    assert.equal((await engine.cancel(run)).kind, 'done');
    const again = await failed(await engine.rerun(run, fromFailure));
    assert.deepEqual(again.outputs, { said: 'yes', by: 'Ada' });
    assert.equal(ledger.received.length, 1, 'one notification');
    assert.deepEqual(
      (await engine.log(again.run)).map(({ type, event }) => `${type}${event === undefined ? '' : ` ${event}`}`),
      ['step start', 'call', 'call', 'log', 'step end'],
    );
    assert.equal((await engine.tasks()).tasks.length, 0);
  });

  test(`keeps a message that reached the run just before it was cancelled (${kind})`, async (t) => {
    const { file, open } = await testStore(t, kind);
    // Nobody serves, so nothing continues the run.
    const engine = await open();
    const { run, end } = await begun(engine, await file('single/message-word.wf'));
    assert.equal((await end).kind, 'paused');
    await engine.send({ name: 'go', body: { word: 'yes' }, run });
    assert.equal((await engine.cancel(run)).kind, 'done');
    for (let n = 0; n < 2; n++) assert.deepEqual((await failed(await engine.rerun(run, fromFailure))).outputs, { word: 'yes' });
    const fromStart = await failed(await engine.rerun(run, { from: 'start', workflow: 'recorded' }));
    assert.equal(fromStart.outputs, 'paused');
  });

  test(`keeps a message that reached the run just before another branch failed (${kind})`, async (t) => {
    const { file, open, env } = await testStore(t, kind);
    // The run learns of the message at its next look, after the end.
    let fail: (() => void) | undefined;
    const ledger = createServer((_, response) => {
      if (fail === undefined) fail = () => response.writeHead(503).end();
      else response.end('{}');
    });
    await new Promise<void>((resolve) => ledger.listen(0, '127.0.0.1', resolve));
    t.after(() => ledger.close());
    env.LEDGER_URL = `http://127.0.0.1:${(ledger.address() as AddressInfo).port}`; // a server that listens on TCP has such an address
    const engine = await open();
    await engine.serve();
    const sender = await open();
    const { run } = await begun(engine, await file('single/call-beside-a-payment.wf'));
    const waits = async () => (await sender.journal(run))?.entries.some(({ kind: what }) => what === 'message');
    await until(async () => fail !== undefined && (await waits()));
    await setTimeout(50);
    const sent = await sender.send({ name: 'payment', body: { order: 1, amount: 7 } });
    assert.equal(sent.kind === 'sent' && sent.delivered, 1);
    fail?.();
    assert.equal(await statusOf(engine, run), 'error');
    const { run: other } = await begun(engine, await file('single/call-beside-a-payment.wf'));
    assert.deepEqual((await failed(await engine.rerun(run, fromFailure))).outputs, { paid: 7 });
    assert.equal((await engine.settled(other, 'paused', 60_000))?.status, 'waiting', 'a message is for one run');
  });

  for (const [title, name, step, branch] of [
    ['the run', 'single/calls-around-a-message.wf', 1, undefined],
    ['a called one', 'called/call-and-message/main.wf', 2, '0.0'],
  ] as const)
    test(`has a message that was sent to ${title} before it came to its wait (${kind})`, async (t) => {
      const { file, open, ledger } = await testStore(t, kind);
      ledger.delayMs = () => (ledger.received.length === step ? 60_000 : 0);
      const engine = await open();
      await engine.serve();
      const { run } = await begun(engine, await file(name));
      await until(() => ledger.received.length === step);
      const recipient = branch === undefined ? run : toRunId(calledRunHex(toRunHex(run) ?? '', branch));
      const sent = await engine.send({ name: 'go', body: { word: 'yes' }, run: recipient });
      assert.equal(sent.kind === 'sent' && sent.delivered, 0);
      await engine.cancel(run);
      assert.equal(await statusOf(engine, run), 'cancelled');
      ledger.delayMs = () => 0;
      const fromStart = await failed(await engine.rerun(run, { from: 'start', workflow: 'recorded' }));
      assert.equal(fromStart.outputs, 'paused');
      const again = await failed(await engine.rerun(run, fromFailure));
      assert.match(JSON.stringify(again.outputs), /"word":"yes"/);
      assert.equal((await failed(await engine.rerun(run, fromFailure))).outputs, 'paused', 'a message is for one run');
    });

  test(`asks a person again whose answer was awaited when the run was cancelled (${kind})`, async (t) => {
    const { file, open, ledger } = await testStore(t, kind);
    const engine = await open();
    const { run, end } = await begun(engine, await file('single/silent-person.wf'));
    assert.equal((await end).kind, 'paused');
    assert.equal((await engine.cancel(run)).kind, 'done');
    const again = await failed(await engine.rerun(run, fromFailure));
    assert.equal(again.outputs, 'paused');
    assert.equal(new Set(ledger.received.map(({ key }) => key)).size, 2);
    assert.equal((await engine.tasks()).tasks[0]?.run, again.run);
  });
}

for (const kind of storeKinds) {
  test(`does everything again that failed at the same time, but nothing that the workflow dealt with before (${kind})`, async (t) => {
    const { file, open } = await testStore(t, kind);
    const engine = await open();
    const seen: { names: string[]; waiting: unknown[] } = { names: [], waiting: [] };
    Object.assign(globalThis, { failingTogether: seen });
    const { run } = await begun(engine, await file('called/failing-together/main.wf'));
    assert.equal(await statusOf(engine, run), 'error');
    const again = seen.names.length;
    assert.equal(again, 5);
    assert.deepEqual((await failed(await engine.rerun(run, fromFailure))).outputs, { one: 'one', handled: 'handled' });
    assert.deepEqual(seen.names.slice(again).sort(), ['in part', 'one', 'round 2', 'round 3']);
  });

  test(`keeps the keys of first calls of branches, rounds and called workflows in progress, but not of the one that failed (${kind})`, async (t) => {
    const { file, open, ledger } = await testStore(t, kind);
    const engine = await open();
    const { received } = ledger;
    ledger.fails = ({ step }) => step === 5;
    ledger.delayMs = () => (received.at(-1)?.step === 5 ? 500 : 60_000);
    const { run } = await begun(engine, await file('called/first-calls/main.wf'));
    assert.equal(await statusOf(engine, run), 'error');
    ledger.delayMs = () => 60_000;
    const rerun = await engine.rerun(run, fromFailure);
    assert.ok(rerun.kind === 'started');
    await until(() => received.length === 10);
    assert.equal((await engine.cancel(rerun.run)).kind, 'done');
    ledger.delayMs = () => 0;
    ledger.fails = () => false;
    assert.deepEqual((await failed(await engine.rerun(rerun.run, fromFailure))).outputs, { ok: true });
    const keysOf = (wanted: number): string[] => received.flatMap(({ step, key }) => (step === wanted ? [key] : []));
    for (const step of [1, 2, 3, 4]) assert.deepEqual(keysOf(step), Array(3).fill(keysOf(step)[0]), `${step}`);
    const [first, second, third] = keysOf(5);
    assert.notEqual(second, first, 'it failed');
    assert.equal(third, second, 'it was in progress');
  });
}

for (const kind of storeKinds)
  test(`gives new keys to calls that were certainly not sent when the run was cancelled (${kind})`, async (t) => {
    const { file, open, ledger } = await testStore(t, kind);
    const { received } = ledger;
    const isOf = ({ key }: { readonly key: string }, run: string): boolean => key.startsWith(`wf-${run.replaceAll('-', '')}-`);
    const engine = await open();
    const { run: waiting, end } = await begun(engine, await file('single/calls-around-a-message.wf'));
    assert.equal((await end).kind, 'paused');
    assert.equal((await engine.cancel(waiting)).kind, 'done');
    const goesOn = await engine.rerun(waiting, fromFailure);
    assert.ok(goesOn.kind === 'started');
    await engine.serve();
    await engine.send({ name: 'go', body: { word: 'go' }, run: goesOn.run });
    assert.equal(await statusOf(engine, goesOn.run), 'completed');
    assert.ok(received.length === 2 && received[1] !== undefined && isOf(received[1], goesOn.run), 'after a message');
    received.length = 0;

    ledger.fails = ({ step }) => step === 2;
    ledger.delayMs = () => (received.at(-1)?.step === 4 ? 60_000 : 0);
    const { run } = await begun(engine, await file('single/calls-after-pauses.wf'));
    await until(async () => (await engine.log(run)).some(({ type }) => type === 'retry') && received.length === 2);
    assert.equal((await engine.cancel(run)).kind, 'done');
    ledger.delayMs = () => 0;
    ledger.fails = () => false;
    const again = await failed(await engine.rerun(run, fromFailure));
    assert.deepEqual(again.outputs, { ok: true });
    const keysOf = (wanted: number): string[] => received.flatMap(({ step, key }) => (step === wanted ? [key] : []));
    for (const step of [2, 4]) assert.deepEqual(keysOf(step), Array(2).fill(keysOf(step)[0]), `in doubt: ${step}`);
    const unsent = received.filter(({ step }) => step !== 2 && step !== 4);
    assert.deepEqual(
      unsent.map((one) => [one.step, isOf(one, again.run)]).sort(),
      [1, 3, 5, 6].map((step) => [step, true]),
    );
  });

test('keeps the key of a later attempt that was in progress when the run was cancelled', async (t) => {
  const { file, open, ledger } = await testStore(t);
  const engine = await open();
  ledger.fails = () => ledger.received.length === 1;
  ledger.delayMs = () => (ledger.received.length === 2 ? 60_000 : 0);
  const { run } = await begun(engine, await file('single/call-with-pauses.wf'));
  await until(() => ledger.received.length === 2);
  assert.equal((await engine.cancel(run)).kind, 'done');
  assert.deepEqual((await failed(await engine.rerun(run, fromFailure))).outputs, { sum: 1_001 });
  assert.equal(new Set(ledger.received.map(({ key }) => key)).size, 1);
});

test('the time limit of a called workflow that continues counts from the rerun', async (t) => {
  const { file, open, ledger } = await testStore(t);
  const engine = await open();
  ledger.fails = () => ledger.received.length === 2;
  const { run } = await begun(engine, await file('called/in-time/main.wf'));
  assert.equal(await statusOf(engine, run), 'error');
  t.after(() => {
    fakeClock.offset = 0;
  });
  fakeClock.offset = 60_000;
  assert.deepEqual((await failed(await engine.rerun(run, fromFailure))).outputs, { sum: 2_003 });
  assert.deepEqual(
    ledger.received.map(({ step }) => step),
    [1, 2, 2],
  );
});

for (const kind of storeKinds)
  test(`each rerun after a fault of the text gives new keys to the calls after it (${kind})`, async (t) => {
    const { file, open, ledger } = await testStore(t, kind);
    const [faulty, current] = [await file('single/fault-between-two-calls.wf'), await file('single/log-and-two-calls.wf')];
    const engine = await open({ current: () => current });
    const { run } = await begun(engine, faulty, { zero: 0 });
    assert.equal(await statusOf(engine, run), 'error');
    for (const _ of [1, 2]) await failed(await engine.rerun(run, { from: 'failure', workflow: 'current' }));
    assert.deepEqual(
      ledger.received.map(({ step }) => step),
      [1, 2, 2],
    );
    assert.equal(new Set(ledger.received.map(({ key }) => key)).size, 3);
  });

test('a called workflow with a fault continues with the current text, after its calls', async (t) => {
  const { file, open, ledger } = await testStore(t);
  const [broken, current] = [await file('called/broken/main.wf'), await file('called/mended/main.wf')];
  const engine = await open({ current: () => current });
  // The first round copes with it.
  ledger.fails = () => ledger.received.length === 1;
  const { run } = await begun(engine, broken);
  assert.equal(await statusOf(engine, run), 'error');
  const again = await failed(await engine.rerun(run, { from: 'failure', workflow: 'current' }));
  assert.deepEqual([again.outputs, ledger.received.length], [{ sums: [1, 1_003] }, 2]);
});

test('a rerun that is interrupted logs each line once, and the ends of its steps where they are', async (t) => {
  const { file, open, ledger } = await testStore(t);
  const [broken, current] = [await file('single/step-with-a-fault.wf'), await file('single/step-mended.wf')];
  const first = await open({ current: () => current });
  const { run } = await begun(first, broken, { zero: 0 });
  assert.equal(await statusOf(first, run), 'error');
  ledger.delayMs = () => 60_000;
  const rerun = await first.rerun(run, { from: 'failure', workflow: 'current' });
  assert.ok(rerun.kind === 'started');
  await until(() => ledger.received.length === 2);
  await first.close(0);
  ledger.delayMs = () => 0;
  const second = await open();
  await second.serve();
  assert.equal(await statusOf(second, rerun.run), 'completed');
  assert.deepEqual(
    (await logged(second, rerun.run)).map(({ message, step, event }) => message ?? `${step} ${event}`),
    ['Before start', 'Before end', 'Outer start', 'Inner start', 'mended', 'Inner end', 'Outer end'],
  );
});

for (const kind of storeKinds) {
  test(`a rerun with a text whose lines have moved has the log of that text, also if it is interrupted (${kind})`, async (t) => {
    const { file, open, ledger } = await testStore(t, kind);
    const [broken, current] = [await file('called/logs-and-a-fault/main.wf'), await file('called/logs-mended/main.wf')];
    const first = await open({ current: () => current });
    const { run } = await begun(first, broken, { zero: 0 });
    assert.equal(await statusOf(first, run), 'error');
    const before = await logged(first, run);
    ledger.delayMs = () => 60_000;
    const rerun = await first.rerun(run, { from: 'failure', workflow: 'current' });
    assert.ok(rerun.kind === 'started');
    await until(() => ledger.received.length === 5);
    await first.close(0);
    ledger.delayMs = () => 0;
    const second = await open();
    await second.serve();
    assert.equal(await statusOf(second, rerun.run), 'completed');
    const after = await logged(second, rerun.run);
    assert.deepEqual(
      after.map(({ line, calledLine, message, step, event }) => [calledLine ?? line, message ?? `${step} ${event}`]),
      [
        [13, 'first'],
        [15, 'second'],
        [16, 'added'],
        [18, 'Branch start'],
        [19, 'third'],
        [18, 'Branch end'],
        [12, 'fourth'],
        [14, 'fifth'],
        [23, 'added, too'],
        [24, 'sixth'],
        [12, 'fourth'],
        [14, 'fifth'],
        [16, 'seventh'],
        [27, 'eighth'],
      ],
    );
    const times = after.map(({ time }) => time);
    assert.deepEqual(times, [...times].sort(), 'in the order in which they happened');
    const timeOf = (entries: readonly LogEntry[], message: string): string | undefined =>
      entries.find((entry) => entry.message === message)?.time;
    for (const message of ['first', 'third', 'fifth'])
      assert.equal(timeOf(after, message), timeOf(before, message), `${message} was logged then`);
  });
}

// A rerun that completes makes the first run good; a second rerun needs to be asked for, and a key makes one rerun of two requests. In both
// kinds of stores.

after(dropTemplate);

async function ended(engine: DurableEngine, prepared: Prepared, request: WfRecord): Promise<string> {
  const started = await engine.start({ prepared, request });
  assert.equal(started.kind, 'started');
  await started.end;
  return started.run;
}

const failure: RerunRequest = { from: 'failure', workflow: 'recorded', onlyFirst: true };

async function rerun(engine: DurableEngine, run: string, how: RerunRequest = failure): Promise<string> {
  const started = await engine.rerun(run, how);
  assert.equal(started.kind, 'started', JSON.stringify(started));
  await started.end;
  return started.run;
}

for (const kind of storeKinds) {
  test(`${kind}: a run is made good by a rerun that completes, or by a rerun of that`, async (t) => {
    const { open, file, ledger, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const refund = await file('single/refund-or-not.wf');
    const engine = await open();
    ledger.fails = () => true;
    const [first, second, third] = [
      await ended(engine, refund, { order: 11 }),
      await ended(engine, refund, { order: 12 }),
      await ended(engine, refund, { order: 13 }),
    ];
    const failed = await rerun(engine, first);
    ledger.fails = () => false;
    const last = await rerun(engine, failed);
    const other = await rerun(engine, second);
    const good = ({ runs }: { readonly runs: readonly RunSummary[] }): (readonly [string, string | undefined])[] =>
      runs.map(({ run, madeGoodBy }) => [run, madeGoodBy]);
    // All of them are still listed as errors, marked.
    assert.deepEqual(good(await engine.list({ status: 'error' })), [
      [failed, last],
      [third, undefined],
      [second, other],
      [first, last],
    ]);
    const oldest = good(await engine.list({ status: 'error', sort: 'longest' }));
    assert.deepEqual(new Map(oldest), new Map(good(await engine.list({ status: 'error' }))), 'in every order');
    assert.ok((await engine.list({ status: 'completed' })).runs.every(({ madeGoodBy }) => madeGoodBy === undefined));
    assert.equal((await engine.get(first))?.madeGoodBy, last);
    assert.equal((await engine.get(third))?.madeGoodBy, undefined);
    const { lastDay, lastHour, madeGood } = await engine.stats(new Date(0).toISOString());
    assert.deepEqual([lastDay.error, lastHour.error, lastDay.completed], [1, 1, 2]);
    assert.deepEqual(madeGood, { lastHour: 3, lastDay: 3 });
    assert.deepEqual(
      (await engine.reasons({})).map(({ runs, latest }) => [runs, latest]),
      [[1, third]],
    );
  });

  test(`${kind}: a run that has been rerun is rerun once more only if that is wanted`, async (t) => {
    const { open, file, ledger, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const refund = await file('single/refund-or-not.wf');
    const [engine, elsewhere] = [await open(), await open()];
    ledger.fails = () => true;
    const [run, raced] = [await ended(engine, refund, { order: 11 }), await ended(engine, refund, { order: 12 })];
    ledger.fails = () => false;
    const first = await rerun(engine, run, { ...failure, key: 'key-1' });
    assert.deepEqual(await elsewhere.rerun(run, { ...failure, key: 'key-1' }), { kind: 'known', run: first });
    const problem = `The run has been rerun already: ${first}.`;
    for (const how of [failure, { ...failure, key: 'key-2' }, { ...failure, from: 'start' as const, key: 'key-1' }])
      assert.deepEqual(await engine.rerun(run, how), { kind: 'not possible', problem, hasOne: true }, JSON.stringify(how));
    // Once more, as often as it is asked for without a key, and once for each key.
    const wanted: RerunRequest = { from: 'start', workflow: 'recorded' };
    const again = await rerun(engine, run, { ...wanted, key: 'key-3' });
    assert.deepEqual(await elsewhere.rerun(run, { ...wanted, key: 'key-3' }), { kind: 'known', run: again });
    assert.deepEqual(await engine.rerun(run, { ...failure, onlyFirst: false, key: 'key-3' }), {
      kind: 'not possible',
      problem: 'This Idempotency-Key was used before with another body.',
    });
    await rerun(engine, run, wanted);
    assert.equal((await engine.get(run))?.reruns.length, 3);
    // Two processes at the same time.
    const both = await Promise.all([engine, elsewhere, engine].map((one) => one.rerun(raced, failure)));
    assert.deepEqual(both.map((one) => one.kind).sort(), ['not possible', 'not possible', 'started']);
    for (const one of both) if (one.kind === 'started') await one.end;
    assert.equal((await engine.get(raced))?.reruns.length, 1);
    assert.equal(ledger.received.filter(({ run: order, step }) => order === 12 && step === 1).length, 2);
  });
}
