// Lets only a few runs of this process have a long outcome at a time, and only a few requests read what is stored of runs: while an outcome
// is recorded, read or sent, it is in memory several times, as values, as text, and as what a store or a connection makes of that. The
// others wait.
import { getHeapStatistics } from 'node:v8';

/** Bytes of the heap for each. An outcome is 64 MB at most. */
const each = 512 * 1024 * 1024;

export class LongOutcomes {
  readonly #most: number;
  /** Runs, or requests, that have a turn. */
  readonly #having = new Set<object>();
  /** In the order of their arrival. */
  readonly #waiting = new Map<object, () => void>();

  constructor(heap = getHeapStatistics().heap_size_limit) {
    this.#most = Math.max(1, Math.floor(heap / each));
  }

  /** Resolves when it is the turn of this run or request. Call `leave` in any case. */
  enter(run: object): Promise<void> {
    if (this.#having.has(run)) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.set(run, resolve);
      this.#next();
    });
  }

  /** What it had in memory is gone, or never was there. */
  leave(run: object): void {
    if (!this.#having.delete(run)) this.#waiting.delete(run);
    else this.#next();
  }

  #next(): void {
    for (const [run, resolve] of this.#waiting) {
      if (this.#having.size >= this.#most) return;
      this.#waiting.delete(run);
      this.#having.add(run);
      resolve();
    }
  }
}

/** Runs of this process that write their outcome. */
export const longOutcomes = new LongOutcomes();

/** Requests that read runs from a store. Nobody knows how long these are before they are read. */
export const storedOutcomes = new LongOutcomes();
