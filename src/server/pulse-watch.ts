// `--workers` with a store: detects a worker that no longer responds. Its runs are safe in the store, and others can only have them after
// its death.

/** Milliseconds between two heartbeats of a worker, and between two checks of the first process. */
export const PULSE_MS = 1_000;

/** Checks without a heartbeat until a worker counts as lost. */
const MOST_MISSED = 10;

/** A check that is later than this says nothing, because this process itself was paused. In milliseconds. */
const LATE_MS = 2 * PULSE_MS;

interface Watched {
  missed: number;
  readonly onLost: () => void;
}

export interface PulseWatchOptions {
  /** In milliseconds, by a clock that never goes back. */
  readonly now?: () => number;
  readonly setTimer?: (callback: () => void, ms: number) => () => void;
}

const realTimer = (callback: () => void, ms: number): (() => void) => {
  const timer = setInterval(callback, ms).unref();
  return () => clearInterval(timer);
};

export class PulseWatch {
  readonly #workers = new Map<object, Watched>();
  readonly #now: () => number;
  readonly #stop: () => void;
  #last: number;

  constructor({ now = () => performance.now(), setTimer = realTimer }: PulseWatchOptions = {}) {
    this.#now = now;
    this.#last = now();
    this.#stop = setTimer(() => this.#check(), PULSE_MS);
  }

  /** A heartbeat. The first one starts the watch, because a starting worker may take its time. */
  beat(worker: object, onLost: () => void): void {
    const known = this.#workers.get(worker);
    if (known === undefined) this.#workers.set(worker, { missed: 0, onLost });
    else known.missed = 0;
  }

  forget(worker: object): void {
    this.#workers.delete(worker);
  }

  stop(): void {
    this.#stop();
    this.#workers.clear();
  }

  #check(): void {
    const now = this.#now();
    const isLate = now - this.#last > LATE_MS;
    this.#last = now;
    if (isLate) return;
    for (const [worker, watched] of this.#workers) {
      if (++watched.missed < MOST_MISSED) continue;
      this.#workers.delete(worker);
      watched.onLost();
    }
  }
}
