// A called workflow is a run of its own in a store, inside the journal of the run that called it.

import assert from 'node:assert/strict';
import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { type EntryRow, entryKinds } from '../../src/durable/model/entries.js';
import { type FoundRun, storedStates } from '../../src/durable/model/run-rows.js';
import type { RunQuery, RunState, RunSummary } from '../../src/durable/model/run-views.js';
import type { StoredSite } from '../../src/durable/model/versions.js';
import { openStore } from '../../src/durable/open-store.js';
import { CalledRuns } from '../../src/durable/views/called-runs.js';
import { testFile } from '../root.js';
import { standIn } from '../stand-in.js';
import { endWithTest } from '../temporary-folder.js';
import { until } from '../until.js';
import { dropTemplate } from './test-database.js';
import { begun, storeKinds, testStore } from './test-store.js';

after(dropTemplate);

const childrenOf = async (store: DurableEngine, parent: string): Promise<readonly RunSummary[]> =>
  (await store.list({ parent })).runs;

/** The states of a run and of everything that it has called, by level. */
async function levels(store: DurableEngine, run: string): Promise<(readonly [string, string])[][]> {
  const found: (readonly [string, string])[][] = [];
  for (let ids = [run]; ids.length > 0; ) {
    const states = (await Promise.all(ids.map((id) => store.state(id)))).filter(
      (state): state is RunState => state !== undefined,
    );
    found.push(states.map(({ workflow, status }) => [workflow, status] as const));
    ids = (await Promise.all(ids.map(async (id) => (await childrenOf(store, id)).map(({ run: child }) => child)))).flat();
  }
  return found;
}

