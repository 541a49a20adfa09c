// A run's calendar: the time zone of its workflow, and its holidays.
import { Calendar } from '../dates/calendar.js';
import { todayIn } from '../dates/date-parts.js';

export class RunDays {
  readonly #timezone: string;
  readonly #holidays: readonly string[] | undefined;
  readonly #workingHours: string | undefined;
  #calendar: Calendar | undefined;

  /** @param timezone IANA name; UTC by default */
  constructor(timezone: string | undefined, holidays: readonly string[] | undefined, workingHours: string | undefined) {
    this.#timezone = timezone ?? 'UTC';
    this.#holidays = holidays;
    this.#workingHours = workingHours;
  }

  /** The date at `now`, which is ISO 8601 UTC. */
  today(now: string): string {
    return this.#timezone === 'UTC' ? now.slice(0, 10) : todayIn(this.calendar, now);
  }

  /** The calendar for operations on dates. Created by the first of them. */
  get calendar(): Calendar {
    this.#calendar ??= new Calendar(this.#timezone, this.#holidays, this.#workingHours);
    return this.#calendar;
  }
}
