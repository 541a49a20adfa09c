// Runs requests until nothing new is reached: each one that reaches something new is tried again with other answers, and with each of its
// values changed.
import { answersOf, type Hints, type MadeCall, variedInTurn } from '../analysis/variations.js';
import type { Trial } from './trial.js';

/** Requests that reached something new, with the calls that they made. */
export type NewTrials = ReadonlyMap<Trial, readonly MadeCall[]>;

/** Rounds of changes: as many values can differ from those of the first request. */
const MOST_ROUNDS = 4;

/** @param run tells the calls of a request if it has reached something new @param most requests that are changed in one value */
export async function explore(
  first: NewTrials,
  hints: Hints,
  most: number,
  run: (trial: Trial) => Promise<readonly MadeCall[] | undefined>,
): Promise<void> {
  let bases: NewTrials = first;
  let left = most;
  for (let round = 0; round < MOST_ROUNDS && bases.size > 0 && left > 0; round++) {
    const found = new Map<Trial, readonly MadeCall[]>();
    const attempt = async (trial: Trial): Promise<void> => {
      const calls = await run(trial);
      if (calls !== undefined) found.set(trial, calls);
    };
    for (const [base, calls] of bases) for (const trial of answersOf(base, calls, hints)) await attempt(trial);
    for (const trial of variedInTurn([...bases.keys()], hints)) {
      if (left-- <= 0) break;
      await attempt(trial);
    }
    bases = found;
  }
}
