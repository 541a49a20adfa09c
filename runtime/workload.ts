// Counts what operations on large values take, so that a loop of few but costly rounds looks at the clock in time. A loop can't know what
// its rounds cost: adding up 10,000 numbers is one operation, like adding up two.

export const workload = {
  /** Whether the loop that runs should look at the clock before its next round. */
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

/** A loop has looked at the clock. */
export function resetWorkload(): void {
  done = 0;
  workload.isDue = false;
}
