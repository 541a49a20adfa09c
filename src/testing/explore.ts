// Runs requests until nothing new is reached: each one that takes a new way is tried again with other answers, and with each of its values
// changed.
import { answersOf, type Hints, type MadeCall, variationsOf } from '../analysis/variations.js';
import type { Trial } from './trial.js';

/** A run on a way that none before it took. */
export interface NewWay {
  readonly calls: readonly MadeCall[];
  /** It reached a line or a branch that none before it did. */
  readonly isFurther: boolean;
}

/** The lines and branches that runs have reached. */
export class ReachedPlaces {
  readonly #all = new Set<number>();

  /** Whether any of them is new. */
  add(reached: ReadonlySet<number>): boolean {
    const before = this.#all.size;
    for (const index of reached) this.#all.add(index);
    return this.#all.size > before;
  }
}

/** Changes of one request in a row: as many values can differ from those of the first. */
const MOST_CHANGES = 5;
/** Requests that are changed, beyond those that got further. */
const MOST_BASES = 40;
/** Changes of a request that got further, for each one of another. */
const TURNS_OF_FURTHER = 6;

interface Open {
  readonly changes: Iterator<Trial>;
  readonly depth: number;
  readonly turns: number;
}

/** @param run tells about a run if it took a new way @param most changed requests to run */
export async function explore(
  first: ReadonlyMap<Trial, NewWay>,
  hints: Hints,
  most: number,
  run: (trial: Trial) => Promise<NewWay | undefined>,
): Promise<void> {
  let count = 0;
  const opened = (base: Trial, { calls, isFurther }: NewWay, depth: number): Open[] => {
    if (depth >= MOST_CHANGES || (!isFurther && ++count > MOST_BASES)) return [];
    return [{ changes: changesOf(base, calls, hints), depth, turns: isFurther ? TURNS_OF_FURTHER : 1 }];
  };
  let open = [...first].flatMap(([base, way]) => opened(base, way, 0));
  let left = most;
  while (open.length > 0) {
    const next: Open[] = [];
    for (const one of open) {
      let isDone = false;
      for (let turn = 0; turn < one.turns && !isDone; turn++) {
        const { value: trial, done } = one.changes.next();
        isDone = done === true;
        if (isDone) break;
        if (left-- <= 0) return;
        const way = await run(trial);
        if (way !== undefined) next.push(...opened(trial, way, one.depth + 1));
      }
      if (!isDone) next.push(one);
    }
    open = next;
  }
}

function* changesOf(base: Trial, calls: readonly MadeCall[], hints: Hints): Generator<Trial, undefined> {
  yield* answersOf(base, calls, hints);
  yield* variationsOf(base, hints);
}
