// Deletes old runs a few at a time, and leaves the store to running ones in between.
import type { RunDeletion, Store } from '../store/port.js';

/** Milliseconds between searches for runs old enough to delete. */
const EVERY_MS = 3_600_000;
/** Minimum milliseconds in which runs can be committed, between two slices; a commit checks every 2 whether a file is free. */
const GAP_MS = 4;
/** The pause after a slice, compared with the slice: on a slow disk, runs need more time, too. */
const PAUSE_RATIO = 0.5;
/** Consecutive checks of a busy store before the rest is postponed. */
const MOST_BUSY = 100;

export class Pruning {
  readonly #store: Pick<Store, 'pruning' | 'queue'>;
  /** Includes those that begin: a deletion opens the store on its own. */
  readonly #deletions = new Set<Promise<RunDeletion | undefined>>();
  readonly #onFault: (error: unknown) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  /** @param onFault receives what a deletion failed with that no one waits for; the next one tries again */
  constructor(store: Pick<Store, 'pruning' | 'queue'>, onFault: (error: unknown) => void) {
    this.#store = store;
    this.#onFault = onFault;
  }

  /** Prunes now and then. @param keepMs how long to keep runs of workflows that do not say so; forever by default */
  start(keepMs: number | undefined): void {
    if (this.#timer !== undefined) return;
    const prune = (): void => void this.prune(keepMs, false).catch(this.#onFault);
    prune();
    this.#timer = setInterval(prune, EVERY_MS).unref();
  }

  async prune(olderThanMs: number | undefined, dryRun: boolean): Promise<{ readonly runs: number }> {
    const { pruning, queue } = this.#store;
    await queue.settled();
    const now = Date.now();
    const before = olderThanMs === undefined ? 0 : now - olderThanMs;
    if (dryRun) return { runs: await pruning.count(before, now) };
    const runs = await this.#deleteRuns(before, now);
    if (!this.#isClosed) await pruning.deleteRest(before, now);
    return { runs };
  }

  /** Ends what is in progress. The rest is deleted the next time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    const ends = [...this.#deletions].map(async (beginning) => (await beginning.catch(() => undefined))?.end());
    await Promise.all(ends);
  }

  async #deleteRuns(before: number, now: number): Promise<number> {
    if (this.#isClosed) return 0;
    const beginning = this.#store.pruning.begin(before, now);
    this.#deletions.add(beginning);
    try {
      const deletion = await beginning;
      return deletion === undefined ? 0 : await this.#deleteWith(deletion);
    } finally {
      this.#deletions.delete(beginning);
    }
  }

  async #deleteWith(deletion: RunDeletion): Promise<number> {
    let [runs, busy] = [0, 0];
    try {
      for (let isOver = false; !isOver && busy < MOST_BUSY && !this.#isClosed; ) {
        const started = performance.now();
        const slice = await deletion.slice();
        isOver = slice.isOver;
        runs += slice.deleted;
        busy = slice.deleted > 0 ? 0 : busy + 1;
        const pause = Math.max(GAP_MS, PAUSE_RATIO * (performance.now() - started));
        if (!isOver) await new Promise((resolve) => setTimeout(resolve, pause));
      }
      return runs;
    } finally {
      await deletion.end();
    }
  }
}
