// Keeps a number of workers alive: replaces those that die, with growing delays, and detects those that no longer respond. Knows
// nothing about HTTP or `node:cluster`.

export interface SupervisedWorker {
  readonly send: (message: WorkerOrder) => void;
  readonly kill: () => void;
}

/** Messages to workers. */
export type WorkerOrder = { readonly type: 'wf:stop' } | { readonly type: 'wf:reload' };

interface SupervisorOptions {
  readonly count: number;
  /** Starts a worker. `onExit` is called once, when it has ended. */
  readonly fork: (onExit: (how: string) => void) => SupervisedWorker;
  /** Called for each unexpected death. */
  readonly onDeath: (how: string, waitMs: number) => void;
  readonly now?: () => number;
  readonly setTimer?: (callback: () => void, ms: number) => () => void;
}

/** Milliseconds. A worker that lived for less died "immediately". */
const SHORT_LIFE_MS = 5000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 30_000;

const realTimer = (callback: () => void, ms: number): (() => void) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #workers = new Set<SupervisedWorker>();
  readonly #waiting = new Set<() => void>();
  #stopping = false;
  #shortLives = 0;
  #resolve: () => void = () => undefined;
  /** Resolves after `stop`, when the last worker has ended. */
  readonly ended: Promise<void> = new Promise((resolve) => {
    this.#resolve = resolve;
  });

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  start(): void {
    for (let index = 0; index < this.#options.count; index++) this.#fork();
  }

  broadcast(order: WorkerOrder): void {
    for (const worker of this.#workers) worker.send(order);
  }

  /** Replaces no more workers, and asks each to end when its runs have. */
  stop(): void {
    if (this.#stopping) return;
    this.#stopping = true;
    for (const cancel of this.#waiting) cancel();
    this.broadcast({ type: 'wf:stop' });
    this.#endIfEmpty();
  }

  /** Ends all workers immediately. */
  kill(): void {
    this.stop();
    for (const worker of this.#workers) worker.kill();
  }

  #fork(): void {
    const { now = performance.now.bind(performance) } = this.#options;
    const born = now();
    const worker = this.#options.fork((how) => {
      this.#workers.delete(worker);
      if (this.#stopping) this.#endIfEmpty();
      else this.#replace(how, now() - born);
    });
    this.#workers.add(worker);
  }

  #replace(how: string, livedMs: number): void {
    this.#shortLives = livedMs < SHORT_LIFE_MS ? this.#shortLives + 1 : 0;
    const waitMs = this.#shortLives === 0 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (this.#shortLives - 1), LONGEST_WAIT_MS);
    this.#options.onDeath(how, waitMs);
    const { setTimer = realTimer } = this.#options;
    const cancel = setTimer(() => {
      this.#waiting.delete(cancel);
      this.#fork();
    }, waitMs);
    this.#waiting.add(cancel);
  }

  #endIfEmpty(): void {
    if (this.#workers.size === 0) this.#resolve();
  }
}

/** Milliseconds between two heartbeats of a worker, and between two checks of the first process. */
export const PULSE_MS = 1_000;

/** Checks without a heartbeat until a worker counts as lost. */
const MOST_MISSED = 10;

/** Checks until the first heartbeat. It comes before a worker executes anything, when it has read its files. */
const MOST_MISSED_AT_START = 120;

/** A check that is later than this says nothing, because this process itself was paused. In milliseconds. */
const LATE_MS = 2 * PULSE_MS;

interface Watched {
  missed: number;
  most: number;
  readonly onLost: () => void;
}

interface PulseWatchOptions {
  /** In milliseconds, by a clock that never goes back. */
  readonly now?: () => number;
  readonly setTimer?: (callback: () => void, ms: number) => () => void;
}

const realInterval = (callback: () => void, ms: number): (() => void) => {
  const timer = setInterval(callback, ms).unref();
  return () => clearInterval(timer);
};

export class PulseWatch {
  readonly #workers = new Map<object, Watched>();
  readonly #now: () => number;
  readonly #stop: () => void;
  #last: number;

  constructor({ now = () => performance.now(), setTimer = realInterval }: PulseWatchOptions = {}) {
    this.#now = now;
    this.#last = now();
    this.#stop = setTimer(() => this.#check(), PULSE_MS);
  }

  /** A worker has just been started, and may take its time until its first heartbeat. */
  watch(worker: object, onLost: () => void): void {
    this.#workers.set(worker, { missed: 0, most: MOST_MISSED_AT_START, onLost });
  }

  /** A heartbeat. */
  beat(worker: object): void {
    const watched = this.#workers.get(worker);
    if (watched !== undefined) Object.assign(watched, { missed: 0, most: MOST_MISSED });
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
      if (++watched.missed < watched.most) continue;
      this.#workers.delete(worker);
      watched.onLost();
    }
  }
}
