// Evaluates what takes long in parts, and gives other work a turn between them: the rounds of `each … where` and the like, and operations
// that are generators. Each part is followed by a look at the clock, the time limit and cancellation of the run.
import { nextTurn } from './run/yield-queue.js';
import type { Value } from './values/value-types.js';
import { attemptFailed, beginAttempt, endAttempt, postponed, TimeSlice, workload } from './workload.js';

/** An operation in parts. It yields after about as much work as `work` counts before a loop checks the clock. */
export type Steps<T> = Generator<void, T>;

/** The interface of a run to work in parts. */
interface Turns {
  nextSlice(): number;
  yieldToEventLoop(): Promise<number>;
  isAt(line: number): void;
}

/** Runs the operation to its end. @throws RunEnded if the run must end; what the operation throws */
export async function inTurns<T>(run: Turns, steps: Steps<T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await turnOf(run);
  }
}

/** Runs it to its end for no run, or for one whose call it belongs to. */
export async function besideOthers<T>(steps: Steps<T>): Promise<T> {
  const slice = new TimeSlice();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (slice.next() > 0) continue;
    await nextTurn();
    slice.released();
  }
}

/** Runs it without a pause, for callers that can't wait. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * Goes through `count` places.
 * @param part goes from the first place on to the second at most, and returns where to continue. It stops early if `workload.isDue`. A plain
 * function, because the engine compiles its loop better than one with a `yield`.
 */
export function* inChunks(count: number, part: (at: number, end: number) => number): Steps<void> {
  for (let at = 0; at < count; ) {
    at = part(at, Math.min(count, at + mostPlaces));
    if (at < count) yield;
  }
}

const mostPlaces = 8_192;

/** Lets other work run if it is time to. Resolves with how many light rounds may follow. @throws RunEnded if the run must end */
async function turnOf(run: Turns): Promise<number> {
  return run.nextSlice() || (await run.yieldToEventLoop());
}

/**
 * Whether it is worth another attempt: the last one was only postponed until now, when others have had their turn.
 * @param line of the expression
 * @throws RunEnded
 */
export async function isShort(run: Turns, line: number): Promise<boolean> {
  const { isLong } = workload;
  run.isAt(line);
  await turnOf(run);
  return !isLong;
}

/** The results of the rounds so far. */
interface FoundInRounds {
  /** The next round. */
  at: number;
  /** The values of `each … where` and `… for each`. */
  readonly out: Value[];
  /** An item of `some` satisfies the condition, or one of `every` doesn't. */
  isFound: boolean;
}

/** Executes rounds from `found.at` until `end`, or until others are due. */
type Rounds<R> = (run: R, list: readonly Value[], found: FoundInRounds, end: number, ...outer: Value[]) => void;
/** Executes one round that takes long itself. */
type Round<R> = (run: R, item: Value, found: FoundInRounds, ...outer: Value[]) => Promise<void>;

/** A round that took too long is repeated in turns; so are this many after it, without a first attempt. */
const mostInARow = 1_024;

/**
 * Executes a round for each item.
 * @param round absent if no round takes long by itself
 * @param outer what the rounds read besides their item
 * @throws RunEnded if the run must end
 */
export async function roundsInTurns<R extends Turns>(
  run: R,
  rounds: Rounds<R>,
  round: Round<R> | undefined,
  list: readonly Value[],
  outer: Value[],
): Promise<FoundInRounds> {
  const found: FoundInRounds = { at: 0, out: [], isFound: false };
  const count = list.length;
  let slow = 0;
  let inARow = 1;
  while (found.at < count && !found.isFound) {
    const size = await turnOf(run);
    if (round === undefined) {
      rounds(run, list, found, Math.min(count, found.at + size), ...outer);
      continue;
    }
    if (slow > 0 || attempt(() => rounds(run, list, found, Math.min(count, found.at + size), ...outer))) {
      if (slow > 0) slow--;
      else {
        slow = inARow;
        inARow = Math.min(mostInARow, 2 * inARow);
      }
      await round(run, list[found.at], found, ...outer);
      found.at++;
    } else inARow = 1;
  }
  return found;
}

/** Whether it takes too long. */
function attempt(work: () => void): boolean {
  if (beginAttempt()) return false;
  try {
    endAttempt(work());
    return false;
  } catch (error) {
    return attemptFailed(error) === postponed;
  }
}
