// `is before`, `is after`, `is on or before`, `is on or after`: compares two dates or times, and nothing else.
import type { SourceLocation, Value } from '../types.js';
import type { Calendar } from './calendar.js';
import { momentOf } from './date-operand.js';

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
