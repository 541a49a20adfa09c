// Each engine in one process, on both kinds of stores: records, resumption, waits, keys, reruns, and queries.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { until } from '../until.js';
import { fakeClock } from './fake-clock.js';
import { allRows, dropTemplate } from './test-database.js';
import { allStoreKinds, begun, testStore } from './test-store.js';

after(dropTemplate);

/** Names of the files of a store in the folder `runs`; empty if it is in a database. */
const filesOf = (folder: string): string[] =>
  existsSync(path.join(folder, 'runs')) ? readdirSync(path.join(folder, 'runs')) : [];

for (const kind of allStoreKinds) {
  test(`a due time is one run of its workflow, and all processes know which are done (${kind})`, async (t) => {
    const { file, open } = await testStore(t, kind);
    const prepared = await file('single/log-in-a-step.wf');
    const [one, other] = [await open(), await open()];
    const due = { prepared, request: {}, scheduledFor: '2026-03-02T09:00:00.000Z', timezone: 'Pacific/Kiritimati' };
    const both = await Promise.all([one.start(due), other.start(due)]);
    assert.deepEqual(both.map((started) => started.kind).sort(), ['known', 'started']);
    const run = both.map((started) => ('run' in started ? started.run : ''))[0] ?? '';
    assert.equal((await one.settled(run, 'ended', 60_000))?.scheduledFor, due.scheduledFor);
    // The key of a request can never equal that of a due time.
    assert.equal((await one.start({ prepared, request: {}, key: due.scheduledFor })).kind, 'started');
    const next = await one.start({ ...due, scheduledFor: '2026-03-03T09:00:00.000Z' });
    assert.equal(next.kind, 'started', 'another due time is another run');
    const { timetables } = one;
    assert.equal(await timetables.seen('report', 'a'), undefined);
    await timetables.done('report', 'a', 2_000);
    await other.timetables.done('report', 'a', 1_000);
    assert.deepEqual([await timetables.seen('report', 'a'), await timetables.seen('report', 'b')], [2_000, undefined]);
    await other.timetables.done('report', 'b', 500);
    assert.deepEqual([await timetables.seen('report', 'b'), await timetables.seen('other', 'b')], [500, undefined]);
    // In that zone it is already tomorrow, except in its first hours.
    const log = await one.log(run);
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format(new Date(log[0]?.time ?? ''));
    assert.equal(log.find(({ type }) => type === 'log')?.message, today);
    const journal = (await one.journal(run))?.entries ?? [];
    assert.deepEqual(
      journal.flatMap((entry) => (entry.kind === 'step' ? [entry.message] : [])),
      ['Look: start', 'Look: end'],
    );
  });

  test(`records a run, and reads it back as it went (${kind})`, async (t) => {
    const { file, open, ledger } = await testStore(t, kind);
    const prepared = await file('single/two-calls.wf');
    const engine = await open();
    const { run, end } = await begun(engine, prepared, { order: 'A7' });
    const ended = await end;
    assert.equal(ended.kind, 'outcome');
    const state = await engine.state(run);
    assert.deepEqual([state?.status, state?.outputs], ['completed', { sum: 2_003 }]);
    const log = await engine.log(run);
    assert.deepEqual(
      log.map(({ type, line }) => [type, line]),
      [
        ['call', 11],
        ['call', 13],
      ],
    );
    const detail = await engine.get(run);
    assert.deepEqual([detail?.about, detail?.effects], ['A7', 2]);
    assert.equal(ledger.received.length, 2);
    assert.equal(new Set(ledger.received.map(({ key }) => key)).size, 2, 'each call has a key of its own');
  });

  test(`shows no secret, and stores nothing of the environment (${kind})`, async (t) => {
    const { file, open, ledger, folder, env } = await testStore(t, kind);
    const prepared = await file('single/call-with-a-secret.wf');
    env.SECRET = 'very-secret-token-1';
    const engine = await open();
    const { run, end } = await begun(engine, prepared, { said: 'very-secret-token-1' });
    await end;
    assert.equal(ledger.received.length, 1);
    const shown = JSON.stringify([
      await engine.get(run),
      await engine.journal(run),
      await engine.log(run),
      await engine.list({}),
    ]);
    assert.ok(!shown.includes('very-secret-token-1'), shown);
    assert.equal((await engine.state(run))?.outputs?.said, 'very-secret-token-1', 'the caller gets it as it is');
    for (const name of filesOf(folder)) {
      assert.equal(statSync(path.join(folder, 'runs', name)).mode & 0o077, 0, `${name} is private`);
    }
  });

  test(`a run that waits for long is not in memory, and continues in the next process (${kind})`, async (t) => {
    const { file, open } = await testStore(t, kind);
    const prepared = await file('single/times-around-a-wait.wf');
    const first = await open();
    const { run, end } = await begun(first, prepared);
    assert.equal((await end).kind, 'paused');
    assert.equal((await first.state(run))?.status, 'waiting');
    await first.close(0);
    const second = await open();
    const state = await second.state(run);
    assert.deepEqual([state?.status, state?.waitingFor?.kind], ['waiting', 'time']);
    await second.serve();
    assert.equal((await second.cancel(run)).kind, 'done');
    assert.equal((await second.state(run))?.status, 'cancelled');
  });

  test(`a time limit of the host counts the work of a run that continues, and not what it waited (${kind})`, async (t) => {
    t.after(() => {
      fakeClock.offset = 0;
      fakeClock.isInstant = false;
    });
    const { file, open, ledger } = await testStore(t, kind);
    ledger.delayMs = () => 60_000;
    const first = await open();
    const { run, end } = await begun(first, await file('single/wait-and-call.wf'));
    await end;
    await first.close(0);
    fakeClock.offset = 3 * 3_600_000;
    // However long the machine takes until the call is sent.
    fakeClock.isInstant = true;
    ledger.onRequest = () => {
      fakeClock.isInstant = false;
    };
    const second = await open({ limitOf: () => 1_000 });
    await second.serve();
    await until(async () => (await second.state(run))?.status === 'error');
    assert.match((await second.state(run))?.message ?? '', /exceeded its time limit of 1 second/);
    assert.equal(ledger.received.length, 1, 'two hours of waiting left it time for the call');
  });

  test(`SIGTERM releases runs: a recorded call is not sent again, one in doubt is, with its key (${kind})`, async (t) => {
    const { file, open, ledger } = await testStore(t, kind);
    const prepared = await file('single/two-calls.wf');
    ledger.delayMs = () => (ledger.received.at(-1)?.step === 2 && ledger.received.length === 2 ? 60_000 : 0);
    const first = await open();
    const { run } = await begun(first, prepared);
    await until(() => ledger.received.length === 2);
    assert.deepEqual(await first.close(0), { released: 1 });
    const second = await open();
    await second.serve();
    await until(async () => (await second.state(run))?.status === 'completed');
    assert.deepEqual(
      ledger.received.map(({ step }) => step),
      [1, 2, 2],
    );
    assert.equal(ledger.received[1]?.key, ledger.received[2]?.key);
    const log = await second.log(run);
    assert.deepEqual(
      log.map(({ type }) => type),
      ['call', 'resumed', 'call'],
    );
  });

  test(`a store that closes gives calls their time, but not waits and turns (${kind})`, async (t) => {
    const { file, open, ledger } = await testStore(t, kind);
    const engine = await open();
    const waiting = await begun(engine, await file('single/short-wait.wf'));
    const queued = await begun(engine, await file('single/limited-calls.wf'));
    await until(async () => (await engine.state(waiting.run))?.status === 'waiting');
    // A busy database may take so long to give the first turn that the log has an entry for that, too.
    await until(async () => (await engine.log(queued.run)).some(({ type }) => type === 'call'));
    const began = performance.now();
    const told: (string | undefined)[] = [];
    const closed = await engine.close(50_000, async () => {
      for (const { run } of [waiting, queued]) told.push((await engine.state(run))?.status);
    });
    assert.deepEqual([closed, told], [{ released: 2 }, ['waiting', 'running']]);
    assert.ok(performance.now() - began < 40_000, 'it did not use up the grace time');
    assert.equal(ledger.received.length, 1);
  });

  test(`a path other than recorded is stuck, sends nothing, and continues when the environment is back (${kind})`, async (t) => {
    const { file, open, ledger, env } = await testStore(t, kind);
    const prepared = await file('single/by-mode.wf');
    const first = await open();
    const { run, end } = await begun(first, prepared);
    await end;
    await first.close(0);
    env.MODE = 'b';
    const second = await open();
    assert.equal((await second.resume(run)).kind, 'done');
    await until(async () => (await second.state(run))?.status === 'stuck');
    const { message } = (await second.state(run)) ?? {};
    assert.match(message ?? '', /line 12, "Ledger: POST \/1\/9".*line 13, "Ledger: POST \/1\/1"\. Nothing was sent\./);
    assert.match(
      message ?? '',
      /The environment variable MODE has another value .*Restore it and resume the run, or cancel it\.$/,
    );
    assert.equal(ledger.received.length, 1);
    await second.close(0);
    env.MODE = 'a';
    const third = await open();
    assert.equal((await third.resume(run)).kind, 'done');
    await until(async () => (await third.state(run))?.status === 'waiting');
  });

  test(`a key is one run: replayed, refused with another request, and kept in the store (${kind})`, async (t) => {
    const { file, open, ledger } = await testStore(t, kind);
    const prepared = await file('single/call-and-output.wf');
    const first = await open();
    const start = { prepared, request: { a: 1, b: [1, 2] }, key: 'k' };
    const one = await first.start(start);
    assert.ok(one.kind === 'started');
    await one.end;
    const again = await first.start({ ...start, request: { b: [1, 2], a: 1 } });
    assert.deepEqual([again.kind, again.kind === 'known' && again.run], ['known', one.run]);
    assert.equal((await first.start({ ...start, request: { a: 2 } })).kind, 'other request');
    await first.close(0);
    const second = await open();
    assert.equal((await second.start(start)).kind, 'known');
    assert.equal(ledger.received.length, 1);
  });

  test(`a rerun from the failure sends what failed, with a new key if it was answered (${kind})`, async (t) => {
    const { file, open, ledger } = await testStore(t, kind);
    const prepared = await file('single/two-calls-and-a-fault.wf');
    const engine = await open({ current: () => prepared });
    const { run, end } = await begun(engine, prepared, { zero: 0 });
    assert.equal((await end).kind, 'outcome');
    assert.equal((await engine.state(run))?.status, 'error');
    const repeated = await engine.rerun(run, { from: 'failure', workflow: 'recorded' });
    assert.ok(repeated.kind === 'started');
    await repeated.end;
    assert.equal(ledger.received.length, 2, 'both calls were recorded');
    const whole = await engine.rerun(run, { from: 'start', workflow: 'current' });
    assert.ok(whole.kind === 'started');
    await whole.end;
    assert.equal(ledger.received.length, 4);
    assert.equal(new Set(ledger.received.map(({ key }) => key)).size, 4);
    assert.deepEqual([...((await engine.get(run))?.reruns ?? [])].sort(), [repeated.run, whole.run].sort());
  });

  test(`refuses a rerun with another text that does not fit the recorded calls (${kind})`, async (t) => {
    const { file, open } = await testStore(t, kind);
    const prepared = await file('single/two-calls-and-a-fault.wf');
    const other = await file('single/two-other-calls.wf');
    const fitting = await file('single/log-and-two-calls.wf');
    let current = other;
    const engine = await open({ current: () => current });
    const { run, end } = await begun(engine, prepared, { zero: 0 });
    await end;
    const refused = await engine.rerun(run, { from: 'failure', workflow: 'current' });
    assert.match(refused.kind === 'not possible' ? refused.problem : '', /does not fit.*\/1\/7.*\/1\/1/);
    assert.match(refused.kind === 'not possible' ? refused.problem : '', /Rerun it with the recorded text, or from the start\.$/);
    current = await file('single/fault-between-two-calls.wf');
    const failing = await engine.rerun(run, { from: 'failure', workflow: 'current' });
    assert.match(failing.kind === 'not possible' ? failing.problem : '', /It fails earlier, in line 13: .*by zero/);
    current = fitting;
    const taken = await engine.rerun(run, { from: 'failure', workflow: 'current' });
    assert.ok(taken.kind === 'started');
    const ended = await taken.end;
    assert.deepEqual(ended.kind === 'outcome' && ended.outcome.outputs, { sum: 2_003 });
  });

  test(`a rerun with a text that logs more in its branches (${kind})`, async (t) => {
    const { file, open, ledger } = await testStore(t, kind);
    const prepared = await file('single/branch-with-a-fault.wf');
    const current = await file('single/branches-with-logs.wf');
    const engine = await open({ current: () => current });
    const { run, end } = await begun(engine, prepared, { fails: 1, zero: 0 });
    await end;
    assert.equal((await engine.state(run))?.status, 'error');
    const repeated = await engine.rerun(run, { from: 'failure', workflow: 'current' });
    assert.ok(repeated.kind === 'started');
    const ended = await repeated.end;
    assert.deepEqual(ended.kind === 'outcome' && ended.outcome.outputs, { ok: true });
    assert.equal(ledger.received.length, 3, 'no call is made again');
  });

  test(`the list: newest first, by state, workflow and text, stable under new runs (${kind})`, async (t) => {
    const { file, open } = await testStore(t, kind);
    const prepared = await file('single/output.wf');
    const engine = await open();
    for (let n = 0; n < 5; n++) await (await begun(engine, prepared, { n, word: `w${n}` })).end;
    const first = await engine.list({ limit: 2 });
    await (await begun(engine, prepared, { n: 9 })).end;
    const second = await engine.list({ limit: 2, ...(first.next === undefined ? {} : { cursor: first.next }) });
    assert.deepEqual(
      [...first.runs, ...second.runs].map(({ about }) => about),
      ['4 · w4', '3 · w3', '2 · w2', '1 · w1'],
    );
    assert.equal((await engine.list({ q: 'w3' })).runs.length, 1);
    for (const nothing of [{ q: '\0' }, { q: 'w3\0' }, { workflow: 'output\0' }])
      assert.deepEqual((await engine.list(nothing)).runs, []);
    assert.equal((await engine.list({ status: 'error' })).runs.length, 0);
    const all = [];
    for await (const run of engine.export()) all.push(run.about);
    assert.deepEqual(all, ['0 · w0', '1 · w1', '2 · w2', '3 · w3', '4 · w4', '9']);
    const { lastHour, workflows } = await engine.stats(new Date(Date.now() - 1_000_000).toISOString());
    assert.deepEqual([lastHour.completed, workflows[0]?.runs], [6, 6]);
    assert.deepEqual(await engine.prune({ olderThanMs: 0, dryRun: true }), { runs: 6 });
    assert.deepEqual(await engine.prune({ olderThanMs: 0 }), { runs: 6 });
    assert.deepEqual((await engine.list({})).runs, []);
  });

  test(`an encrypted store contains nothing in plain text, and opens with its key only (${kind})`, async (t) => {
    const { file, open, folder, env, database } = await testStore(t, kind, true);
    const prepared = await file('single/word-everywhere.wf');
    const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
    env.WF_STORE_KEY = key(7);
    const engine = await open();
    const { run, end } = await begun(engine, prepared, { word: 'correct-horse-battery' });
    await end;
    assert.equal((await engine.state(run))?.outputs?.w, 'correct-horse-battery');
    await engine.close(0);
    for (const name of filesOf(folder)) {
      assert.ok(!readFileSync(path.join(folder, 'runs', name)).includes('correct-horse-battery'), name);
    }
    if (database !== undefined) assert.ok(!(await allRows(database)).includes('correct-horse-battery'));
    for (const [wrong, said] of [
      ['', /WF_STORE_KEY is not set/],
      [key(8), /another key/],
      ['short', /32 bytes/],
    ] as const) {
      env.WF_STORE_KEY = wrong;
      await assert.rejects(open(), { name: 'UsageError', message: said });
    }
    env.WF_STORE_KEY = key(7);
    await (await open()).rekey(Buffer.alloc(32, 9));
    await assert.rejects(open(), { name: 'UsageError', message: /another key/ });
    env.WF_STORE_KEY = key(9);
    const changed = await open();
    assert.equal((await changed.state(run))?.outputs?.w, 'correct-horse-battery');
    await changed.rekey(undefined);
    env.WF_STORE_KEY = '';
    assert.equal((await (await open()).state(run))?.outputs?.w, 'correct-horse-battery');
  });
}

