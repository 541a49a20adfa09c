// Compares two dates or times (`is before`, `is on or after`), and counts the units between them.
import type { SourceLocation, Value } from '../types.js';
import { withoutNoise } from '../values/number-format.js';
import type { Calendar } from './calendar.js';
import { civilDate } from './civil-date.js';
import { momentOf, noWorkingHours, timeOf } from './date-errors.js';
import { clockUnits, DAY_MS, type DateUnit, isClockUnit } from './date-unit.js';
import type { Moment } from './moment.js';

/** `is before`. If one side has no time, compares both as dates in the workflow's zone. @throws WfError if either is not a date or time */
export function isBefore(calendar: Calendar, left: Value, right: Value, location?: SourceLocation): boolean {
  return dateOrder(calendar, left, right, 'is before', location) < 0;
}

/** `is after`, as `isBefore`. */
export function isAfter(calendar: Calendar, left: Value, right: Value, location?: SourceLocation): boolean {
  return dateOrder(calendar, left, right, 'is after', location) > 0;
}

/** `is on or before`, as `isBefore`. */
export function isOnOrBefore(calendar: Calendar, left: Value, right: Value, location?: SourceLocation): boolean {
  return dateOrder(calendar, left, right, 'is on or before', location) <= 0;
}

/** `is on or after`, as `isBefore`. */
export function isOnOrAfter(calendar: Calendar, left: Value, right: Value, location?: SourceLocation): boolean {
  return dateOrder(calendar, left, right, 'is on or after', location) >= 0;
}

/** Negative, 0 or positive. */
function dateOrder(calendar: Calendar, left: Value, right: Value, word: string, location: SourceLocation | undefined): number {
  const first = momentOf(left, 'compare', location, 3, `the value before "${word}"`);
  const second = momentOf(right, 'compare', location, 4, `the value after "${word}"`);
  if (first.form === 'date' || second.form === 'date') return calendar.dayOf(first) - calendar.dayOf(second);
  return calendar.instantOf(first) - calendar.instantOf(second) || first.nanos - second.nanos;
}

/**
 * Whole units from one to the other. If one side has no time, both count as dates in the workflow's zone. Between two times, days and
 * months follow the clock of that zone. From 31 January to 28 February, no month is complete. The location has the texts of both.
 * @throws WfError for anything but a date or time, and for a date if the unit is hours, minutes or seconds
 */
export function dateDifference(calendar: Calendar, unit: DateUnit, from: Value, to: Value, location?: SourceLocation): number {
  const aim = `count the ${unit}`;
  if (isClockUnit(unit)) {
    const start = timeOf(from, aim, location, 3, 'the value after "from"');
    const end = timeOf(to, aim, location, 4, 'the value after "to"');
    return withoutSign(Math.trunc(msBetween(calendar, start, end) / clockUnits[unit]));
  }
  if (unit === 'working hours') {
    if (calendar.hours === undefined) throw noWorkingHours(location);
    const start = timeOf(from, aim, location, 3, 'the value after "from"');
    const end = timeOf(to, aim, location, 4, 'the value after "to"');
    return withoutNoise(calendar.hours.between(calendar.instantOf(start), calendar.instantOf(end)) / clockUnits.hours) + 0;
  }
  const start = momentOf(from, aim, location, 3, 'the value after "from"');
  const end = momentOf(to, aim, location, 4, 'the value after "to"');
  const [first, last] = [calendar.dayOf(start), calendar.dayOf(end)];
  if (unit === 'working days') return withoutSign(calendar.workingDays(first, last));
  const days = start.form === 'date' || end.form === 'date' ? last - first : daysByClock(calendar, start, end);
  if (unit === 'months' || unit === 'years')
    return withoutSign(Math.trunc(monthsBetween(first, first + days) / (unit === 'years' ? 12 : 1)));
  return withoutSign(Math.trunc(days / (unit === 'weeks' ? 7 : 1)));
}

/** -0 → 0. */
const withoutSign = (number: number): number => number + 0;

/** Rounded towards zero to a millisecond. At that precision, two different times never compare the wrong way round. */
function msBetween(calendar: Calendar, start: Moment, end: Moment): number {
  const ms = calendar.instantOf(end) - calendar.instantOf(start);
  const nanos = end.nanos - start.nanos;
  return ms > 0 && nanos < 0 ? ms - 1 : ms < 0 && nanos > 0 ? ms + 1 : ms;
}

/** Complete months: those whose day has been reached. */
function monthsBetween(first: number, last: number): number {
  const [from, to] = [civilDate(first), civilDate(last)];
  const months = (to.year - from.year) * 12 + to.month - from.month;
  if (first <= last) return to.day < from.day ? months - 1 : months;
  return to.day > from.day ? months + 1 : months;
}

/** Complete days between two times: those whose time of day, by the clock of the zone, has been reached. */
function daysByClock(calendar: Calendar, start: Moment, end: Moment): number {
  const [wall, last] = [calendar.wallOf(start), calendar.instantOf(end)];
  const step = Math.sign(last - calendar.instantOf(start) || end.nanos - start.nanos);
  const isPast = (days: number): boolean => {
    const gap = (last - calendar.zone.instantOf(wall + days * DAY_MS)) * step;
    return gap < 0 || (gap === 0 && (end.nanos - start.nanos) * step < 0);
  };
  // If a clock goes back over midnight, the calendar shows one day less than has passed.
  let days = calendar.dayOf(end) - calendar.dayOf(start) + step;
  while (days * step > 0 && isPast(days)) days -= step;
  return days * step > 0 ? days : 0;
}
