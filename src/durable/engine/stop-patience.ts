// Limits how long a process that stops waits for a store that can't be written.
import type { Health } from '../model/run-views.js';

/** Minimum milliseconds that an unavailable store gets. */
const LEAST_PATIENCE_MS = 1_000;
const POLL_MS = 50;

export class StopPatience {
  readonly #isOver: Promise<undefined>;
  #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param graceMs after this time, nothing waits for an unavailable store any longer
   * @param giveUp called then: what is not recorded is left to the next owner of each run, and calls in flight are in doubt
   */
  constructor(store: { readonly health: Health }, graceMs: number, giveUp: () => void) {
    const deadline = performance.now() + Math.max(graceMs, LEAST_PATIENCE_MS);
    this.#isOver = new Promise((resolve) => {
      this.#timer = setInterval(() => {
        if (store.health.ok || performance.now() < deadline) return;
        this.end();
        giveUp();
        resolve(undefined);
      }, POLL_MS);
    });
  }

  /** Resolves with the result of the work, or with `undefined` once it was given up. */
  wait<T>(work: Promise<T> | undefined): Promise<T | undefined> {
    return Promise.race([work, this.#isOver]);
  }

  /** From now on, it gives nothing up that was not given up before. */
  end(): void {
    clearInterval(this.#timer);
  }
}
