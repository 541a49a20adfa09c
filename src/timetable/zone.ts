// The time zone of a schedule: where a due time falls when the clocks change, and how to show it.
import { DAY_MS, MINUTE_MS } from '../../runtime/dates/date-unit.js';
import { type TimeZone, zoneNamed } from '../../runtime/dates/time-zone.js';

/**
 * A wall-clock time, as the milliseconds since 1970 at which UTC shows the same digits. Calendar arithmetic on it needs no
 * zone.
 */
export type Wall = number;

export class Zone {
  readonly name: string;
  readonly #clock: TimeZone;

  /** @throws RangeError if `name` is not a time zone */
  constructor(name: string) {
    this.#clock = zoneNamed(name);
    const canonical = new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
    // Some releases of Node.js return an old name of a place. Keep what the user wrote then.
    this.name = canonical.toLowerCase() === name.toLowerCase() ? canonical : name;
  }

  wallOf(instant: number): Wall {
    return this.#clock.wallOf(instant);
  }

  /**
   * The instant at which the wall clock shows a time (a whole minute): the first one if it shows it twice, or the moment of the
   * change if it skips it.
   */
  instantOf(wall: Wall): number {
    const before = this.#clock.offsetAt(wall - DAY_MS);
    const after = this.#clock.offsetAt(wall + DAY_MS);
    const shows = [wall - before, wall - after].filter((instant) => this.wallOf(instant) === wall);
    return shows.length > 0
      ? Math.min(...shows)
      : this.#jumpOver(wall, wall - Math.max(before, after), wall - Math.min(before, after));
  }

  /** The first minute in the stretch at which the wall clock is past the time. */
  #jumpOver(wall: Wall, low: number, high: number): number {
    let [early, late] = [low, high];
    while (late - early > MINUTE_MS) {
      const middle = early + Math.floor((late - early) / MINUTE_MS / 2) * MINUTE_MS;
      if (this.wallOf(middle) > wall) late = middle;
      else early = middle;
    }
    return this.wallOf(early) > wall ? early : late;
  }

  /** `2026-03-02 06:30`, optionally with seconds. */
  show(instant: number, { seconds = false } = {}): string {
    return showWall(this.wallOf(instant), seconds);
  }
}

/** The digits of a wall-clock time. */
function showWall(wall: Wall, seconds = false): string {
  return new Date(wall)
    .toISOString()
    .slice(0, seconds ? 19 : 16)
    .replace('T', ' ');
}
