// Schedules over a store: each due time is one run in all processes, unfinished runs skip due times, and missed ones are caught up once.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import type { RunState } from '../../src/durable/model/run-views.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { createRunReports } from '../../src/engine/records/run-reports.js';
import { readPlan } from '../../src/scheduler/read-plan.js';
import {
  createScheduledStoredRun,
  FollowedRuns,
  planKey,
  type ScheduledStoredRunOptions,
  StoredMemory,
} from '../../src/scheduler/scheduled-stored-run.js';
import { type ScheduledResult, Scheduler, type SchedulerOptions } from '../../src/scheduler/scheduler.js';
import { startServedSchedules } from '../../src/scheduler/served-schedules.js';
import { post, startServer } from '../server/test-server.js';
import { until } from '../until.js';
import { begun, testStore } from './test-store.js';

const HOUR = 3_600_000;
const plan = readPlan({}, 0, { schedule: 'hour', timezone: 'Europe/Berlin' });
const due = Date.UTC(2026, 2, 2, 9);

/** How one process over the store starts a run at a due time, and what it prints. */
function watcher(
  t: TestContext,
  store: DurableEngine,
  prepared: Prepared,
  more: Partial<ScheduledStoredRunOptions> = {},
): { readonly run: (at: number) => ReturnType<SchedulerOptions['run']>; readonly lines: string[] } {
  const lines: string[] = [];
  const followed = new FollowedRuns(store);
  t.after(() => followed.stop());
  const say = (line: string): void => void lines.push(line);
  const run = createScheduledStoredRun({
    store,
    plan,
    prepared,
    followed,
    env: {},
    input: { cwd: '/' },
    timeoutMs: 0,
    verbose: false,
    closing: new AbortController().signal,
    out: say,
    err: say,
    onLateEnd: say,
    colour: { stdout: false, stderr: false },
    ...more,
  });
  return { run: (at) => run(1, new AbortController().signal, at), lines };
}

test('a due time is one run, in whatever process it starts, and however often', async (t) => {
  const { file, open, ledger } = await testStore(t);
  const prepared = await file('single/tick.wf');
  const [one, other] = [await open(), await open()];
  const [first, second] = [watcher(t, one, prepared), watcher(t, other, prepared)];
  const both = await Promise.all([first.run(due), second.run(due)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), ['completed', 'elsewhere']);
  assert.equal((await second.run(due)).status, 'elsewhere', 'it has ended, and is not repeated');
  assert.equal((await first.run(due + HOUR)).status, 'completed');
  assert.equal(ledger.received.length, 2);
  const { runs } = await other.list({});
  assert.deepEqual(
    runs.map(({ scheduledFor }) => scheduledFor),
    ['2026-03-02T10:00:00.000Z', '2026-03-02T09:00:00.000Z'],
  );
});

