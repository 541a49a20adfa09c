// A run is traced while it executes: what it recorded so far can end anywhere, in each of the branches that run at the same time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EffectSite } from '../../runtime/run/durable-run.js';
import type { RunOptions, TakeTurn } from '../../runtime/types.js';
import type { EntryRow } from '../../src/durable/model/entries.js';
import type { Retraced } from '../../src/durable/model/journal-views.js';
import { CoveredWorkflows, filesFromMemory } from '../../src/durable/views/covered-workflow.js';
import { retraceRun } from '../../src/durable/views/retracing.js';
import { testFile } from '../root.js';
import { execute, journaledFile } from './journaled.js';
import { randomFrom } from './random-from.js';

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
        ...{ workflow, rows, request: {}, startedAt: Date.parse('2026-03-02T09:00:00Z'), only: [] },
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
