// Ends a called workflow of a run in a store in good order once its caller has waited long enough: its branches of the journal are closed.
import { Cancellation } from '../run/cancellation.js';
import { longestTimer } from '../run/waiting.js';

export class CallLimit {
  readonly #cancellation = new Cancellation();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  /** @param ms milliseconds from now; Infinity for no limit */
  constructor(ms: number) {
    // The journal wakes a run that waits for longer.
    if (ms > longestTimer) return;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#cancellation.abort();
    }, ms);
  }

  /** The time is over. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** What ends the called workflow: this limit, or whatever ends its caller. */
  within(cancellation: Cancellation): Cancellation {
    cancellation.onAbort(() => this.#cancellation.abort());
    return this.#cancellation;
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
