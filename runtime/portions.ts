// How many rounds of a loop may pass before the clock is looked at again. Its own file, because the arithmetic of it is easier to test
// without a run around it.
import { milliseconds } from './clock.js';

/** A loop lets go of the event loop after this long, in milliseconds: a portion that turns out slow must still fit into the 20 ms promised. */
const longestHold = 8;
/** What a portion should take, in milliseconds. */
const aim = 2;
/**
 * Small enough that a loop of heavy rounds that follows a loop of light ones soon looks at the clock as well, large enough that
 * looking costs a light loop next to nothing.
 */
const most = 1_024;

export class Portions {
  #size = 16;
  #lastLook: number;
  #lastRelease: number;
  readonly #clock: () => number;

  /** @param clock milliseconds, ever rising. @param since when the run began, or went on after it had waited. */
  constructor(clock: () => number = milliseconds, since: number = clock()) {
    this.#clock = clock;
    this.#lastLook = since;
    this.#lastRelease = this.#lastLook;
  }

  /** The next portion, larger or smaller by what the last one took; 0 where it is time to let other work go on. */
  next(): number {
    const time = this.#clock();
    const took = time - this.#lastLook;
    this.#lastLook = time;
    if (took < aim / 2) this.#size = Math.min(most, this.#size * 2);
    else if (took > aim) this.#size = Math.max(1, Math.floor((this.#size * aim) / took));
    return time - this.#lastRelease < longestHold ? this.#size : 0;
  }

  /** The event loop has turned. Returns the next portion. */
  released(): number {
    this.#lastLook = this.#clock();
    this.#lastRelease = this.#lastLook;
    return this.#size;
  }
}