test('recognizes a due time by its key even if no process has recorded that it is done', async (t) => {
  const { file, open } = await testStore(t);
  const prepared = await file('single/done.wf');
  const store = await open();
  const forgetful = new Proxy(store, {
    get: (target, name) => {
      const value: unknown =
        name === 'timetables'
          ? { seen: target.timetables.seen.bind(target.timetables), done: async () => undefined }
          : Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const { run } = watcher(t, forgetful, prepared);
  assert.equal((await run(due)).status, 'completed');
  assert.equal((await run(due)).status, 'elsewhere');
  assert.equal((await store.list({})).runs.length, 1);
});

test('a clock that was ahead for a while keeps no due time from its run', async (t) => {
  const { file, open } = await testStore(t);
  const prepared = await file('single/done.wf');
  const store = await open();
  const { run } = watcher(t, store, prepared);
  await store.timetables.done(prepared.basename, planKey(plan), Date.now() + HOUR);
  assert.equal((await run(due)).status, 'completed');
  assert.equal((await run(due)).status, 'elsewhere');
});

test('an unfinished run anywhere in the store skips the due time, whoever started it', async (t) => {
  const { file, open } = await testStore(t);
  const prepared = await file('single/payment.wf');
  const [one, other] = [await open(), await open()];
  await one.serve();
  const { run, end } = await begun(one, prepared);
  assert.equal((await end).kind, 'paused');
  const { run: atDue, lines } = watcher(t, other, prepared);
  const skipped = await atDue(due);
  assert.deepEqual([skipped.status, 'detail' in skipped && skipped.detail.includes(`run ${run}`)], ['skipped', true]);
  assert.match(JSON.stringify(skipped), /is waiting for a message called payment/);
  await one.send({ name: 'payment', body: {}, run });
  assert.equal((await one.settled(run, 'ended', 60_000))?.status, 'completed');
  const result = await atDue(due + HOUR);
  assert.deepEqual([result.status, lines], ['waiting', []]);
  const stuck = await file('single/done.wf');
  assert.equal((await watcher(t, other, stuck).run(due)).status, 'completed', 'other workflows are not held up');
});

test('reports the end of a run that waited for long, with its log file', async (t) => {
  const { file, open, folder } = await testStore(t);
  const prepared = await file('single/log-and-payment.wf');
  const reports = await createRunReports({
    outputLog: 'logs',
    alert: undefined,
    env: {},
    cwd: folder,
    linkOf: () => undefined,
    onProblem: assert.fail,
  });
  const store: DurableEngine = await open({ onLeft: async (left) => reports?.left(left, store) });
  await store.serve();
  const { run, lines } = watcher(t, store, prepared);
  const result = await run(due);
  assert.match(JSON.stringify(result), /"waiting".*for a message called payment/);
  const id = /run ([0-9a-f-]{36})/.exec(JSON.stringify(result))?.[1] ?? '';
  await store.send({ name: 'payment', body: {}, run: id });
  await until(() => lines.some((line) => /^run [0-9a-f-]{36} {2}completed in \d+ ms$/.test(line)));
  const logFolder = path.join(folder, 'logs');
  await until(() => readdirSync(logFolder).length > 0);
  const [name = ''] = readdirSync(logFolder);
  const log = JSON.parse(readFileSync(path.join(logFolder, name), 'utf8'));
  assert.deepEqual([log.status, log.outputs, log.entries[0].message], ['completed', { done: true }, 'before']);
});

test('the first start catches up nothing; after that, the last missed due time runs once, in one process of several', async (t) => {
  const { file, open, ledger } = await testStore(t);
  const prepared = await file('single/tick.wf');
  const stores = [await open(), await open()] as const;
  const [one] = stores;
  const now = Date.now();
  const schedulers = (): { readonly own: Scheduler; readonly lines: string[] }[] =>
    stores.map((store) => {
      const { run } = watcher(t, store, prepared);
      const lines: string[] = [];
      const own = new Scheduler({
        ...plan,
        catchUp: true,
        say: (line: string) => void lines.push(line),
        run: (_n, _signal, at) => run(at),
        startEngine: async () => () => undefined,
        state: new StoredMemory(store, prepared.basename, plan),
      });
      return { own, lines };
    });
  const [first] = schedulers();
  await first?.own.open();
  const begun = first?.own.start();
  await first?.own.stop();
  await begun;
  assert.deepEqual([first?.lines, ledger.received], [[], []]);
  assert.ok(((await one.timetables.seen(prepared.basename, planKey(plan))) ?? 0) >= now);
  // As if the only process had ended three hours ago.
  await one.timetables.done(prepared.basename, 'another plan', 0);
  await one.timetables.done(prepared.basename, planKey(plan), now - 3 * HOUR);
  const runs = schedulers();
  for (const { own } of runs) t.after(() => own.stop());
  for (const { own } of runs) await own.open();
  const ended = runs.map(({ own }) => own.start());
  await until(() => runs.every(({ lines }) => lines.length > 1));
  for (const { own } of runs) await own.stop();
  await Promise.all(ended);
  assert.equal(ledger.received.length, 1, 'three were missed, and one makes up for them');
  assert.match(
    runs[0]?.lines[0] ?? '',
    /^3 due times passed while the scheduler was down, the first at .*\. Running once now\.$/,
  );
  const ends = runs.map(({ lines }) => lines[1] ?? '').sort((a, b) => a.slice(20).localeCompare(b.slice(20)));
  assert.match(ends[0] ?? '', / {2}no run here: another process has handled the due time \d{4}-\d\d-\d\d \d\d:00$/);
  assert.match(ends[1] ?? '', / {2}run 1 {2}completed /);
  const [only] = (await one.list({})).runs;
  assert.equal(Date.parse(only?.scheduledFor ?? '') + HOUR > now, true, 'it is the last one');
});

test('done due times never move back under one plan, and mean nothing to another', async (t) => {
  const { open } = await testStore(t);
  const [one, other] = [await open(), await open()];
  assert.equal(await one.timetables.seen('report', 'a'), undefined);
  await one.timetables.done('report', 'a', 2_000);
  await other.timetables.done('report', 'a', 1_000);
  assert.equal(await one.timetables.seen('report', 'a'), 2_000);
  assert.equal(await one.timetables.seen('report', 'b'), undefined);
  assert.equal(await one.timetables.seen('other', 'a'), undefined);
  await other.timetables.done('report', 'b', 500);
  assert.equal(await one.timetables.seen('report', 'b'), 500);
});

test('a concurrent start ignores a due time that is just being handled', async (t) => {
  const { open } = await testStore(t);
  const store = await open();
  const memory = new StoredMemory(store, 'report', plan);
  await memory.open({ seen: 1_000 });
  await memory.open({ seen: 9_000 });
  assert.deepEqual(await memory.read(), { seen: 1_000 });
  await memory.write({ seen: 5_000, running: 4_000 });
  assert.deepEqual(await memory.read(), { seen: 1_000 }, 'a run that is about to begin is not done with');
  await memory.write({ seen: 5_000 });
  assert.deepEqual(await memory.read(), { seen: 5_000 });
});

test('an input that cannot be read is an error of this due time, without a run', async (t) => {
  const { file, open, folder } = await testStore(t);
  const store = await open();
  const prepared = await file('single/done.wf');
  const { run } = watcher(t, store, prepared, { input: { cwd: folder, inputFile: 'none.json' } });
  const result = await run(due);
  assert.match(JSON.stringify(result), /"error".*none\.json/);
  assert.deepEqual((await store.list({})).runs, []);
  assert.equal(existsSync(path.join(folder, 'none.json')), false);
});

test('a server follows the schedules of what it serves now, and starts no run after its stop', async (t) => {
  const { file, open, env } = await testStore(t);
  const store = await open();
  const unscheduled = await file('single/nothing.wf');
  const hourly = await file('single/hourly.wf');
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  await store.timetables.done(hourly.basename, 'another plan', 0);
  const schedules = await startServedSchedules({
    workflows: [unscheduled, hourly],
    store,
    env,
    cwd: '/',
    mock: () => false,
    limitOf: () => 0,
    graceMs: 0,
    catchUp: true,
    secrets: [],
    out: say,
    err: say,
  });
  assert.ok((await store.timetables.seen(hourly.basename, '0 * * * * UTC')) !== undefined, 'its first start is noted');
  assert.equal(await store.timetables.seen(unscheduled.basename, '0 * * * * UTC'), undefined);
  const daily = { ...hourly, workflow: { ...hourly.workflow, schedule: 'day at 9:00' } };
  schedules.replace([daily]);
  await until(async () => (await store.timetables.seen(hourly.basename, '0 9 * * * UTC')) !== undefined);
  await schedules.stop();
  assert.deepEqual(lines, []);
});

test('changed schedules start as soon as the store can be written', async (t) => {
  const { file, open, env } = await testStore(t, 'folder');
  const store = await open();
  const hourly = await file('single/hourly.wf');
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const schedules = await startServedSchedules({
    workflows: [],
    store,
    env,
    cwd: '/',
    mock: () => false,
    limitOf: () => 0,
    graceMs: 0,
    catchUp: false,
    secrets: [],
    out: say,
    err: say,
  });
  const { done } = store.timetables;
  let refused = 0;
  t.mock.method(store.timetables, 'done', (...given: Parameters<typeof done>) =>
    refused++ < 2 ? Promise.reject(new Error('database or disk is full')) : done.apply(store.timetables, given),
  );
  schedules.replace([hourly]);
  await until(async () => (await store.timetables.seen(hourly.basename, '0 * * * * UTC')) !== undefined);
  await schedules.stop();
  assert.deepEqual(lines, ['The changed schedules cannot start yet: database or disk is full.']);
});

test('a set of workflows that is replaced before all of its schedules have started leaves none behind', async (t) => {
  const { file, open, env } = await testStore(t, 'folder');
  const [one, other] = [await file('single/hourly-call.wf'), await file('single/other-hourly-call.wf')];
  const say = (line: string): never => assert.fail(line);
  const schedules = await startServedSchedules({
    workflows: [],
    store: await open(),
    env,
    cwd: '/',
    mock: () => false,
    limitOf: () => 0,
    graceMs: 0,
    catchUp: false,
    secrets: [],
    out: say,
    err: say,
  });
  const stop = t.mock.method(Scheduler.prototype, 'stop');
  schedules.replace([one, other]);
  schedules.replace([one]);
  await until(() => stop.mock.callCount() === 1);
  await schedules.stop();
  assert.equal(stop.mock.callCount(), 2);
});

test('the end of a run that ended before anyone watched is reported', async (t) => {
  const ended: string[] = [];
  const followed = new FollowedRuns({ watch: () => () => undefined, state: async () => stateOf('completed') });
  t.after(() => followed.stop());
  followed.follow('one', async ({ status }) => void ended.push(status));
  await until(() => ended.length === 1);
  assert.deepEqual(ended, ['completed']);
});

test('the end of a run is reported, even if the store could not be asked when it changed', async (t) => {
  const ended: string[] = [];
  let answer = async (): Promise<RunState> => stateOf('waiting');
  let changed: Parameters<DurableEngine['watch']>[0] = () => undefined;
  const watch: DurableEngine['watch'] = (callback) => {
    changed = callback;
    return () => undefined;
  };
  const followed = new FollowedRuns({ watch, state: () => answer() }, 1);
  t.after(() => followed.stop());
  followed.follow('one', async ({ status }) => void ended.push(status));
  answer = async () => {
    answer = async () => stateOf('rejected');
    throw new Error('The database is restarting.');
  };
  changed({ runs: ['one'], tasks: false });
  await until(() => ended.length === 1);
  assert.deepEqual(ended, ['rejected']);
});

test('the end of a run is reported once more if the store fails while it is', async (t) => {
  const ended: string[] = [];
  let fails = 1;
  const followed = new FollowedRuns({ watch: () => () => undefined, state: async () => stateOf('completed') }, 1);
  t.after(() => followed.stop());
  followed.follow('one', async ({ status }) => {
    if (fails-- > 0) throw new Error('The database is restarting.');
    ended.push(status);
  });
  await until(() => ended.length === 1);
  assert.deepEqual(ended, ['completed']);
});

const stateOf = (status: RunState['status']): RunState => ({
  run: 'one',
  workflow: 'flow',
  version: 1,
  status,
  createdAt: '2026-03-02T09:00:00Z',
  startedAt: '2026-03-02T09:00:00Z',
});

test('with an encrypted store, no line about an error shows values, as no answer does', async (t) => {
  const { file, open, env } = await testStore(t, undefined, true);
  const prepared = await file('single/error-after-message.wf');
  env.WF_STORE_KEY = Buffer.alloc(32, 3).toString('base64');
  const store = await open();
  const request = { id: 'correct-horse' };
  const input = { cwd: '/', input: JSON.stringify(request) };
  const { run, lines } = watcher(t, store, prepared, { env, input, verbose: true });
  const { detail } = (await run(due)) as ScheduledResult; // nothing else runs at this time
  const { url, err } = await startServer(t, { workflows: [prepared], store, env });
  assert.equal((await post(`${url}/${prepared.basename}`, request)).status, 500);
  for (const said of [detail, lines.find((line) => line.startsWith('Error in')) ?? '', err.join('\n')]) {
    assert.match(said, /"request\.id" is text, but "minus" needs two numbers/);
    assert.doesNotMatch(said, /correct-horse/);
  }
});
