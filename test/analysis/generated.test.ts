// Cases that `wf test --generate` makes from nothing: how much of a workflow they reach, that nothing comes twice, and that each stands at the
// boundary that it is named after.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { WfRecord } from '../../runtime/types.js';
import { type Candidate, candidates, isOnWay } from '../../src/analysis/candidates.js';
import { hintsOf, variationsOf } from '../../src/analysis/variations.js';
import { createEngine } from '../../src/engine/engine.js';
import { exampleRecord } from '../../src/input/example-value.js';
import { prepareWithCoverage } from '../../src/testing/coverage.js';
import { MarginReader } from '../../src/testing/margins.js';
import { tryOut } from '../../src/testing/trial.js';
import { fixture, halfOf, isSlow } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';
import { folderWithData, wfTest } from '../testing/in-memory-io.js';

const examples = readdirSync(fixture('examples')).filter((name) => name.endsWith('.wf'));
/** Each takes a second. */
const chosen = isSlow ? halfOf(examples) : ['daily-sales-report.wf', 'invoice-matching.wf', 'loan-decision.wf'];

for (const name of chosen)
  test(`generates cases that reach most of ${name}`, async (t) => {
    const data = Object.fromEntries(
      readdirSync(fixture('examples'))
        .filter((file) => /\.(?:wf|xlsx)$/.test(file))
        .map((file) => [file, readFileSync(fixture('examples', file))]),
    );
    const folder = temporaryFolder(t, data);
    const generated = await wfTest(folder, [name], { generate: true });
    assert.equal(generated.exit, 0, generated.err);
    const again = await wfTest(folder, [name], { generate: true });
    assert.match(again.out, /nothing new to add/);
    const tested = await wfTest(folder, [name], { coverage: '90' });
    assert.equal(tested.exit, 0, tested.out + tested.err);
    const runs = await runsOf(folder, name);
    for (const { name: title, input } of casesOf(folder, name)) {
      const named = runs.filter(({ made }) => isAt(made, title) && JSON.stringify(made.request) === JSON.stringify(input));
      assert.ok(named.length === 0 || named.some(({ isMet }) => isMet), title);
    }
    const whole = runs.filter(({ made }) => made.tag === undefined && made.state.isExact && made.end.status !== 'error');
    const met = whole.filter(({ isMet }) => isMet);
    t.diagnostic(`${met.length} of ${whole.length} requests take the way that they were made for`);
    assert.ok(met.length >= whole.length * LEAST_MET, `${met.length} of ${whole.length}`);
  });

/** What an operation has made, such as a sum over two lists, can't be chosen. */
const LEAST_MET = 0.2;

interface Case {
  readonly name: string;
  readonly input: unknown;
}

const casesOf = (folder: string, name: string): Case[] =>
  JSON.parse(readFileSync(path.join(folder, name.replace(/wf$/, 'test.json')), 'utf8'));

const isAt = ({ label }: Candidate, title: string): boolean =>
  label !== undefined && title.replace(/ \(\d+\)$/, '').endsWith(`, ${label.replace(/^request\./, '')}`);

test('reaches what takes an answer in each round of a loop that differs from the one before', async (t) => {
  const folder = temporaryFolder(t, {
    'leak-alarm.wf': readFileSync(fixture('..', 'test', 'analysis', 'mistakes', 'leak-alarm.wf')),
  });
  assert.equal((await wfTest(folder, ['leak-alarm.wf'], { generate: true })).exit, 0);
  const tested = await wfTest(folder, ['leak-alarm.wf'], { coverage: '100' });
  assert.equal(tested.exit, 0, tested.out + tested.err);
});

/** Everything that is made for a way, and whether its run takes that way. */
async function runsOf(cwd: string, name: string): Promise<{ made: Candidate; isMet: boolean }[]> {
  const version = await prepareWithCoverage(name, { cwd, trace: true });
  assert.ok(version.ok);
  const { checked, prepared, reachable } = version;
  const margins = new MarginReader(checked, reachable);
  const engine = createEngine({ env: {}, mock: true });
  const runs: { made: Candidate; isMet: boolean }[] = [];
  for (const made of candidates(checked, exampleRecord(checked.facts.inputs ?? [], 'typical'))) {
    const watch = margins.watch(made.request);
    const { outcome, reached } = await tryOut(engine, prepared, made, watch);
    const lines = new Set([...reached].map((index) => reachable[index]?.line));
    runs.push({ made, isMet: isOnWay(made, { status: outcome.status, lines, answers: watch.answers }, margins.lines) });
  }
  await engine.close();
  return runs;
}

test('lets a called workflow give its own answers, and writes days as dates', async (t) => {
  const folder = folderWithData(t, {
    'credit.wf': `config:
    name: "Credit"
    version: 1

workflow:
    trigger: when an order asks for credit

    if request.rating is 5:
        reject with "No credit."
    complete with days 30
`,
    'order.wf': `config:
    name: "Order"
    version: 1

inputs:
    rating is a whole number from 1 to 5
    due is a date

services:
    Credit is a workflow at "./credit.wf"

workflow:
    trigger: when an order comes in

    if request.due is before "2026-03-01":
        reject with "too early"
    if request.due is after "2026-12-31":
        reject with "too late"
    get credit using Credit with rating request.rating
        save the result as credit
        on failure:
            if failure.rejected:
                reject with "Prepayment only."
            reject with "Please try again."
    complete with days credit.days
`,
  });
  const { exit, err } = await wfTest(folder, ['order.wf'], { generate: true });
  assert.equal(exit, 0, err);
  const { out } = await wfTest(folder, ['order.wf'], {});
  assert.match(out, /The cases cover every line and branch of order\.wf/);
  const names = (JSON.parse(readFileSync(path.join(folder, 'order.test.json'), 'utf8')) as { name: string }[]).map(
    ({ name }) => name,
  );
  assert.ok(
    names.some((name) => /, due = 2026-\d\d-\d\d$/.test(name)),
    names.join('\n'),
  );
});

test('answers a list of rows with rows, which nothing has to read', async (t) => {
  const folder = temporaryFolder(t, {
    'plots.wf': `config:
    name: "Plots"
    version: 1

services:
    Registry is a database at "{env.REGISTRY}"

workflow:
    trigger: by hand

    list plots using Registry at "plots" where file request.file
        save the result as plots
    if plots is empty:
        reject with "No plot."
    complete
`,
  });
  assert.equal((await wfTest(folder, ['plots.wf'], { generate: true })).exit, 0);
  const cases = JSON.parse(readFileSync(path.join(folder, 'plots.test.json'), 'utf8')) as {
    mocks?: { Registry: Record<string, unknown> };
  }[];
  const rows = new Set(cases.map(({ mocks }) => JSON.stringify(mocks?.Registry['list plots'])));
  assert.ok(rows.has('[]') && rows.has('[{"id":1}]'), [...rows].join(' '));
});

test('varies answers in turn, and leaves some', () => {
  const base = { request: {}, mocks: { Boss: { ask: { inTurn: ['yes', 'no'] } } }, messages: {} };
  const lists = [...variationsOf(base, hintsOf([]))].map(({ mocks }) => (mocks.Boss as WfRecord).ask);
  assert.ok(lists.length > 2);
  for (const list of lists) assert.notDeepEqual(list, { inTurn: [] });
});
