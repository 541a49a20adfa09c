// Many runs at once: the filter that chooses them, what is passed over, the rate and the stop, in both kinds of stores; the command and the
// HTTP API.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { WfRecord } from '../../runtime/types.js';
import type { Values } from '../../src/commands/command-spec.js';
import { runsCommand } from '../../src/commands/runs/runs.js';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { changeMany, chooseRuns, readChangeRate } from '../../src/durable/engine/many-runs.js';
import { readRunFilter } from '../../src/durable/views/run-filter.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { UsageError } from '../../src/engine/usage-error.js';
import { inMemoryIo, type Ran } from '../testing/in-memory-io.js';
import { apiServer, body } from './runs-server.js';
import { dropTemplate } from './test-database.js';
import { storeKinds, testStore } from './test-store.js';

after(dropTemplate);

test('a filter names its conditions, and refuses what it does not know', () => {
  const now = Date.parse('2026-03-01T12:00:00Z');
  const read = (given: unknown, search?: string) => readRunFilter(given, search, now);
  const query = { workflow: 'refund', status: 'error', since: '2026-03-01T10:00:00.000Z' };
  assert.deepEqual(read('workflow=refund status=error since=2h'), { ok: true, query });
  assert.deepEqual(read({ workflow: 'refund', status: 'error', since: '2h' }), { ok: true, query });
  assert.deepEqual(read(' reason="Payments: 503"  until=1h ', 'Ada'), {
    ok: true,
    query: { reason: 'Payments: 503', until: '2026-03-01T11:00:00.000Z', q: 'Ada' },
  });
  assert.deepEqual(read(undefined, 'Ada'), { ok: true, query: { q: 'Ada' } });
  for (const [given, problem] of [
    ['', /is empty/],
    [undefined, /is empty/],
    ['workflw=refund', /has no "workflw"/],
    ['status=failed', /status cannot be "failed"/],
    ['since=yesterday', /since cannot be/],
    ['workflow=', /workflow cannot be ""/],
    ['workflow=a workflow=b', /names workflow twice/],
    ['status=error refund', /from "refund" on/],
    ['reason="open', /cannot be read/],
    [{ status: 7 }, /status must be a text/],
    [{ constructor: 'a' }, /has no "constructor"/],
    [['status=error'], /neither a text nor an object/],
  ] as const) {
    const refused = read(given);
    assert.ok(!refused.ok, JSON.stringify(given));
    assert.match(refused.problem, problem);
    assert.ok(refused.hint.length > 0);
  }
  assert.deepEqual(readChangeRate('5/second'), { runs: 5, ms: 1_000 });
  assert.deepEqual(readChangeRate('100/minute'), { runs: 100, ms: 60_000 });
  for (const wrong of ['5', '0/second', '5/day', '-1/second', '1.5/second', '']) assert.equal(readChangeRate(wrong), undefined);
});

async function ended(engine: DurableEngine, prepared: Prepared, request: WfRecord): Promise<string> {
  const started = await engine.start({ prepared, request });
  assert.equal(started.kind, 'started');
  await started.end;
  return started.run;
}

const failure = { from: 'failure', workflow: 'recorded' } as const;