test('branches: what is in flight is recorded while the process stops, and a rerun keeps the keys of aborted calls', async (t) => {
  const { file, open, ledger } = await testStore(t);
  const prepared = await file('single/branch-with-a-fault.wf');
  ledger.delayMs = () => 100;
  const first = await open();
  const { run } = await begun(first, prepared, { fails: '' });
  await until(() => ledger.received.length === 2);
  await first.close(20_000);
  assert.equal(ledger.received.length, 2, 'nothing new is sent while it stops');
  const mended = await file('single/branches-with-logs.wf');
  const second = await open({ current: () => mended });
  await second.serve();
  await until(async () => (await second.state(run))?.status === 'completed');
  assert.deepEqual(ledger.received.map(({ step }) => step).sort(), [1, 2, 3]);
  ledger.received.length = 0;
  ledger.delayMs = () => (ledger.received.at(-1)?.step === 1 ? 60_000 : 0);
  const failed = await begun(second, prepared, { fails: 'yes', zero: 0 });
  await failed.end;
  const aborted = ledger.received.find(({ step }) => step === 1);
  ledger.delayMs = () => 0;
  const rerun = await second.rerun(failed.run, { from: 'failure', workflow: 'current' });
  assert.ok(rerun.kind === 'started');
  await rerun.end;
  const again = ledger.received.slice(3).map(({ step, key }) => [step, key]);
  assert.deepEqual(again, [[aborted?.step, aborted?.key]], 'with its key, and nothing that is recorded is sent again');
});

test('a run that is cancelled while it leaves memory to wait is cancelled', async (t) => {
  const { open, file } = await testStore(t);
  const engine = await open();
  const prepared = await file('single/waits-for-go.wf');
  const left = new Set<string>();
  for (let turns = 0; turns < 40; turns++) {
    const { run } = await begun(engine, prepared);
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    const change = await engine.cancel(run);
    if (change.kind !== 'done' || change.state.status !== 'cancelled') left.add(`${turns}: ${JSON.stringify(change)}`);
  }
  assert.deepEqual([...left], []);
});
