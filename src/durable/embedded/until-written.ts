// The last thing that a process does with its store: wait for its writes. A stop must end even if the store can't be written.
import type { EmbeddedStore } from './embedded-store.js';

/** Minimum milliseconds that an unavailable store gets. */
const LEAST_PATIENCE_MS = 1_000;
const POLL_MS = 50;

/**
 * Resolves when everything is on disk.
 * @param left resolves when all runs have left memory
 * @param graceMs after this time, gives up what an unavailable store has not accepted; those calls are then in doubt
 */
export async function untilWritten(store: EmbeddedStore, left: Promise<unknown>, graceMs: number): Promise<void> {
  const deadline = performance.now() + Math.max(graceMs, LEAST_PATIENCE_MS);
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearInterval(looks);
      resolve();
    };
    const looks = setInterval(() => {
      if (store.health.ok || performance.now() < deadline) return;
      store.giveUp();
      end();
    }, POLL_MS);
    void left.then(() => store.queue.settled()).then(end);
  });
}
