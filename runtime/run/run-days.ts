// A run's calendar: the time zone of its workflow, and its holidays.
import { Calendar } from '../dates/calendar.js';
import { todayIn } from '../dates/date-parts.js';
import type { WorkflowInfo } from '../types.js';

/** The settings of `config:` about days. */
type Settings = Pick<WorkflowInfo, 'holidays' | 'workingHours' | 'language'>;

export class RunDays {
  readonly #timezone: string;
  readonly #settings: Settings;
  #calendar: Calendar | undefined;

  /** @param timezone IANA name; UTC by default */
  constructor(timezone: string | undefined, settings: Settings) {
    this.#timezone = timezone ?? 'UTC';
    this.#settings = settings;
  }

  /** The date at `now`, which is ISO 8601 UTC. */
  today(now: string): string {
    return this.#timezone === 'UTC' ? now.slice(0, 10) : todayIn(this.calendar, now);
  }

  /** The calendar for operations on dates. Created by the first of them. */
  get calendar(): Calendar {
    const { holidays, workingHours, language } = this.#settings;
    this.#calendar ??= new Calendar(this.#timezone, holidays, workingHours, language);
    return this.#calendar;
  }
}
