// `at the same time:` and `for each …, 10 at a time:`, as emitted code calls them.

import type { Value } from '../types.js';
import type { Completion } from './completion.js';
import type { Run } from './run.js';
import { type BranchEnd, together } from './together.js';

/** The line of the block, and its number among the places with effects. */
interface Place {
  readonly line: number;
  readonly site: number;
}

/**
 * Resolves when all branches have ended, with what ended the run in one of them.
 * @throws WfError, RunEnded, or a suspension of the journal, as the branches do
 */
export function atTheSameTime(
  run: Run,
  { line, site }: Place,
  branches: readonly ((run: Run) => Promise<BranchEnd>)[],
): Promise<Completion | undefined> {
  const begin = async (child: Run, index: number): Promise<BranchEnd> => branches[index]?.(child);
  const total = branches.length;
  return together(run, { kind: 'fork', site, line, title: 'at the same time' }, { line, total, most: total, begin });
}

/** The results of a loop's rounds. */
interface Rounds {
  readonly end: Completion | undefined;
  /** For each list that the rounds add to: the new items, in the order of the rounds. */
  readonly added: readonly (readonly Value[])[];
}

/**
 * The rounds of a loop over `list`, `most` at a time.
 * @param lists number of outer lists that the rounds add to; each round gets as many to fill
 * @throws like `atTheSameTime`
 */
export async function roundsTogether(
  run: Run,
  { line, site }: Place,
  list: readonly Value[],
  most: number,
  lists: number,
  round: (run: Run, item: Value, added: readonly Value[][]) => Promise<BranchEnd>,
): Promise<Rounds> {
  const byRound: Value[][][] = [];
  const begin = (child: Run, index: number): Promise<BranchEnd> => {
    const added = Array.from({ length: lists }, (): Value[] => []);
    byRound[index] = added;
    return round(child, list[index], added);
  };
  const total = list.length;
  const end = await together(run, { kind: 'fork', site, line, title: 'for each, at a time' }, { line, total, most, begin });
  return { end, added: Array.from({ length: lists }, (_, index) => byRound.flatMap((added) => added[index] ?? [])) };
}
