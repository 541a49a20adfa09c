// What a run currently waits for, with its timer and the signal that cancels it. A run only ever waits for one thing.

import { TimeOver } from '../values/errors.js';
import { Cancellation, type EndSignal, listenTo } from './cancellation.js';
import { milliseconds } from './clock.js';
import { turnNumber } from './yield-queue.js';

/** Timers of Node.js can't wait longer than this many milliseconds; longer waits use several. */
export const longestTimer = 2 ** 31 - 1;

/** What the run provides. */
interface Waiter {
  readonly signal: EndSignal | undefined;
  /** @throws RunEnded if the run must end */
  check(): void;
  /** Milliseconds until the run exceeds its time limit. */
  timeLeft(): number;
  /** The run has exceeded its time limit: what to reject with. */
  overLimit(): Error;
  /** A wait is over, and other work had a turn meanwhile. */
  resumed(): void;
}

export class Waiting {
  readonly #run: Waiter;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Abandons what is being waited for. */
  #work: Cancellation | undefined;
  #until = 0;
  /** The turn of the event loop in which the wait started. */
  #turn = 0;
  #reject: ((error: unknown) => void) | undefined;
  #stopListening: (() => void) | undefined;

  constructor(run: Waiter) {
    this.#run = run;
  }

  /** See `Run.within`. */
  within<T>(ms: number, work: (cancellation: Cancellation) => Promise<T>): Promise<T> {
    if (this.#run.signal !== undefined) this.#stopListening ??= listenTo(this.#run.signal, this);
    const cancellation = new Cancellation();
    return new Promise<T>((resolve, reject) => {
      this.#work = cancellation;
      this.#reject = reject;
      this.#until = milliseconds() + ms;
      this.#turn = turnNumber();
      this.#startTimer();
      work(cancellation).then(
        (result) => {
          // Abandoned work may still end while the run waits for something else.
          if (this.#work !== cancellation) return;
          this.#settle();
          resolve(result);
        },
        (error) => {
          if (this.#work === cancellation) this.giveUp(error);
        },
      );
    });
  }

  /** The run's signal aborted. */
  cancelled(): void {
    if (this.#work === undefined) return;
    try {
      this.#run.check();
    } catch (error) {
      this.giveUp(error);
    }
  }

  /** Ends the wait, if there is one, and tells the work that its result is no longer needed. */
  giveUp(error: unknown): void {
    const work = this.#work;
    const reject = this.#reject;
    this.#settle();
    reject?.(error);
    work?.abort();
  }

  /** Releases timers and listeners. */
  letGo(): void {
    this.#settle();
    this.#stopListening?.();
  }

  #startTimer(): void {
    const left = Math.min(this.#until - milliseconds(), this.#run.timeLeft());
    this.#timer = setTimeout(Waiting.#ring, Math.min(Math.ceil(left), longestTimer), this);
  }

  static #ring(waiting: Waiting): void {
    const run = waiting.#run;
    // A timer may fire a fraction of a millisecond early.
    if (run.timeLeft() < 1) waiting.giveUp(run.overLimit());
    else if (waiting.#until - milliseconds() < 1) waiting.giveUp(new TimeOver());
    else waiting.#startTimer();
  }

  /** Whatever the run waited for is over. */
  #settle(): void {
    if (this.#work === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#work = undefined;
    this.#reject = undefined;
    if (this.#turn !== turnNumber()) this.#run.resumed();
  }
}