for (const kind of storeKinds) {
  test(`a called workflow has an id, a state, a journal and a log of its own (${kind})`, async (t) => {
    const { file, open, folder } = await testStore(t, kind);
    const prepared = await file('called/rounds/main.wf');
    const first = await open({ current: () => prepared });
    const { run, end } = await begun(first, prepared, { customer: 'ada' });
    assert.equal((await end).kind, 'paused');
    const [child, ...others] = await childrenOf(first, run);
    assert.ok(child !== undefined && others.length === 0);
    assert.notEqual(child.run, run);
    assert.deepEqual(
      {
        ...child,
        createdAt: '',
        startedAt: '',
        textHash: '',
        durationMs: 0,
        run: '',
        waitingFor: { ...child.waitingFor, since: '', until: '' },
      },
      {
        run: '',
        parent: run,
        workflow: 'part',
        version: 3,
        status: 'waiting',
        createdAt: '',
        startedAt: '',
        about: 'ada',
        textHash: '',
        durationMs: 0,
        waitingFor: { kind: 'message', name: 'payment', line: 14, since: '', until: '' },
      },
    );
    assert.ok(!(await first.list({})).runs.some((one) => one.run === child.run), 'it is in no other list');
    assert.deepEqual(
      (await first.list({ q: child.run })).runs.map((one) => one.run),
      [child.run],
      'its id finds it',
    );
    const named = async (query: RunQuery): Promise<string[]> =>
      (await first.list({ workflow: 'part', withCalled: true, ...query })).runs.map((one) => one.run);
    assert.deepEqual(await named({}), [child.run]);
    assert.deepEqual(await named({ status: 'waiting', q: 'ada' }), [child.run]);
    assert.deepEqual(
      [await named({ status: 'error' }), await named({ cursor: child.run }), await named({ q: 'eve' })],
      [[], [], []],
    );
    await first.close(0);
    rmSync(path.join(folder, 'part.wf'));
    const second = await open({ current: () => prepared });
    await second.serve();
    // The message reaches the run that waits, whichever of the two ids it is sent to.
    assert.equal((await second.send({ name: 'payment', body: { order: 'ada', amount: 5 }, run: child.run })).kind, 'sent');
    assert.equal((await second.settled(child.run, 'ended', 60_000))?.status, 'completed');
    await second.settled(run, 'ended', 60_000);
    const detail = await second.get(child.run);
    assert.deepEqual(
      [detail?.parent, detail?.root, detail?.title, detail?.request, detail?.outputs, detail?.effects],
      [run, run, 'The part', { customer: 'ada' }, { sum: 5 }, 3],
    );
    assert.ok(detail !== undefined && Date.parse(detail.createdAt) >= Date.parse((await second.get(run))?.createdAt ?? ''));
    const version = await second.text(detail.textHash);
    assert.deepEqual([version?.file, version?.text], ['part.wf', testFile('durable/files/called/rounds/part.wf')]);
    const log = await second.log(child.run);
    assert.deepEqual(
      log.map(({ type, line, message, workflow: inside }) => [type, line, message, inside]),
      [
        ['log', 12, 'round 1 for ada', undefined],
        ['call', 13, undefined, undefined],
        ['log', 12, 'round 2 for ada', undefined],
        ['call', 13, undefined, undefined],
        ['message', 14, undefined, undefined],
      ],
    );
    const outside = (await second.log(run)).map(({ type, line, calledLine, service }) => [type, line, calledLine, service]);
    assert.deepEqual(outside.slice(0, 2), [
      ['log', 12, 12, undefined],
      ['call', 12, 13, 'Ledger'],
    ]);
    assert.deepEqual(outside.at(-1), ['call', 12, undefined, 'Part']);
    const entries = (await second.journal(child.run))?.entries ?? [];
    assert.deepEqual([...new Set(entries.map(({ branch }) => branch))], ['']);
    const calls = (await second.journal(run))?.entries.filter(({ kind: what }) => what === 'workflow');
    assert.deepEqual(
      calls?.map(({ line, run: id, ok, service }) => [line, id, ok, service]),
      [
        [12, child.run, undefined, 'Part'],
        [12, child.run, true, 'Part'],
      ],
    );
    const traced = await second.retrace(child.run);
    assert.ok(traced);
    assert.equal(traced.doubt, undefined);
    assert.deepEqual(
      [...(traced?.reached ?? [])],
      [
        [11, 1],
        [12, 2],
        [13, 2],
        [14, 1],
        [16, 1],
      ],
    );
  });

  test(`calls in calls, in loops and at the same time have runs, which end like their calls (${kind})`, async (t) => {
    const { file, open, folder } = await testStore(t, kind);
    const prepared = await file('called/levels/main.wf');
    const store = await open({ current: () => prepared });
    const { run, end } = await begun(store, prepared, {});
    assert.equal((await end).kind, 'outcome');
    const [own, parts, deeps] = await levels(store, run);
    const ends = (states: (readonly [string, string])[] | undefined): string[] =>
      (states ?? []).map(([, status]) => status).sort();
    assert.deepEqual(own, [[prepared.basename, 'completed']]);
    assert.deepEqual(ends(parts), ['completed', 'completed', 'error', 'error', 'error']);
    assert.deepEqual(ends(deeps), ['completed', 'completed', 'error', 'error', 'rejected']);
    const [failed] = (await childrenOf(store, run)).filter(({ status }) => status === 'error');
    const state = await store.state(failed?.run ?? '');
    assert.equal(state?.error?.line, 12);
    const [newest] = await childrenOf(store, failed?.run ?? '');
    assert.equal(newest?.parent, failed?.run);
    assert.equal((await store.get(newest?.run ?? ''))?.root, run);
    assert.deepEqual((await store.list({ parent: run, status: 'completed' })).runs.length, 2);
    const pages: string[] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await store.list({ parent: run, limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      pages.push(...page.runs.map((one) => one.run));
      cursor = page.next;
    }
    assert.deepEqual(
      pages,
      (await childrenOf(store, run)).map((one) => one.run),
    );
    const exported: string[] = [];
    for await (const one of store.export()) exported.push(one.run);
    assert.deepEqual([exported[0], new Set(exported).size], [run, 11], 'each is exported with its caller');
    const other = await openStore('other', { env: { HOME: folder }, cwd: folder });
    endWithTest(t, () => other.close(0));
    await other.moving.import(store.moving.export());
    assert.deepEqual(await levels(other, run), [own, parts, deeps], 'they go to another store with their caller');
    await store.prune({ olderThanMs: -1_000 });
    assert.equal(await store.state(run), undefined);
    assert.equal(await store.state(newest?.run ?? ''), undefined, 'and are deleted with it');
  });

  test(`a called workflow is cancelled, resumed and rerun with its caller (${kind})`, async (t) => {
    const { file, open } = await testStore(t, kind);
    const prepared = await file('called/long/main.wf');
    const store = await open({ current: () => prepared });
    const { run, end } = await begun(store, prepared, {});
    assert.equal((await end).kind, 'paused');
    const [child] = await childrenOf(store, run);
    const id = child?.run ?? '';
    const problem = `This run is part of the run ${run}, which called it. Cancel, resume or rerun that one.`;
    for (const change of [await store.cancel(id), await store.resume(id)]) {
      assert.equal(change.kind, 'not possible');
      assert.equal('problem' in change && change.problem, problem);
    }
    assert.deepEqual(await store.rerun(id, { from: 'start', workflow: 'recorded' }), { kind: 'not possible', problem });
    assert.equal((await store.cancel(run)).kind, 'done');
    const state = await store.state(id);
    assert.deepEqual([state?.status, state?.message], ['cancelled', 'The run was cancelled.']);
    assert.equal(state?.finishedAt, (await store.state(run))?.finishedAt);
  });

  test(`a called workflow that takes too long fails its call, also while nobody has the run in memory (${kind})`, async (t) => {
    const { file, open, ledger } = await testStore(t, kind);
    const prepared = await file('called/too-long/main.wf');
    const first = await open({ current: () => prepared });
    await first.serve();
    const { run } = await begun(first, prepared, {});
    await until(async () => (await first.state(run))?.waitingFor?.name === 'go');
    assert.deepEqual(
      (await childrenOf(first, run)).map(({ workflow: of, status }) => [of, status]),
      [
        ['own', 'error'],
        ['part', 'error'],
      ],
    );
    await first.close(0);
    const second = await open({ current: () => prepared });
    await second.serve();
    await second.send({ name: 'go', body: {}, run });
    const state = await second.settled(run, 'ended', 60_000);
    const logged = (await second.log(run)).find(({ type }) => type === 'log')?.message;
    assert.deepEqual(
      state?.outputs,
      {
        said: [
          'Part: get part failed after 1 attempt: no answer within 1 second.',
          'Own: get own failed after 1 attempt: The run exceeded its time limit of 1 second and was stopped.',
        ],
        after: logged,
      },
      state?.message,
    );
    // On a busy machine, the time may be over before the call.
    const keys = ledger.received.map(({ key }) => key);
    assert.deepEqual(keys, [...new Set(keys)], 'at most once by each');
  });
}

// Lists of the runs that a run has called: the work grows with the journal, not with its square.

const root = '0192a1b2c3d47000800000000000beef';
const call: StoredSite = { kind: 'call', site: 0, line: 12, title: 'Part: get part', service: 'Part', serviceKind: 'workflow' };
const inside: StoredSite = {
  kind: 'call',
  site: 1,
  line: 12,
  title: 'part.wf › Api: GET',
  service: 'Api',
  serviceKind: 'api',
  inside: { file: 'part.wf', line: 5, title: 'Api: GET' },
};
const sites = new Map([
  [0, call],
  [1, inside],
]);

interface Reads {
  branches: number;
  bodies: number;
}

/** The journal of a run that has called another workflow this often, and counts who looks. */
function journal(calls: number, reads: Reads): EntryRow[] {
  const rows: EntryRow[] = [];
  const add = (row: Pick<EntryRow, 'branch' | 'seq' | 'part' | 'kind' | 'site'>, body: unknown): void => {
    const pos = rows.length;
    rows.push({
      pos,
      seq: row.seq,
      part: row.part,
      kind: row.kind,
      site: row.site,
      at: pos,
      ms: 0,
      get branch() {
        reads.branches++;
        return row.branch;
      },
      get body() {
        reads.bodies++;
        return JSON.stringify(body);
      },
    });
  };
  const { fork, call: answer, log } = entryKinds;
  const called = { title: 'Part', version: 1, file: 'part.wf', trigger: 't', request: {}, attempt: 1, now: 0 };
  for (let seq = 0; seq < calls; seq++) {
    add({ branch: '', seq, part: 0, kind: fork, site: 0 }, { called });
    add({ branch: `${seq}.0`, seq: 0, part: 2, kind: answer, site: 1 }, { r: { ok: true } });
    add({ branch: `${seq}.0`, seq: null, part: null, kind: log, site: null }, []);
    add({ branch: '', seq, part: 1, kind: fork, site: 0 }, { begun: 1, called: { status: 'completed', outputs: {} } });
  }
  return rows;
}

function readsOf(calls: number, look: (runs: CalledRuns) => void): Reads {
  const reads = { branches: 0, bodies: 0 };
  const row = { id: root, state: storedStates.completed, finished: 1, extra: null, waits: null };
  const info = JSON.stringify({ title: 'Main', version: 1, trigger: 't', file: 'main.wf' });
  look(new CalledRuns(standIn<FoundRun>({ row, workflow: 'main', hash: 'h', info }), journal(calls, reads), sites));
  return reads;
}

/** Every called run, as a list shows it. */
const all = (runs: CalledRuns): number => runs.of(root).filter((id) => runs.find(id)?.called?.rows.length === 2).length;
/** Those that a filter lets through. */
const filtered = (runs: CalledRuns, workflow: string): number =>
  runs.of(root).filter((id) => runs.outline(id)?.workflow === workflow && runs.outline(id)?.state() === storedStates.completed)
    .length;

test('a list of ten times as many called runs is ten times the work', () => {
  const few = readsOf(100, (runs) => assert.equal(all(runs), 100));
  const many = readsOf(1_000, (runs) => assert.equal(all(runs), 1_000));
  assert.ok(many.branches <= 10 * few.branches, `${many.branches} instead of ${few.branches}`);
  assert.ok(many.bodies <= 10 * few.bodies, `${many.bodies} instead of ${few.bodies}`);
});

test('what a filter drops is not read', () => {
  const shown = readsOf(100, (runs) => assert.equal(all(runs), 100));
  const dropped = readsOf(100, (runs) => assert.equal(filtered(runs, 'other'), 0));
  const kept = readsOf(100, (runs) => assert.equal(filtered(runs, 'part'), 100));
  assert.equal(dropped.bodies, 200, 'the start of each call, twice');
  assert.ok(kept.bodies < shown.bodies, `${kept.bodies} instead of ${shown.bodies}`);
});

// Calls of other workflows in runs of a store: their effects happen once, their waits survive a restart, their ends are the caller's.

for (const kind of storeKinds) {
  test(`a resumed run continues inside the workflow that it calls (${kind})`, async (t) => {
    const { file, open, ledger, folder } = await testStore(t, kind);
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
    const { file, open, ledger } = await testStore(t, kind);
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
    const { file, open } = await testStore(t, kind);
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
    const { file, open, ledger } = await testStore(t, kind);
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
