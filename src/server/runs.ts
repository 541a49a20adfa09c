// Counts the runs in flight, says whether one more may start, and ends them all. One for a server; nothing in it belongs to a single run.
import { setMaxListeners } from 'node:events';

export class Runs {
  readonly #most: number;
  readonly #abort = new AbortController();
  #inFlight = 0;
  #stopping = false;
  #waiting: (() => void)[] = [];

  /** @param most how many may be in flight at once */
  constructor(most: number) {
    this.#most = most;
    // Shared by all runs: thousands may listen at once, and each stops listening at its end.
    setMaxListeners(0, this.#abort.signal);
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  get full(): boolean {
    return this.#inFlight >= this.#most;
  }

  /** Aborted when the grace time is over. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** To be followed by exactly one `leave`. */
  enter(): void {
    this.#inFlight++;
  }

  leave(): void {
    this.#inFlight--;
    if (this.#inFlight > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** From now on nothing may start. */
  stop(): void {
    this.#stopping = true;
  }

  /** Ends every run as `error` with this message. */
  abort(message: string): void {
    this.#abort.abort(new Error(message));
  }

  /** Resolves when nothing is in flight. */
  drained(): Promise<void> {
    return this.#inFlight === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }
}
