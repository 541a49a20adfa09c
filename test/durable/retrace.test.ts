// Executing a run once more against its records shows which lines it reached, and calls no service again.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, type TestContext, test } from 'node:test';
import type { EffectSite } from '../../runtime/run/durable-run.js';
import type { LogEntry, RunOptions, TakeTurn, WfRecord } from '../../runtime/types.js';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { logAddress } from '../../src/durable/model/addresses.js';
import type { EntryRow } from '../../src/durable/model/entries.js';
import type { Retraced } from '../../src/durable/model/run-views.js';
import { openStore } from '../../src/durable/open-store.js';
import { CoveredWorkflows, filesFromMemory } from '../../src/durable/views/covered-workflow.js';
import { retraceRun } from '../../src/durable/views/retracing.js';
import { RunHistory } from '../../src/durable/views/run-history.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { root, testFile } from '../root.js';
import { endWithTest } from '../temporary-folder.js';
import { until } from '../until.js';
import { execute, journaledFile } from './journaled.js';
import { randomFrom } from './random-from.js';
import { dropTemplate } from './test-database.js';
import { begun, storeKinds, testStore } from './test-store.js';

const source = readFileSync(path.join(root, 'test/console/samples/refund.wf'), 'utf8');

/** Line numbers by part of their text. */
const lineOf = (piece: string): number => source.split('\n').findIndex((line) => line.includes(piece)) + 1;

interface Started {
  readonly store: DurableEngine;
  readonly asked: string[];
  readonly start: (request: WfRecord) => Promise<string>;
}

