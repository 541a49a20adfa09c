// Lists of the runs that a run has called: the work grows with the journal, not with its square.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EntryRow, entryKinds } from '../../src/durable/model/entries.js';
import type { FoundRun } from '../../src/durable/model/run-rows.js';
import { storedStates } from '../../src/durable/model/run-rows.js';
import type { StoredSite } from '../../src/durable/model/versions.js';
import { CalledRuns } from '../../src/durable/views/called-runs.js';

const root = '0192a1b2c3d47000800000000000beef';
const call: StoredSite = { kind: 'call', site: 0, line: 12, title: 'Part: get part', service: 'Part', serviceKind: 'workflow' };
const inside: StoredSite = {
  ...{ kind: 'call', site: 1, line: 12, title: 'part.wf › Api: GET', service: 'Api', serviceKind: 'api' },
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
      ...{ pos, seq: row.seq, part: row.part, kind: row.kind, site: row.site, at: pos, ms: 0 },
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
  look(new CalledRuns({ row, workflow: 'main', hash: 'h', info } as unknown as FoundRun, journal(calls, reads), sites));
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
