// Counts the cost of operations on large values: loops of few but costly rounds then check the clock in time, and an expression that takes
// long can be interrupted. Nothing else knows what a round costs: adding up 10,000 numbers is one operation, just like adding two.

export const workload = {
  /** Whether the running loop should check the clock before its next round. */
  isDue: false,
  /** Whether the last attempt took too long, rather than being postponed because others were due. */
  isLong: false,
};

/** About half a millisecond. */
const most = 50_000;
/** What an attempt may take: one or two milliseconds. */
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
