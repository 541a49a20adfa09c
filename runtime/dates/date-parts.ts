// `weekday of`, `day of`, `hour of`, `date of`, `start of month of` and so on: parts of a date or time in the workflow's time zone.
import type { SourceLocation, Value } from '../values/value-types.js';
import type { Calendar } from './calendar.js';
import { civilDate, dayNumber, daysInMonth, isoWeek, weekdayIndex, weekdayNames } from './civil-date.js';
import { momentOf, outOfCalendar, timeOf } from './date-errors.js';
import { DAY_MS } from './date-unit.js';
import { dateText, isInRange } from './moment.js';

export type DatePart = 'weekday' | 'day' | 'week' | 'month' | 'year' | 'hour' | 'minute' | 'date';
export type CalendarPeriod = 'week' | 'month' | 'quarter' | 'year';

/** `<part> of value`. @throws WfError for anything but a date or time, and for the hour or minute of a date */
export function datePart(calendar: Calendar, part: DatePart, value: Value, location?: SourceLocation): string | number {
  const aim = `take the ${part}`;
  if (part === 'hour' || part === 'minute') {
    const time = calendar.wallOf(timeOf(value, aim, location, 3, 'the value')) / 60_000;
    return Math.floor(part === 'hour' ? (((time / 60) % 24) + 24) % 24 : ((time % 60) + 60) % 60);
  }
  const day = dayFor(aim, calendar, value, location);
  switch (part) {
    case 'weekday':
      return weekdayNames[weekdayIndex(day)] ?? '';
    case 'week':
      return isoWeek(day);
    case 'date':
      return shown(day, location);
    case 'day':
    case 'month':
    case 'year':
      return civilDate(day)[part];
  }
}

/** `start of month of value`: a date. Weeks begin on Monday. @throws WfError for anything but a date or time */
export function startOfPeriod(calendar: Calendar, period: CalendarPeriod, value: Value, location?: SourceLocation): string {
  return shown(firstDay(period, dayFor(`find the start of the ${period}`, calendar, value, location)), location);
}

/** `end of month of value`: its last date. @throws WfError for anything but a date or time */
export function endOfPeriod(calendar: Calendar, period: CalendarPeriod, value: Value, location?: SourceLocation): string {
  return shown(lastDay(period, firstDay(period, dayFor(`find the end of the ${period}`, calendar, value, location))), location);
}

const dayFor = (aim: string, calendar: Calendar, value: Value, location: SourceLocation | undefined): number =>
  calendar.dayOf(momentOf(value, aim, location, 3, 'the value'));

function shown(day: number, location: SourceLocation | undefined): string {
  if (!isInRange(day)) throw outOfCalendar('The result', location);
  return dateText(day);
}

function firstDay(period: CalendarPeriod, day: number): number {
  if (period === 'week') return day - weekdayIndex(day);
  const { year, month } = civilDate(day);
  return dayNumber(year, period === 'month' ? month : period === 'quarter' ? month - ((month - 1) % 3) : 1, 1);
}

function lastDay(period: CalendarPeriod, first: number): number {
  if (period === 'week') return first + 6;
  const { year, month } = civilDate(first);
  const last = period === 'month' ? month : period === 'quarter' ? month + 2 : 12;
  return dayNumber(year, last, daysInMonth(year, last));
}

/** The date of an instant, given as ISO 8601 UTC, in the workflow's zone. */
export const todayIn = (calendar: Calendar, instant: string): string =>
  dateText(Math.floor(calendar.zone.wallOf(Date.parse(instant)) / DAY_MS));
