// A time zone: converts between instants and wall-clock times. The only place that deals with daylight saving.

/**
 * A wall-clock time, as the milliseconds since 1970 at which UTC shows the same digits. Calendar arithmetic on it needs no
 * zone.
 */
export type Wall = number;

const MINUTE = 60_000;
const DAY = 86_400_000;

export class Zone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;

  /** @throws RangeError if `name` is not a time zone */
  constructor(name: string) {
    this.#format = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    const canonical = this.#format.resolvedOptions().timeZone;
    // Some releases of Node.js return an old name of a place. Keep what the user wrote then.
    this.name = canonical.toLowerCase() === name.toLowerCase() ? canonical : name;
  }

  wallOf(instant: number): Wall {
    const parts: Record<string, number> = {};
    for (const { type, value } of this.#format.formatToParts(instant)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((instant % 1000) + 1000) % 1000);
  }

  /**
   * The instant at which the wall clock shows a time (a whole minute): the first one if it shows it twice, or the moment of the
   * change if it skips it.
   */
  instantOf(wall: Wall): number {
    const before = this.#offset(wall - DAY);
    const after = this.#offset(wall + DAY);
    const shows = [wall - before, wall - after].filter((instant) => this.wallOf(instant) === wall);
    return shows.length > 0
      ? Math.min(...shows)
      : this.#jumpOver(wall, wall - Math.max(before, after), wall - Math.min(before, after));
  }

  /** The first minute in the stretch at which the wall clock is past the time. */
  #jumpOver(wall: Wall, low: number, high: number): number {
    let [early, late] = [low, high];
    while (late - early > MINUTE) {
      const middle = early + Math.floor((late - early) / MINUTE / 2) * MINUTE;
      if (this.wallOf(middle) > wall) late = middle;
      else early = middle;
    }
    return this.wallOf(early) > wall ? early : late;
  }

  #offset(instant: number): number {
    return this.wallOf(instant) - instant;
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
