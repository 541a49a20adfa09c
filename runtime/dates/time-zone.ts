// A time zone: converts between instants and the offsets of its clock. Caches the answers of `Intl`, each of which takes microseconds.
import { work } from '../workload.js';
import { DAY_MS } from './date-unit.js';

/** Before this instant (1812), no place had standard time, and every offset was the local mean time. */
const FIRST_CHANGE = -5_000_000_000_000;
/** Maximum days per zone whose offset is cached: more than a century, with both ends of each day. */
const MOST_DAYS = 100_000;

export class TimeZone {
  readonly name: string;
  /** Absent for UTC, whose clock never changes. */
  readonly #format: Intl.DateTimeFormat | undefined;
  /** By UTC day since 1970: the offset throughout that day, or NaN if the clock changes during it. */
  readonly #days = new Map<number, number>();
  /** By UTC week since 1970: the offset at its start. */
  readonly #weeks = new Map<number, number>();

  /** @throws RangeError for an unknown time zone */
  constructor(name: string) {
    this.name = name;
    if (name === 'UTC') return;
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
  }

  /** Offset of the clock from UTC at this instant, in milliseconds. */
  offsetAt(instant: number): number {
    if (this.#format === undefined) return 0;
    const at = instant < FIRST_CHANGE ? FIRST_CHANGE : instant;
    const day = Math.floor(at / DAY_MS);
    let offset = this.#days.get(day);
    if (offset === undefined) {
      const [start, end] = [this.#ask(day * DAY_MS), this.#ask((day + 1) * DAY_MS)];
      offset = start === end ? start : Number.NaN;
      if (this.#days.size >= MOST_DAYS) this.#days.clear();
      this.#days.set(day, offset);
    }
    return Number.isNaN(offset) ? this.#ask(at) : offset;
  }

  /** Whether the clock may change in these UTC days since 1970. Asks once a week, as no change is taken back sooner. */
  mayChangeBetween(first: number, end: number): boolean {
    if (this.#format === undefined || end * DAY_MS < FIRST_CHANGE) return false;
    const week = Math.floor(first / 7);
    const offset = this.#atWeek(week);
    for (let next = week + 1; (next - 1) * 7 < end; next++) if (this.#atWeek(next) !== offset) return true;
    return false;
  }

  #atWeek(week: number): number {
    let offset = this.#weeks.get(week);
    if (offset === undefined) {
      offset = this.#ask(Math.max(FIRST_CHANGE, week * 7 * DAY_MS));
      this.#weeks.set(week, offset);
    }
    return offset;
  }

  /**
   * The instant at which the clock shows this time, which is given as the UTC milliseconds of the same digits. Returns the first one if the
   * clock shows the time twice. If the clock skips it, the result is as long after the jump as the time is after the start of the gap.
   */
  instantOf(wall: number): number {
    if (this.#format === undefined) return wall;
    const before = this.offsetAt(wall - DAY_MS);
    const after = this.offsetAt(wall + DAY_MS);
    if (before === after) return wall - before;
    const [early, late] = [wall - Math.max(before, after), wall - Math.min(before, after)];
    if (this.offsetAt(early) === wall - early) return early;
    if (this.offsetAt(late) === wall - late) return late;
    return wall - before;
  }

  /** The time on the clock at an instant, as the UTC milliseconds of the same digits. */
  wallOf(instant: number): number {
    return instant + this.offsetAt(instant);
  }

  #ask(instant: number): number {
    work(500);
    const second = Math.floor(instant / 1_000) * 1_000;
    const [month = 1, day = 1, year = 1970, hour = 0, minute = 0, seconds = 0] =
      this.#format?.format(second).match(/\d+/g)?.map(Number) ?? [];
    return Date.UTC(year, month - 1, day, hour, minute, seconds) - second;
  }
}

const zones = new Map<string, TimeZone>();

/** The zone of this name, created once. @throws RangeError for an unknown time zone */
export function zoneNamed(name: string): TimeZone {
  let zone = zones.get(name);
  if (zone === undefined) {
    zone = new TimeZone(name);
    zones.set(name, zone);
  }
  return zone;
}
