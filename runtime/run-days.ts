// How a run counts days: in the time zone of its workflow, and without its holidays.
import { Calendar } from './dates/calendar.js';
import { todayIn } from './dates/date-parts.js';

export class RunDays {
  readonly #timezone: string;
  readonly #holidays: readonly string[] | undefined;
  #calendar: Calendar | undefined;

  /** @param timezone its IANA name; UTC if it is left out */
  constructor(timezone: string | undefined, holidays: readonly string[] | undefined) {
    this.#timezone = timezone ?? 'UTC';
    this.#holidays = holidays;
  }

  /** The date at `now`, which is ISO 8601 UTC. */
  today(now: string): string {
    return this.#timezone === 'UTC' ? now.slice(0, 10) : todayIn(this.calendar, now);
  }

  /** What operations on dates count by. Made by the first of them. */
  get calendar(): Calendar {
    this.#calendar ??= new Calendar(this.#timezone, this.#holidays);
    return this.#calendar;
  }
}
