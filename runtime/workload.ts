// Limits how long a loop may hold the event loop: a time slice says how many rounds may pass before it looks at the clock again, and the
// cost of operations on large values is counted, so that loops of few but costly rounds look in time, and an expression that takes long can
// be interrupted. Nothing else knows what a round costs: adding up 10,000 numbers is one operation, just like adding two.
import { milliseconds } from './run/clock.js';

export const workload = {
  /** Whether the running loop should check the clock before its next round. */
  isDue: false,
  /** Whether the last attempt took too long, rather than being postponed because others were due. */
  isLong: false,
};

/** About half a millisecond. */
const most = 50_000;
/** The time that an attempt may take: one or two milliseconds. */
const mostOfAttempt = 100_000;
let done = 0;
let limit = Number.POSITIVE_INFINITY;

/** In place of the value of an expression that takes too long to be evaluated at once. */
export const postponed: unique symbol = Symbol('postponed');

/**
 * Counts an operation that takes as long as reading `units` items of a list. Characters are read eight at a time.
 * @throws `postponed` in an attempt that takes too long
 */
export function work(units: number): void {
  done += units;
  if (done <= most) return;
  workload.isDue = true;
  // No error: nobody needs its stack.
  if (done > limit) throw postponed;
}

/** Counts an operation that takes longer than an attempt may. @throws `postponed` in an attempt */
export const longWork = (): void => work(mostOfAttempt + 1);

/** Counts an operation on a text of this length. */
export const workOnText = (length: number): void => work(length >> 3);

/** A loop has checked the clock. */
export function resetWorkload(): void {
  done = 0;
  workload.isDue = false;
}

/** Begins to evaluate an expression without interruption. True if others have to have their turn first. */
export function beginAttempt(): boolean {
  if (workload.isDue) {
    workload.isLong = false;
    return true;
  }
  limit = done + mostOfAttempt;
  return false;
}

/** The attempt has succeeded. Returns its value. */
export function endAttempt<T>(value: T): T {
  limit = Number.POSITIVE_INFINITY;
  return value;
}

/** The attempt has thrown this. Returns `postponed` if it takes too long. @throws everything else */
export function attemptFailed(error: unknown): typeof postponed {
  limit = Number.POSITIVE_INFINITY;
  if (error !== postponed) throw error;
  workload.isLong = true;
  return postponed;
}

/**
 * Milliseconds after which a loop releases the event loop. A slice that turns out slow must still fit into the promised 20 ms.
 */
const longestHold = 8;
/** Target duration of a slice in milliseconds. */
const aim = 2;
/**
 * Small enough that a loop whose rounds suddenly take longer looks at the clock in time: statements without `workload` take less than
 * 4 µs a round. Large enough for the lightest loops: reading the clock takes as long as 50 to 100 of their rounds.
 */
const mostRounds = 4_096;

export class TimeSlice {
  #size = 16;
  #lastLook: number;
  #lastRelease: number;
  readonly #clock: () => number;

  /** @param clock milliseconds, monotonic @param since when the run started, or continued after a wait */
  constructor(clock: () => number = milliseconds, since: number = clock()) {
    this.#clock = clock;
    this.#lastLook = since;
    this.#lastRelease = this.#lastLook;
  }

  /** The next slice, adapted to the duration of the last one; 0 if it is time to let other work run. */
  next(): number {
    const time = this.#clock();
    const took = time - this.#lastLook;
    this.#lastLook = time;
    if (took < aim / 2) this.#size = Math.min(mostRounds, this.#size * 2);
    else if (took > aim) this.#size = Math.max(1, Math.floor((this.#size * aim) / took));
    return time - this.#lastRelease < longestHold ? this.#size : 0;
  }

  /** The event loop has turned. Returns the next slice. */
  released(): number {
    this.#lastLook = this.#clock();
    this.#lastRelease = this.#lastLook;
    return this.#size;
  }
}
