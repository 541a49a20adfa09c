// A value where a date or time is needed → its parts, or an error that says what was found instead.
import type { SourceLocation, Value } from '../types.js';
import { noClockTime, notADate } from './date-errors.js';
import { type Moment, parseMoment } from './moment.js';

/**
 * @param aim what is to be done with it, for the message: `add days`
 * @param at where the location has its source text
 * @param role what to call it if that is unknown
 * @throws WfError for anything but a date or time
 */
export function momentOf(value: Value, aim: string, location: SourceLocation | undefined, at: 3 | 4, role: string): Moment {
  const moment = typeof value === 'string' ? parseMoment(value) : undefined;
  if (moment === undefined) throw notADate(aim, value, location?.[at], role, location);
  return moment;
}

/** Like `momentOf`, if a clock time is needed. @throws WfError for a date, too */
export function timeOf(value: Value, aim: string, location: SourceLocation | undefined, at: 3 | 4, role: string): Moment {
  const moment = momentOf(value, aim, location, at, role);
  if (moment.form === 'date') throw noClockTime(aim, value, location?.[at], role, location);
  return moment;
}
