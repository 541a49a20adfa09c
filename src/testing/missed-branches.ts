// Requests for branches that no run has entered: made along the way of a run that came to their `if`, with the other answer there. Such a walk
// has few states, so that nothing is forgotten which leads to the branch.
import { Shapes } from '../analysis/shapes.js';
import { type Along, walk } from '../analysis/walk.js';
import { witnessOf } from '../analysis/witness.js';
import type { If } from '../compiler/2-parse/tree.js';
import { statementsIn } from '../compiler/2-parse/walk.js';
import type { Checked, Emitted } from '../compiler/compile.js';
import { branchTaken } from '../explain/explain-run.js';
import type { Trial } from './trial.js';

/** A run on a way that none before it took. */
export interface RunBefore {
  readonly trial: Trial;
  /** Indices of places. */
  readonly reached: ReadonlySet<number>;
}

/** Runs to follow to one branch, and ways into it for each of them. */
const MOST_RUNS = 3;
const MOST_STATES = 3;

interface Followed extends Pick<Along, 'lines' | 'isPassed'> {
  readonly trial: Trial;
  readonly taken: ReadonlySet<string>;
}

const keyOf = ({ line }: If, index: number): string => `${line} ${index}`;

export function* missedBranches(
  { checked, reachable }: { readonly checked: Checked; readonly reachable: Emitted['reachable'] },
  runs: readonly RunBefore[],
): Iterable<Trial> {
  const { text, workflow, facts } = checked;
  const ifs = [...statementsIn(workflow.body)].filter((statement) => statement.kind === 'if');
  const followed = runs.map(({ trial, reached }): Followed => {
    const places = [...reached].flatMap((index) => reachable[index] ?? []);
    const branches = places.flatMap(({ kind, line, text: words }) =>
      kind === 'branch' ? (branchTaken(ifs, line, words) ?? []) : [],
    );
    const taken = new Set(branches.map(({ statement, index }) => keyOf(statement, index)));
    const lines = new Set(places.flatMap(({ kind, line }) => (kind === 'statement' ? [line] : [])));
    return { trial, taken, lines, isPassed: (statement) => taken.has(keyOf(statement, statement.branches.length)) };
  });
  const shapes = new Shapes(workflow.body);
  for (const target of ifs)
    for (let index = 0; index <= target.branches.length; index++) {
      if (followed.some(({ taken }) => taken.has(keyOf(target, index)))) continue;
      for (const run of followed.filter(({ lines }) => lines.has(target.line)).slice(0, MOST_RUNS)) {
        const along: Along = { ...run, target, index, found: [] };
        walk(text, workflow, facts, { along });
        for (const state of along.found.slice(0, MOST_STATES)) yield witnessOf(state, shapes, run.trial.request);
      }
    }
}
