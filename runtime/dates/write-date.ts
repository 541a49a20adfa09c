// `text of due written as "D MMMM YYYY"`: formats a date or time in the workflow's zone, or a number if the pattern is a sample such as
// "1,234.50".
import { isNumberSample } from '../numbers/number-sample.js';
import { writeNumber } from '../numbers/parse-number.js';
import type { SourceLocation, Value } from '../types.js';
import { DAY_MS } from '../values/time-units.js';
import type { Calendar } from './calendar.js';
import { type CivilDate, civilDate, weekdayIndex } from './civil-date.js';
import { momentOf, timeOf } from './date-errors.js';
import { type PatternToken, patternOf } from './date-pattern.js';

/** @throws WfError for anything but a date or time, for a date if the pattern has hours, and for an invalid pattern */
export function writeDate(calendar: Calendar, value: Value, pattern: Value, location?: SourceLocation): string {
  const { parts } = patternOf(pattern, location);
  const needsClock = parts.some((part) => 'token' in part && /[Hms]/.test(part.token));
  const moment = (needsClock ? timeOf : momentOf)(value, 'write the date', location, 3, 'the value');
  const wall = calendar.wallOf(moment);
  const day = Math.floor(wall / DAY_MS);
  const date = civilDate(day);
  const words = calendar.words;
  const withDay = parts.some((part) => 'token' in part && (part.token === 'D' || part.token === 'DD'));
  return parts
    .map((part) => {
      if ('literal' in part) return part.literal;
      switch (part.token) {
        case 'MMMM':
        case 'MMM':
          return words.month(date.month, part.token === 'MMM' ? 'short' : 'long', withDay);
        case 'dddd':
        case 'ddd':
          return words.weekday(weekdayIndex(day), part.token === 'ddd' ? 'short' : 'long');
        default:
          return digits(part.token, date, wall - day * DAY_MS);
      }
    })
    .join('');
}

function digits(
  token: Exclude<PatternToken, 'MMMM' | 'MMM' | 'dddd' | 'ddd'>,
  { year, month, day }: CivilDate,
  time: number,
): string {
  const padded = (number: number): string => String(number).padStart(token.length, '0');
  switch (token) {
    case 'YYYY':
      return padded(year);
    case 'YY':
      return padded(year % 100);
    case 'MM':
    case 'M':
      return padded(month);
    case 'DD':
    case 'D':
      return padded(day);
    case 'HH':
    case 'H':
      return padded(Math.floor(time / 3_600_000));
    case 'mm':
      return padded(Math.floor(time / 60_000) % 60);
    case 'ss':
      return padded(Math.floor(time / 1_000) % 60);
  }
}

/** @throws WfError as `writeNumber` and `writeDate` */
export function writtenAs(calendar: Calendar, value: Value, pattern: Value, location?: SourceLocation): string {
  const isNumber = typeof pattern === 'string' ? isNumberSample(pattern) : typeof value === 'number';
  return isNumber ? writeNumber(value, pattern, location) : writeDate(calendar, value, pattern, location);
}
