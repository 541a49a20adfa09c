// The current wait of a run, with its timer and the signal that cancels it. A run only ever waits for one thing.
import { TimeOver } from '../values/errors.js';
import { Cancellation, type EndSignal, listenTo } from './cancellation.js';
import type { Clock, Sleeper, Timer } from './clock.js';
import { turnNumber } from './yield-queue.js';

/** The interface of the run. */
interface Waiter {
  readonly signal: EndSignal | undefined;
  readonly clock: Clock;
  /** @throws RunEnded if the run must end */
  check(): void;
  /** Milliseconds until the run exceeds its time limit. */
  timeLeft(): number;
  /** The run has exceeded its time limit: what to reject with. */
  overLimit(): Error;
  /** A wait is over, and other work had a turn meanwhile. */
  resumed(): void;
}

export class Waiting implements Sleeper {
  readonly #run: Waiter;
  awaits = '';
  readonly #clock: Clock;
  #timer: Timer;
  /** Abandons what is being waited for. */
  #work: Cancellation | undefined;
  #until = 0;
  /** The turn of the event loop in which the wait started. */
  #turn = 0;
  #reject: ((error: unknown) => void) | undefined;
  #stopListening: (() => void) | undefined;

  constructor(run: Waiter) {
    this.#run = run;
    this.#clock = run.clock;
  }

  /** See `Run.within`. */
  within<T>(ms: number, work: (cancellation: Cancellation) => Promise<T>): Promise<T> {
    if (this.#run.signal !== undefined) this.#stopListening ??= listenTo(this.#run.signal, this);
    const cancellation = new Cancellation();
    return new Promise<T>((resolve, reject) => {
      this.#work = cancellation;
      this.#reject = reject;
      this.#until = this.#clock.milliseconds() + ms;
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

  /** The run may have to end: its signal aborted, or what it waits for can never happen. */
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
    const left = Math.min(this.#until - this.#clock.milliseconds(), this.#run.timeLeft());
    this.#timer = this.#clock.startTimer(this, left);
  }

  /** A timer has fired. */
  ring(): void {
    const run = this.#run;
    // It may be a fraction of a millisecond early.
    if (run.timeLeft() < 1) this.giveUp(run.overLimit());
    else if (this.#until - this.#clock.milliseconds() < 1) this.giveUp(new TimeOver());
    else if (this.#clock.deadlock !== undefined) this.cancelled();
    else this.#startTimer();
  }

  /** Whatever the run waited for is over. */
  #settle(): void {
    if (this.#work === undefined) return;
    this.#clock.stopTimer(this.#timer);
    this.#timer = undefined;
    this.#work = undefined;
    this.#reject = undefined;
    if (this.#turn !== turnNumber()) this.#run.resumed();
  }
}
