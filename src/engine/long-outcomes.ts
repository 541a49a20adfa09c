// Lets only a few runs of this process have a long outcome at a time: while it is recorded and sent, it is in memory several times, as
// values, as text, and as what a store or a connection makes of that. The others wait.
import { getHeapStatistics } from 'node:v8';

/** Bytes of the heap for each. An outcome is 64 MB at most. */
const each = 512 * 1024 * 1024;

export class LongOutcomes {
  readonly #most: number;
  /** Runs that have a turn. */
  readonly #having = new Set<object>();
  /** In the order of their arrival. */
  readonly #waiting = new Map<object, () => void>();

  constructor(heap = getHeapStatistics().heap_size_limit) {
    this.#most = Math.max(1, Math.floor(heap / each));
  }

  /** Resolves when this run may write its outcome. Call `leave` in any case. */
  enter(run: object): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.set(run, resolve);
      this.#next();
    });
  }

  /** The outcome of this run is not in memory any more, or never was. */
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

/** Those of this process. */
export const longOutcomes = new LongOutcomes();
