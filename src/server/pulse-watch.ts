// `--workers` with a store: notices a worker that no longer moves. Its runs are safe in the store, and only its death lets others have them.

/** Milliseconds between two signs of life of a worker, and between two looks of the first process. */
export const PULSE_MS = 1_000;

/** Looks without a sign of life until a worker counts as lost. */
const MOST_MISSED = 10;

/** A look that comes later than this says nothing: this process stood still itself. In milliseconds. */
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
    this.#stop = setTimer(() => this.#look(), PULSE_MS);
  }

  /** A sign of life. The first one starts the watch: a worker that is still starting may take its time. */
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

  #look(): void {
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
