// What a workflow settles about its days: the time zone in which they begin, and which of them nobody works on.
import { weekdayIndex } from './civil-date.js';
import { DAY_MS, type Moment, parseMoment } from './moment.js';
import { type TimeZone, zoneNamed } from './time-zone.js';

export class Calendar {
  readonly zone: TimeZone;
  /** Day numbers of the holidays from Monday to Friday, in order. */
  readonly #holidays: readonly number[];

  /**
   * @param timezone its IANA name
   * @param holidays dates such as `2026-12-25`; what is no date does not count
   * @throws RangeError for a name that is no time zone
   */
  constructor(timezone = 'UTC', holidays: readonly string[] = []) {
    this.zone = zoneNamed(timezone);
    const days = new Set(holidays.map((date) => parseMoment(date)?.day ?? Number.NaN));
    this.#holidays = [...days].filter((day) => weekdayIndex(day) < 5).sort((one, other) => one - other);
  }

  /** The digits of this zone's clock, as the milliseconds that UTC would have for them; a date begins at midnight. */
  wallOf(moment: Moment): number {
    const written = moment.day * DAY_MS + moment.time;
    return moment.form === 'offset' ? this.zone.wallOf(written - moment.offset) : written;
  }

  /** Milliseconds since 1970; a date begins at midnight in this zone. */
  instantOf(moment: Moment): number {
    const written = moment.day * DAY_MS + moment.time;
    return moment.form === 'offset' ? written - moment.offset : this.zone.instantOf(written);
  }

  /** The number of the day on which a moment falls in this zone. */
  dayOf(moment: Moment): number {
    return moment.form === 'offset' ? Math.floor(this.wallOf(moment) / DAY_MS) : moment.day;
  }

  /** The day that is so many working days later, or earlier for a negative amount; the day itself for 0. */
  addWorkingDays(day: number, amount: number): number {
    if (amount === 0) return day;
    return this.#dayWithCount(amount > 0 ? this.#countUpTo(day) + amount : this.#countUpTo(day - 1) + amount + 1);
  }

  /** Working days after `from`, up to and including `to`; negative where `to` is earlier. */
  workingDays(from: number, to: number): number {
    return this.#countUpTo(to) - this.#countUpTo(from);
  }

  /** Working days up to and including this one, counted from some fixed day. */
  #countUpTo(day: number): number {
    const weeks = Math.floor((day + 3) / 7);
    return weeks * 5 + Math.min(weekdayIndex(day) + 1, 5) - this.#holidaysUpTo(day);
  }

  /** The first day that `#countUpTo` gives this count for. */
  #dayWithCount(count: number): number {
    let day = dayOfWeekdayCount(count);
    for (;;) {
      // Each holiday on the way moves the day further, maybe past the next one.
      const further = dayOfWeekdayCount(count + this.#holidaysUpTo(day));
      if (further === day) return day;
      day = further;
    }
  }

  #holidaysUpTo(day: number): number {
    let [low, high] = [0, this.#holidays.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#holidays[middle] ?? 0) <= day) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The first day by which so many days from Monday to Friday have passed. */
function dayOfWeekdayCount(count: number): number {
  const weeks = Math.floor((count - 1) / 5);
  return weeks * 7 + (count - weeks * 5) - 4;
}