async function withStore(t: TestContext): Promise<Started> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-retrace-'));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const isPayment = request.url?.startsWith('/payments');
    response.writeHead(request.url?.endsWith('SKU-3') ? 409 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isPayment ? { id: 'P-1', amount: 900 } : { id: 'R-1' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on TCP has an address of this type.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { PAYMENTS_URL: url, WAREHOUSE_URL: url, TEAM_CHAT_URL: `${url}/chat`, PAYMENTS_TOKEN: 'token-of-payments' };
  writeFileSync(path.join(folder, 'refund.wf'), source);
  const prepared = await prepare('refund.wf', { cwd: folder, env });
  assert.ok(prepared.ok);
  const store = await openStore('store', { env, cwd: folder });
  t.after(async () => {
    await store.close(0);
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  const start = async (request: WfRecord): Promise<string> => {
    const started = await store.start({ prepared: prepared.prepared, request });
    assert.ok(started.kind === 'started');
    await started.end;
    await store.settled(started.run, 'ended', 60_000);
    return started.run;
  };
  return { store, asked, start };
}

const items = (count: number): WfRecord[] =>
  Array.from({ length: count }, (_, index) => ({ sku: `SKU-${index + 1}`, quantity: 1, digital: index === 1 }));

test('counts each line, but not the branches that were not taken, and calls nothing again', async (t) => {
  const { store, asked, start } = await withStore(t);
  const run = await start({ payment: 'P-1', amount: 120, customer: 'Ada', items: items(4) });
  const before = [...asked];
  const traced = await store.retrace(run);
  assert.ok(traced);
  const count = (piece: string): number => traced.reached.get(lineOf(piece)) ?? 0;
  assert.equal(traced.doubt, undefined);
  assert.deepEqual(
    [
      'get payment',
      'reject with "Only',
      'set level to "medium"',
      'set level to "small"',
      'skip',
      'update stock',
      'log "The stock',
      'complete with',
    ].map(count),
    [1, 0, 1, 0, 1, 3, 1, 1],
  );
  assert.equal(traced.loops.get(lineOf('for each item')), 4);
  assert.deepEqual(asked, before, 'no service is asked');
});

test('effects and log lines know their rounds, and one round is counted alone', async (t) => {
  const { store, start } = await withStore(t);
  const run = await start({ payment: 'P-1', amount: 120, customer: 'Ada', items: items(4) });
  const loop = lineOf('for each item');
  const traced = await store.retrace(run);
  const journal = await store.journal(run);
  const calls = journal?.entries.filter(({ kind, line }) => kind === 'call' && line === lineOf('update stock')) ?? [];
  assert.deepEqual(
    calls.map(({ position }) => traced?.rounds.get(position)),
    [[[loop, 1]], [[loop, 3]], [[loop, 4]]],
    'the second item is digital',
  );
  assert.deepEqual(traced?.logged.get(logAddress('', lineOf('log "The stock'))), [[[loop, 3]]]);
  const second = await store.retrace(run, [[loop, 2]]);
  assert.deepEqual(
    ['skip', 'update stock', 'for each item', 'complete with'].map((piece) => second?.reached.get(lineOf(piece)) ?? 0),
    [1, 0, 1, 1],
  );
  assert.equal(second?.loops.get(loop), 4);
});

test('traces a run that failed up to its failure', async (t) => {
  const { store, start } = await withStore(t);
  const run = await start({ payment: 'P-1', amount: 'much', customer: 'Ada', items: [] });
  const traced = await store.retrace(run);
  assert.equal((await store.get(run))?.status, 'error');
  assert.equal(traced?.reached.get(lineOf('get payment')), 1);
  assert.equal(traced?.reached.get(lineOf('complete with')), undefined);
});

test('adds up the lines of a version over its runs; unknown runs and versions give nothing', async (t) => {
  const { store, start } = await withStore(t);
  const first = await start({ payment: 'P-1', amount: 120, customer: 'Ada', items: items(1) });
  await start({ payment: 'P-1', amount: 20, customer: 'Ada', items: [] });
  const version = (await store.get(first))?.textHash ?? '';
  const reached = await store.reached(version, '2020-01-01T00:00:00Z');
  assert.equal(reached.runs, 2);
  assert.equal(reached.lines.get(lineOf('get payment')), 2);
  assert.equal(reached.lines.get(lineOf('set level to "small"')), 1);
  const none = { runs: 0, lines: new Map() };
  assert.deepEqual(await store.reached(version, new Date(Date.now() + 60_000).toISOString()), none);
  assert.deepEqual(await store.reached('none', '2020-01-01T00:00:00Z'), none);
  assert.equal(await store.retrace('none'), undefined);
});

test('rounds that ran at the same time are told apart, and a branch that was aborted counts as far as it came', async (t) => {
  const { file, open } = await testStore(t);
  const prepared = await file('single/rounds-and-branches.wf');
  const store = await open();
  const { run, end } = await begun(store, prepared);
  await end;
  await until(async () => (await store.state(run))?.status === 'completed');
  const [loop, inner] = [12, 13];
  const traced = await store.retrace(run);
  assert.deepEqual([traced?.doubt, traced?.loops.get(loop), traced?.loops.get(inner)], [undefined, 3, 2]);
  const count = (line: number): number => traced?.reached.get(line) ?? 0;
  assert.deepEqual([12, 13, 14, 15, 16, 17, 18, 20, 21, 22, 23, 25].map(count), [1, 3, 6, 6, 3, 1, 1, 1, 1, 1, 0, 1]);
  const journal = (await store.journal(run))?.entries ?? [];
  const calls = journal.filter(({ kind, line }) => kind === 'call' && line === 15);
  const rounds = calls.map(({ position, url }) => [url?.split('/').at(-2), traced?.rounds.get(position)]);
  for (const number of [1, 2, 3])
    assert.deepEqual(
      rounds.filter(([of]) => of === String(number)).map(([, round]) => round),
      [
        [
          [loop, number],
          [inner, 1],
        ],
        [
          [loop, number],
          [inner, 2],
        ],
      ],
    );
  const history = new RunHistory();
  history.feed(journal);
  if (traced !== undefined) history.place(traced);
  const second = history.byLine([{ line: loop, round: 2 }]);
  assert.deepEqual(
    second.get(14)?.effects.map(({ message }) => message),
    ['2a', '2b'],
  );
  assert.equal((await store.retrace(run, [[loop, 3]]))?.reached.get(14), 2);
});

for (const [name, line, before, after] of [
  ['by-mode.wf', 12, undefined, undefined],
  ['rounds-by-mode.wf', 14, 2, 1],
] as const)
  test(`says where another environment leads elsewhere, and does not mark a line that the run did not reach there: ${name}`, async (t) => {
    const { open, env, file } = await testStore(t);
    env.MODE = 'a';
    const store = await open();
    const { run, end } = await begun(store, await file(`single/${name}`));
    await end;
    const traced = await store.retrace(run);
    assert.deepEqual([traced?.doubt, traced?.reached.get(line)], [undefined, before]);
    await store.close(0);
    env.MODE = 'b';
    const elsewhere = await (await open()).retrace(run);
    assert.equal(
      elsewhere?.doubt,
      `Some lines may be marked wrongly: with the environment variables set here, the workflow comes to line ${line}, where the run did something else.`,
    );
    assert.equal(elsewhere.reached.get(line), after);
  });

for (const kind of storeKinds)
  test(`shows the calls that a run is making, each with its branch (${kind})`, async (t) => {
    const { ledger, open, file } = await testStore(t, kind);
    const answers: (() => void)[] = [];
    ledger.answered = ({ step }) => new Promise((resolve) => (answers[step] = resolve));
    const store = await open();
    const { run, end } = await begun(store, await file('single/branch-with-a-fault.wf'));
    const underWay = async () => (await store.retrace(run))?.next.map(({ line, title }) => `${line}: ${title}`);
    await until(() => answers[1] !== undefined && answers[2] !== undefined);
    assert.deepEqual(await underWay(), ['12: Ledger: POST /1/1', '14: Ledger: POST /1/2']);
    answers[2]?.();
    await until(() => answers[3] !== undefined);
    await until(async () => (await underWay())?.at(-1) === '15: Ledger: POST /1/3');
    assert.deepEqual(await underWay(), ['12: Ledger: POST /1/1', '15: Ledger: POST /1/3']);
    answers[1]?.();
    answers[3]?.();
    await end;
    await until(async () => (await underWay())?.length === 0);
  });

// A run is traced while it executes: what it recorded so far can end anywhere, in each of the branches that run at the same time.

/** Orders in which the branches end. */
const SEEDS = 5;

interface Traced {
  readonly rows: (random: () => number) => Promise<readonly EntryRow[]>;
  readonly retrace: (rows: readonly EntryRow[]) => Promise<Retraced>;
}

/** @param usual options of a run, unless retracing has its own */
async function traced(name: string, usual: RunOptions = {}): Promise<Traced> {
  const sites = new Map<number | null, EffectSite>();
  const host = { describe: (site: EffectSite) => void sites.set(site.site, site) };
  const text = testFile(`durable/files/${name}`);
  const prepared = await journaledFile(name);
  const workflow = await new CoveredWorkflows().of(name, async () => ({ text, files: filesFromMemory('flow.wf', []) }));
  assert.ok(workflow !== undefined);
  return {
    rows: async (random) => (await execute(prepared, [], { host, random })).rows,
    retrace: (rows) =>
      retraceRun({
        workflow,
        rows,
        request: {},
        startedAt: Date.parse('2026-03-02T09:00:00Z'),
        only: [],
        siteOf: (site) => sites.get(site),
        execute: async (covered, request, durable, options) =>
          void (await covered.run(request, { ...usual, ...options, durable, keepLog: false })),
      }),
  };
}

for (const name of ['parallel/waits-calls-and-logs.wf', 'parallel/blocks-and-rounds.wf']) {
  test(`${name} is traced from each beginning of its journal`, async () => {
    const { rows: rowsOf, retrace } = await traced(name);
    for (let seed = 0; seed < SEEDS; seed++) {
      const rows = await rowsOf(randomFrom(seed));
      let before = 0;
      for (let count = 0; count <= rows.length; count++) {
        const { reached, doubt } = await retrace(rows.slice(0, count));
        const lines = [...reached.values()].reduce((sum, times) => sum + times, 0);
        assert.equal(doubt, undefined, `seed ${seed}, ${count} rows`);
        assert.ok(lines >= before, `seed ${seed}: ${count} rows show less than ${count - 1}`);
        before = lines;
      }
    }
  });
}

test('a call without a record takes no turn of its service', async () => {
  let taken = 0;
  const takeTurn: TakeTurn = () => {
    taken++;
    return { turn: Promise.resolve(), leave: () => undefined };
  };
  const { retrace } = await traced('parallel/limited-call.wf', { takeTurn });
  assert.equal((await retrace([])).reached.size, 1);
  assert.equal(taken, 0);
});

test('a workflow whose text could not be read is read again', async () => {
  const workflows = new CoveredWorkflows();
  const text = testFile('durable/files/parallel/limited-call.wf');
  await assert.rejects(
    workflows.of('one', () => Promise.reject(new Error('the store is being opened again'))),
    /opened again/,
  );
  assert.notEqual(await workflows.of('one', async () => ({ text, files: filesFromMemory('flow.wf', []) })), undefined);
});

// A version holds the texts of the workflows that it calls and the files of its tables, so its runs can be retraced whatever happens to the
// files.

after(dropTemplate);

const part = testFile('durable/files/part.wf');

const deep = testFile('durable/files/deep.wf');

for (const kind of storeKinds) {
  test(`runs are retraced from the files that they were compiled from (${kind})`, async (t) => {
    const { file, open, folder, env } = await testStore(t, kind);
    mkdirSync(path.join(folder, 'parts'));
    writeFileSync(path.join(folder, 'parts', 'part.wf'), part);
    writeFileSync(path.join(folder, 'deep.wf'), deep);
    writeFileSync(path.join(folder, 'parts', 'shares.csv'), 'region is,share\nnorth,2\nany,1\n');
    writeFileSync(path.join(folder, 'rates.csv'), 'region is,rate\nnorth,7\ncafé,8\nany,1\n');
    cpSync(path.join(root, 'fixtures/examples/shipping-zones.xlsx'), path.join(folder, 'costs.xlsx'));
    const prepared = await file('single/tables-and-parts.wf');
    const store = await open({ current: () => prepared });
    const { run, end } = await begun(store, prepared, { region: 'north' });
    assert.equal((await end).kind, 'outcome');
    writeFileSync(path.join(folder, 'rates.csv'), 'region is,rate\nany,0\n');
    for (const name of ['parts', 'deep.wf', 'costs.xlsx']) rmSync(path.join(folder, name), { recursive: true });
    await store.close(0);
    const later = await open();
    const placed = (log: readonly LogEntry[]) =>
      log.map(({ type, line, workflow: name, calledLine, message, service }) => [type, line, name, calledLine, message, service]);
    const { log } = await prepared.run({ region: 'north' }, { env });
    assert.deepEqual(placed(await later.log(run)), placed(log), 'the log is that of a run in memory');
    assert.deepEqual(
      log.filter(({ type }) => type === 'log').map(({ workflow: name, calledLine }) => [name, calledLine]),
      [
        ['Part', 12],
        ['Part', 13],
        ['Part', 12],
        ['Part', 13],
        [undefined, undefined],
      ],
    );
    const inside = (await later.journal(run, { from: 4 }))?.entries.filter(({ kind: what }) => what === 'call');
    assert.deepEqual(inside?.at(-1), { ...inside?.at(-1), line: 19, workflow: 'Part', calledLine: 15, service: 'Ledger' });
    assert.deepEqual((await later.state(run))?.outputs, { rate: 7, share: 4 });
    const traced = await later.retrace(run);
    assert.ok(traced);
    assert.equal(traced.doubt, undefined);
    const text = (await later.text((await later.get(run))?.textHash ?? ''))?.text.split('\n') ?? [];
    const count = (piece: string): number => traced?.reached.get(text.findIndex((line) => line.includes(piece)) + 1) ?? 0;
    assert.deepEqual(['look up rate', 'for each', 'get part', 'log "the rate', 'complete'].map(count), [1, 1, 2, 1, 1]);
    const other = await openStore('other', { env, cwd: folder });
    endWithTest(t, () => other.close(0));
    await other.moving.import(later.moving.export());
    assert.deepEqual((await other.retrace(run))?.reached, traced?.reached, 'the files go with a run to another store');
  });
}
