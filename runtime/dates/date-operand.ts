// Reads an operand that must be a date or time.
import type { SourceLocation, Value } from '../types.js';
import { noClockTime, notADate } from './date-errors.js';
import { type Moment, parseMoment } from './moment.js';

/**
 * @param aim the operation, for the message: `add days`
 * @param at index of its source text in the location
 * @param role what to call it if that is unknown
 * @throws WfError for anything but a date or time
 */
export function momentOf(value: Value, aim: string, location: SourceLocation | undefined, at: 3 | 4 | 5, role: string): Moment {
  const moment = typeof value === 'string' ? parseMoment(value) : undefined;
  if (moment === undefined) throw notADate(aim, value, location?.[at], role, location);
  return moment;
}

/** Like `momentOf`, but requires a clock time. @throws WfError also for a date */
export function timeOf(value: Value, aim: string, location: SourceLocation | undefined, at: 3 | 4, role: string): Moment {
  const moment = momentOf(value, aim, location, at, role);
  if (moment.form === 'date') throw noClockTime(aim, value, location?.[at], role, location);
  return moment;
}
