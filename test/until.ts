// Waits for a condition that has no event.
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds after which a test fails instead of waiting longer. */
const LONGEST = 120_000;

/** Resolves once `condition` holds. */
export async function until(condition: () => unknown): Promise<void> {
  const deadline = performance.now() + LONGEST;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Still not true after ${LONGEST} ms: ${condition}`);
    await pause(5);
  }
}
