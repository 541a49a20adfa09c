// A clock on which nothing really waits: whenever its run can only wait, it jumps to whatever is due first. For mock services and tests.
import type { Clock, Sleeper } from './clock.js';

interface Alarm {
  readonly due: number;
  readonly sleeper: Sleeper;
}

export class SimulatedClock implements Clock {
  readonly isSimulated = true;
  deadlock: string | undefined;
  readonly #start: number;
  #passed = 0;
  /** The earliest last; among equals, the one that was set first. */
  readonly #alarms: Alarm[] = [];
  /** They wait for something that no time brings. */
  readonly #endless = new Set<Alarm>();
  #holds = 0;
  #isJumping = false;

  /** @param start milliseconds since 1970 */
  constructor(start: number) {
    this.#start = start;
  }

  milliseconds(): number {
    return this.#passed;
  }

  now(): number {
    return this.#start + this.#passed;
  }

  startTimer(sleeper: Sleeper, ms: number): Alarm {
    const alarm = { due: this.#passed + Math.max(0, ms), sleeper };
    if (alarm.due === Number.POSITIVE_INFINITY) this.#endless.add(alarm);
    else this.#alarms.splice(this.#placeOf(alarm.due), 0, alarm);
    this.#jumpSoon();
    return alarm;
  }

  stopTimer(timer: unknown): void {
    const alarm = timer as Alarm; // from `startTimer`
    if (this.#endless.delete(alarm)) return;
    const index = this.#alarms.indexOf(alarm, this.#placeOf(alarm.due));
    if (index !== -1) this.#alarms.splice(index, 1);
  }

  hold(): void {
    this.#holds++;
  }

  release(): void {
    this.#holds--;
    this.#jumpSoon();
  }

  /** The index of the first alarm that is due at this time or earlier. */
  #placeOf(due: number): number {
    let [low, high] = [0, this.#alarms.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#alarms[middle]?.due ?? 0) > due) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** In a later turn, the run has done all that it can do now: nothing else in it takes turns without a hold. */
  #jumpSoon(): void {
    if (this.#isJumping) return;
    this.#isJumping = true;
    setImmediate(() => this.#jump());
  }

  #jump(): void {
    this.#isJumping = false;
    if (this.#holds > 0) return;
    const next = this.#alarms.pop();
    if (next !== undefined) {
      this.#passed = Math.max(this.#passed, next.due);
      next.sleeper.ring();
    } else if (this.#endless.size > 0) {
      const waiting = [...this.#endless];
      this.deadlock ??= [...new Set(waiting.map(({ sleeper }) => sleeper.awaits))].join(', ');
      this.#endless.clear();
      for (const { sleeper } of waiting) sleeper.ring();
    }
    if (this.#alarms.length > 0 || this.#endless.size > 0) this.#jumpSoon();
  }
}