for (const kind of storeKinds) {
  test(`${kind}: a filter chooses what an action fits, and done again it goes on with what is left`, async (t) => {
    const { open, file, ledger, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const refund = await file('single/refund-or-not.wf');
    const engine = await open();
    ledger.fails = () => true;
    const failed: string[] = [];
    const ends: Promise<unknown>[] = [];
    for (let order = 0; order < 120; order++) {
      const started = await engine.start({ prepared: refund, request: { order, word: order < 119 ? 'many' : 'one' } });
      assert.equal(started.kind, 'started');
      failed.push(started.run);
      ends.push(started.end);
    }
    await Promise.all(ends);
    ledger.fails = () => false;
    await ended(engine, refund, { order: 200, word: 'many' });
    // More than a page, oldest first; completed ones are not failures.
    const chosen = await chooseRuns(engine, 'rerun', { workflow: 'refund-or-not', q: 'many' });
    assert.deepEqual(chosen, { action: 'rerun', runs: failed.slice(0, 119), unfit: 0, rerunBefore: 0 });
    // A stop leaves the rest as it is.
    const stopper = new AbortController();
    const progress: number[] = [];
    const stopped = await changeMany(engine, chosen, {
      rerun: failure,
      by: { name: 'Ada', way: 'http' },
      signal: stopper.signal,
      onProgress(handled, of) {
        assert.equal(of, 119);
        progress.push(handled);
        if (handled === 5) stopper.abort();
      },
      follow: async (run) => void (await engine.settled(run, 'ended', 60_000)),
    });
    assert.ok(stopped.changed >= 5 && stopped.changed < 20, String(stopped.changed));
    assert.deepEqual([stopped.left, stopped.refused], [119 - stopped.changed, []]);
    assert.deepEqual(
      progress,
      Array.from({ length: stopped.changed }, (_, index) => index + 1),
    );
    const bulk: (string | undefined)[] = [];
    for await (const { action, about } of engine.changes.list()) if (action === 'bulk') bulk.push(about);
    assert.deepEqual(bulk, ['rerun of 119 runs', `rerun stopped, ${stopped.left} runs left`]);
    // Chosen before others reran some of them: these are refused, and nothing happens twice.
    const rest = await chooseRuns(engine, 'rerun', { status: 'error', q: 'many' });
    assert.deepEqual([rest.runs.length, rest.rerunBefore], [stopped.left, stopped.changed]);
    const again = await changeMany(engine, chosen, {
      rerun: failure,
      follow: async (run) => void (await engine.settled(run, 'ended', 60_000)),
    });
    assert.deepEqual([again.changed, again.refused.length, again.left], [stopped.left, stopped.changed, 0]);
    assert.match(again.refused[0]?.problem ?? '', /has been rerun already/);
    assert.deepEqual((await chooseRuns(engine, 'rerun', { status: 'error' })).runs, failed.slice(119));
    const { runs } = await engine.list({ q: 'many', limit: 100, status: 'error' });
    assert.ok(runs.every(({ madeGoodBy }) => madeGoodBy !== undefined));
    const sent = ledger.received.filter(({ step }) => step === 1).map(({ run }) => run);
    for (let order = 0; order < 119; order++) assert.equal(sent.filter((one) => one === order).length, 2, String(order));
  });

  test(`${kind}: the commands for many runs`, async (t) => {
    const { open, file, ledger, env, folder, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const [refund, waits] = [await file('single/refund-or-not.wf'), await file('single/waits-for-go.wf')];
    const engine = await open();
    ledger.fails = () => true;
    for (const order of [1, 2]) await ended(engine, refund, { order });
    const waiting: string[] = [];
    for (const order of [3, 4]) {
      const started = await engine.start({ prepared: waits, request: { order }, respondAsync: true });
      assert.equal(started.kind, 'started');
      waiting.push(started.run);
      await engine.settled(started.run, 'paused', 60_000);
    }
    await engine.close(0);
    const runs = async (action: string, values: Values, ...rest: string[]): Promise<Ran> => {
      const io = inMemoryIo(folder, { ...env, WF_STORE: database ?? 'runs' });
      return { exit: await runsCommand([action, ...rest], values, io), ...io.written };
    };
    const where = 'workflow=refund-or-not since=1h';
    assert.deepEqual((await runs('rerun', { where, dryRun: true })).out, '2 runs would be rerun.\n');
    const failed = await runs('rerun', { where });
    assert.deepEqual([failed.exit, failed.out], [1, '2 runs rerun: 2 error.\n']);
    ledger.fails = () => false;
    const done = await runs('rerun', { where, rate: '100/second', json: true });
    assert.equal(done.exit, 0);
    assert.deepEqual(JSON.parse(done.out), {
      action: 'rerun',
      runs: 2,
      unfit: 0,
      rerunBefore: 2,
      changed: 2,
      refused: [],
      left: 0,
      outcomes: { completed: 2 },
    });
    assert.deepEqual(
      (await runs('rerun', { where })).out,
      'There is no run to rerun.\nPassed over: 4 that have been rerun already.\n',
    );
    assert.deepEqual(
      (await runs('resume', { where: 'status=waiting' })).out,
      'There is no run to resume.\nPassed over: 2 that cannot be resumed in their state.\n',
    );
    const cancelled = await runs('cancel', { where: 'workflow=waits-for-go', search: '"order":4' });
    assert.deepEqual([cancelled.exit, cancelled.out], [0, '1 run cancelled.\n']);
    const usage = (pattern: RegExp) => (error: unknown) =>
      error instanceof UsageError && pattern.test(`${error.message} ${error.hint}`);
    await assert.rejects(runs('cancel', { where }, waiting[0] ?? ''), usage(/id of a run, or --where, but not both/));
    await assert.rejects(runs('cancel', { where: 'workflw=x' }), usage(/"workflw".*workflow/));
    await assert.rejects(runs('cancel', { where, rate: 'fast' }), usage(/--rate must be/));
    await assert.rejects(runs('rerun', { where, from: 'middle' }), usage(/start or failure/));
    await assert.rejects(runs('rerun', { where: 'status=error', current: true }), usage(/needs workflow=/));
    await assert.rejects(runs('rerun', { dryRun: true }, 'x'), usage(/only with --where/));
    for (const filter of [{ status: 'waiting' }, { where: 'workflow=waits-for-go status=waiting' }])
      assert.match((await runs('list', filter)).out, new RegExp(`^${waiting[0]} .*\n$`));
    await assert.rejects(runs('list', { where: 'status=error', status: 'waiting' }), usage(/both say which status/));
  });
}

for (const kind of storeKinds)
  test(`${kind}: Ctrl+C records that reruns were stopped, and leaves the rest`, async (t) => {
    const { open, file, ledger, env, folder, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const refund = await file('single/refund-or-not.wf');
    const engine = await open();
    ledger.fails = () => true;
    for (let order = 0; order < 15; order++) await ended(engine, refund, { order });
    await engine.close(0);
    ledger.fails = () => false;
    // The runs in progress outlast the store by far, unless they are let go.
    ledger.delayMs = () => 300;
    const before = ledger.received.length;
    const io = inMemoryIo(folder, { ...env, WF_STORE: database ?? 'runs' }, (stop) => {
      const looking = setInterval(() => {
        if (ledger.received.length < before + 3) return;
        clearInterval(looking);
        stop('SIGINT', 1);
      }, 5);
      t.after(() => clearInterval(looking));
    });
    assert.equal(await runsCommand(['rerun'], { where: 'status=error' }, io), 130);
    assert.match(io.written.out, /^\d+ of 15 runs rerun.* \d+ left\.\n.*continues with the rest\.\n$/s);
    const bulk: (string | undefined)[] = [];
    for await (const { action, about } of (await open()).changes.list()) if (action === 'bulk') bulk.push(about);
    assert.deepEqual([bulk[0], /^rerun stopped, \d+ runs left$/.test(bulk[1] ?? '')], ['rerun of 15 runs', true]);
  });

test('POST /runs/bulk says what it would do, and does it', async (t) => {
  const one = await apiServer(t);
  const ids: string[] = [];
  for (const order of ['bulk-1', 'bulk-2', 'other']) {
    const answered = await one.post('/message', { order });
    ids.push(String(body(answered).run));
  }
  for (const [given, error] of [
    [{}, /what to do/],
    [{ action: 'delete', where: 'status=error' }, /what to do/],
    [{ action: 'cancel' }, /filter is empty/],
    [{ action: 'cancel', where: 'state=error' }, /has no "state"/],
    [{ action: 'cancel', where: 'status=waiting', dryrun: true }, /unknown field "dryrun"/],
    [{ action: 'cancel', where: 'status=waiting', dryRun: 'yes' }, /dryRun/],
    [{ action: 'cancel', where: 'status=waiting', rate: 'fast' }, /rate/],
    [{ action: 'rerun', where: 'status=error', from: 'middle' }, /from/],
    [{ action: 'rerun', where: 'status=error', search: 4 }, /search/],
    [{ action: 'rerun', q: 'a', search: 'a' }, /the same/],
  ] as const) {
    const refused = await one.post('/runs/bulk', given);
    assert.equal(refused.status, 400, JSON.stringify(given));
    assert.match(String(body(refused).error), error);
    assert.ok(String(body(refused).hint).length > 0);
  }
  const where = { workflow: 'message', status: 'waiting' };
  const dry = await one.post('/runs/bulk', { action: 'cancel', where, q: 'bulk-', dryRun: true });
  assert.deepEqual([dry.status, body(dry)], [200, { action: 'cancel', dryRun: true, runs: 2, unfit: 0, rerunBefore: 0 }]);
  const done = await one.post('/runs/bulk', { action: 'cancel', where: 'status=waiting', search: 'bulk-', rate: '100/second' });
  const counts = { action: 'cancel', dryRun: false, runs: 2, unfit: 0, rerunBefore: 0, changed: 2, refused: [], left: 0 };
  assert.deepEqual([done.status, body(done)], [200, counts]);
  const states = await Promise.all(ids.map(async (id) => body(await one.get(`/runs/${id}`)).status));
  assert.deepEqual(states, ['cancelled', 'cancelled', 'waiting']);
});
