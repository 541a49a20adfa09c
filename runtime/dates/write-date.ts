// `text of due written as "D MMMM YYYY"`: formats a date or time in the workflow's zone.
import type { SourceLocation, Value } from '../types.js';
import { DAY_MS } from '../values/time-units.js';
import type { Calendar } from './calendar.js';
import { type CivilDate, civilDate, weekdayIndex } from './civil-date.js';
import { momentOf, monthNames, timeOf } from './date-errors.js';
import { weekdayNames } from './date-parts.js';
import { type PatternToken, patternOf } from './date-pattern.js';

/** @throws WfError for anything but a date or time, for a date if the pattern has hours, and for an invalid pattern */
export function writeDate(calendar: Calendar, value: Value, pattern: Value, location?: SourceLocation): string {
  const { parts } = patternOf(pattern, location);
  const needsClock = parts.some((part) => 'token' in part && /[Hms]/.test(part.token));
  const moment = (needsClock ? timeOf : momentOf)(value, 'write the date', location, 3, 'the value');
  const wall = calendar.wallOf(moment);
  const day = Math.floor(wall / DAY_MS);
  const date = civilDate(day);
  return parts.map((part) => ('literal' in part ? part.literal : tokenText(part.token, date, day, wall - day * DAY_MS))).join('');
}

function tokenText(token: PatternToken, { year, month, day }: CivilDate, dayNumber: number, time: number): string {
  const padded = (number: number): string => String(number).padStart(token.length, '0');
  switch (token) {
    case 'YYYY':
      return padded(year);
    case 'YY':
      return padded(year % 100);
    case 'MMMM':
      return monthNames[month - 1] ?? '';
    case 'MMM':
      return (monthNames[month - 1] ?? '').slice(0, 3);
    case 'MM':
    case 'M':
      return padded(month);
    case 'DD':
    case 'D':
      return padded(day);
    case 'dddd':
      return weekdayNames[weekdayIndex(dayNumber)] ?? '';
    case 'ddd':
      return (weekdayNames[weekdayIndex(dayNumber)] ?? '').slice(0, 3);
    case 'HH':
    case 'H':
      return padded(Math.floor(time / 3_600_000));
    case 'mm':
      return padded(Math.floor(time / 60_000) % 60);
    case 'ss':
      return padded(Math.floor(time / 1_000) % 60);
  }
}
