// A workflow's calendar: the time zone in which its days begin, and its working days.
import { weekdayIndex } from './civil-date.js';
import { DAY_MS } from './date-unit.js';
import { type DateWords, dateWords } from './date-words.js';
import { type Moment, parseMoment } from './moment.js';
import { type TimeZone, zoneNamed } from './time-zone.js';
import { readWorkingHours, WorkingHours } from './working-hours.js';

export class Calendar {
  readonly zone: TimeZone;
  /** Absent for a workflow without `working hours:`. */
  readonly hours: WorkingHours | undefined;
  readonly #language: string | undefined;
  /** Day numbers of the holidays that fall on Monday to Friday, in ascending order. */
  readonly #holidays: readonly number[];

  /**
   * @param timezone IANA name
   * @param holidays dates such as `2026-12-25`; anything else is ignored
   * @param workingHours as `config:` has them
   * @param language one of `languages`
   * @throws RangeError for an unknown time zone
   */
  constructor(timezone = 'UTC', holidays: readonly string[] = [], workingHours?: string, language?: string) {
    this.#language = language;
    this.zone = zoneNamed(timezone);
    const days = new Set(holidays.map((date) => parseMoment(date)?.day ?? Number.NaN));
    const week = workingHours === undefined ? undefined : readWorkingHours(workingHours);
    this.hours = week === undefined ? undefined : new WorkingHours(this.zone, week, days);
    this.#holidays = [...days].filter((day) => weekdayIndex(day) < 5).sort((one, other) => one - other);
  }

  /** The names of months and weekdays. */
  get words(): DateWords {
    return dateWords(this.#language);
  }

  /** The time on the clock of this zone, as the UTC milliseconds of the same digits; for a date, its midnight. */
  wallOf(moment: Moment): number {
    const written = moment.day * DAY_MS + moment.time;
    return moment.form === 'offset' ? this.zone.wallOf(written - moment.offset) : written;
  }

  /** Milliseconds since 1970; a date begins at midnight in this zone. */
  instantOf(moment: Moment): number {
    const written = moment.day * DAY_MS + moment.time;
    return moment.form === 'offset' ? written - moment.offset : this.zone.instantOf(written);
  }

  /** Day number of a moment in this zone. */
  dayOf(moment: Moment): number {
    return moment.form === 'offset' ? Math.floor(this.wallOf(moment) / DAY_MS) : moment.day;
  }

  /** The day that many working days later, or earlier for a negative amount. 0 returns the day unchanged. */
  addWorkingDays(day: number, amount: number): number {
    if (amount === 0) return day;
    return this.#dayWithCount(amount > 0 ? this.#countUpTo(day) + amount : this.#countUpTo(day - 1) + amount + 1);
  }

  /** Number of working days after `from`, up to and including `to`; negative if `to` is earlier. */
  workingDays(from: number, to: number): number {
    return this.#countUpTo(to) - this.#countUpTo(from);
  }

  /** Number of working days up to and including this one, counted from a fixed day. */
  #countUpTo(day: number): number {
    const weeks = Math.floor((day + 3) / 7);
    return weeks * 5 + Math.min(weekdayIndex(day) + 1, 5) - this.#holidaysUpTo(day);
  }

  /** The first day for which `#countUpTo` returns this count. */
  #dayWithCount(count: number): number {
    let day = dayOfWeekdayCount(count);
    for (;;) {
      // Each holiday passed moves the day further, possibly past the next one.
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

/** The first day by which that many days from Monday to Friday have passed. */
function dayOfWeekdayCount(count: number): number {
  const weeks = Math.floor((count - 1) / 5);
  return weeks * 7 + (count - weeks * 5) - 4;
}
