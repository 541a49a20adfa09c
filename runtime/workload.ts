// Counts the cost of operations on large values, so that a loop of few but costly rounds checks the clock in time. A loop can't know the
// cost of its rounds: adding up 10,000 numbers is one operation, just like adding two.

export const workload = {
  /** Whether the running loop should check the clock before its next round. */
  isDue: false,
};

/** About half a millisecond. */
const most = 50_000;
let done = 0;

/** Counts an operation that takes as long as reading `units` items of a list. Characters are read eight at a time. */
export function work(units: number): void {
  done += units;
  if (done > most) workload.isDue = true;
}

/** Counts an operation on a text of this length. */
export const workOnText = (length: number): void => work(length >> 3);

/** A loop has checked the clock. */
export function resetWorkload(): void {
  done = 0;
  workload.isDue = false;
}
