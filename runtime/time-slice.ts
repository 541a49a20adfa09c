// How many rounds of a loop may pass before it looks at the clock again.
import { milliseconds } from './run/clock.js';

/**
 * Milliseconds after which a loop releases the event loop. A slice that turns out slow must still fit into the promised 20 ms.
 */
const longestHold = 8;
/** Target duration of a slice in milliseconds. */
const aim = 2;
/**
 * Small enough that a loop whose rounds suddenly take longer looks at the clock in time: statements without `workload` take less than
 * 4 µs a round. Large enough for the lightest loops: reading the clock takes as long as 50 to 100 of their rounds.
 */
const most = 4_096;

export class TimeSlice {
  #size = 16;
  #lastLook: number;
  #lastRelease: number;
  readonly #clock: () => number;

  /** @param clock milliseconds, monotonic @param since when the run started, or continued after a wait */
  constructor(clock: () => number = milliseconds, since: number = clock()) {
    this.#clock = clock;
    this.#lastLook = since;
    this.#lastRelease = this.#lastLook;
  }

  /** The next slice, adapted to the duration of the last one; 0 if it is time to let other work run. */
  next(): number {
    const time = this.#clock();
    const took = time - this.#lastLook;
    this.#lastLook = time;
    if (took < aim / 2) this.#size = Math.min(most, this.#size * 2);
    else if (took > aim) this.#size = Math.max(1, Math.floor((this.#size * aim) / took));
    return time - this.#lastRelease < longestHold ? this.#size : 0;
  }

  /** The event loop has turned. Returns the next slice. */
  released(): number {
    this.#lastLook = this.#clock();
    this.#lastRelease = this.#lastLook;
    return this.#size;
  }
}
