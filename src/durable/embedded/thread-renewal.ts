// Replaces the thread of a store after one has ended unexpectedly. The pauses grow, because whatever ended one thread may end the next.

/** Milliseconds before the first attempt, and at most between two. */
const FIRST_MS = 100;
const MOST_MS = 10_000;
/** A thread that worked for this many milliseconds did not end for the same reason as the one before. */
const SOUND_MS = 60_000;

export interface ThreadRenewalOptions {
  /** Starts another thread and what works with it. Called again later if it throws. */
  readonly attempt: () => Promise<void>;
  readonly onDone: () => void;
}

export class ThreadRenewal {
  readonly #options: ThreadRenewalOptions;
  #pauseMs = FIRST_MS;
  #doneAt = Number.NEGATIVE_INFINITY;
  #isWanted = false;
  #isRunning = false;
  #isStopped = false;

  constructor(options: ThreadRenewalOptions) {
    this.#options = options;
  }

  /** Another thread is needed; also if the last one was just being started. */
  request(): void {
    this.#isWanted = true;
    if (!this.#isRunning) void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    if (performance.now() - this.#doneAt > SOUND_MS) this.#pauseMs = FIRST_MS;
    while (this.#isWanted) {
      await new Promise((resolve) => setTimeout(resolve, this.#pauseMs));
      if (this.#isStopped) return;
      this.#pauseMs = Math.min(2 * this.#pauseMs, MOST_MS);
      this.#isWanted = false;
      // The disk may be full, for example.
      await this.#options.attempt().catch(() => this.request());
    }
    this.#doneAt = performance.now();
    this.#isRunning = false;
    this.#options.onDone();
  }
}
