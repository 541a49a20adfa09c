// Counts the runs in flight, decides whether another may start, and can end them all. One instance per server.
import { setMaxListeners } from 'node:events';

export class Runs {
  readonly #most: number;
  readonly #abort = new AbortController();
  #inFlight = 0;
  #stopping = false;
  #draining = false;
  #waiting: (() => void)[] = [];
  #onStop: (() => void)[] = [];

  /** @param most maximum number of runs in flight */
  constructor(most: number) {
    this.#most = most;
    // All runs share this signal: thousands may listen at once, and each stops listening when it ends.
    setMaxListeners(0, this.#abort.signal);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Whether the server is about to stop, and still starts runs. */
  get draining(): boolean {
    return this.#draining;
  }

  get full(): boolean {
    return this.#inFlight >= this.#most;
  }

  /** Aborts when the grace time is over. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Call `leave` exactly once for each call. */
  enter(): void {
    this.#inFlight++;
  }

  leave(): void {
    this.#inFlight--;
    if (this.#inFlight > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Announces that `stop` follows. */
  drain(): void {
    this.#draining = true;
  }

  /** Lets no further run start. */
  stop(): void {
    this.#stopping = true;
    for (const listener of this.#onStop.splice(0)) listener();
  }

  onStop(listener: () => void): void {
    this.#onStop.push(listener);
  }

  /** Ends every run as `error` with this message. */
  abort(message: string): void {
    this.#abort.abort(new Error(message));
  }

  /** Resolves when no run is in flight. */
  drained(): Promise<void> {
    return this.#inFlight === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }
}

interface Line {
  running: number;
  /** As the file said when a request came last. */
  most: number;
  readonly waiting: (() => void)[];
}

/** Requests of one workflow that may wait. Each holds a connection. */
const MOST_WAITING = 1_000;

/** Counts the runs of each workflow for `runs at once:`. With a store, requests beyond it wait in line for their turn. */
export class RunsInLine {
  /** By name. An idle one stays: it is small, and making it again takes a small run longer. */
  readonly #lines = new Map<string, Line>();
  readonly #canWait: boolean;
  readonly #onWaiting: (workflow: string, more: 1 | -1) => void;

  /** @param onWaiting told of each request that begins or ends to wait */
  constructor(canWait: boolean, onWaiting: (workflow: string, more: 1 | -1) => void = () => undefined) {
    this.#canWait = canWait;
    this.#onWaiting = onWaiting;
  }

  /**
   * `undefined` if a run may start now; otherwise a promise of its turn, or `full`. Call `leave` when it has ended.
   * @param most runs of this workflow at a time
   */
  enter(workflow: string, most: number): Promise<void> | 'full' | undefined {
    const line = this.#lineOf(workflow);
    line.most = most;
    if (line.running < most) {
      line.running++;
      return undefined;
    }
    if (!this.#canWait || line.waiting.length >= MOST_WAITING) return 'full';
    this.#onWaiting(workflow, 1);
    return new Promise((resolve) => line.waiting.push(resolve));
  }

  /** A run that no request has started. It never waits, so there can be more runs than allowed for a while. */
  continues(workflow: string, end: Promise<unknown>): void {
    this.#lineOf(workflow).running++;
    this.leave(workflow, end);
  }

  /** The turn of a run goes to whoever has waited longest. @param rest what is left of the run after its request was answered */
  leave(workflow: string, rest?: Promise<unknown>): void {
    const next = (): void => this.#passOn(workflow);
    if (rest === undefined) next();
    else rest.then(next, next);
  }

  #lineOf(workflow: string): Line {
    let line = this.#lines.get(workflow);
    if (line === undefined) {
      line = { running: 0, most: Number.POSITIVE_INFINITY, waiting: [] };
      this.#lines.set(workflow, line);
    }
    return line;
  }

  #passOn(workflow: string): void {
    const line = this.#lines.get(workflow);
    if (line === undefined) return;
    line.running--;
    const next = line.running < line.most ? line.waiting.shift() : undefined;
    if (next !== undefined) {
      line.running++;
      this.#onWaiting(workflow, -1);
      next();
    }
  }
}
