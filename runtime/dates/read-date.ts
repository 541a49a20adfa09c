// `date of "31.12.2026" written as "DD.MM.YYYY"`: reads a date in another format and returns ISO 8601.
import type { SourceLocation, Value } from '../types.js';
import { privatePart, WfError } from '../values/errors.js';
import { isLiteral, named, operandText } from '../values/operand-text.js';
import { show } from '../values/values.js';
import type { Calendar } from './calendar.js';
import { dayNumber, weekdayIndex } from './civil-date.js';
import { impossibleDayOf } from './date-errors.js';
import { type PatternPart, type PatternToken, partOf, patternOf, unusablePattern } from './date-pattern.js';
import type { DateWords } from './date-words.js';
import { dateText } from './moment.js';

/** `date of value written as pattern`: `2026-12-31`. @throws WfError if the text doesn't fit, or the day doesn't exist */
export function readDate({ words }: Calendar, value: Value, pattern: Value, location?: SourceLocation): string {
  const found = read(value, pattern, 'date', location, words);
  return dateText(dayNumber(found.year, found.month, found.day));
}

/** `time of value written as pattern`: `2026-12-31T09:30`, in local time, with seconds if the pattern has them. @throws as `readDate` */
export function readTime({ words }: Calendar, value: Value, pattern: Value, location?: SourceLocation): string {
  const { year, month, day, hour, minute, second } = read(value, pattern, 'time', location, words);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${dateText(dayNumber(year, month, day))}T${two(hour)}:${two(minute)}${second === -1 ? '' : `:${two(second)}`}`;
}

interface Found {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  /** -1 if the pattern has no such part. */
  second: number;
  weekday: number;
}

function read(value: Value, given: Value, word: 'date' | 'time', location: SourceLocation | undefined, words: DateWords): Found {
  const { parts } = patternOf(given, location);
  const unusable = readingFault(parts, word);
  if (unusable !== undefined) throw unusablePattern(unusable, location);
  // A cell such as 20261231 is a number.
  const text = typeof value === 'number' ? show(value) : value;
  const source = location?.[3];
  if (typeof text !== 'string')
    throw new WfError(
      'WF626',
      `I can't read the ${word}: ${operandText(value, source, 'the value')}, but it must be text.`,
      location,
    );
  const found = matchDate(text, parts, words);
  if (typeof found === 'object') return found;
  const why = found === undefined ? `is not written as ${named(location?.[4], 'the pattern says')}` : found;
  const fault =
    source !== undefined && isLiteral(source) ? `${source} ${why}` : `${operandText(value, source, 'the value')}, which ${why}`;
  throw new WfError('WF626', `I can't read the ${word}: ${fault}.`, location);
}

/** Why a pattern can only be used for writing; `undefined` if it can also be read. Completes `The pattern "…" `. */
export function readingFault(parts: readonly PatternPart[], word: 'date' | 'time'): string | undefined {
  const tokens = parts.map((part) => ('token' in part ? part.token : ''));
  const given = new Set(tokens.map((token) => (token === '' ? '' : partOf(token))));
  const lacking = ['day', 'month', 'year', ...(word === 'time' ? ['hour'] : [])].find((part) => !given.has(part));
  if (lacking !== undefined) return `has no ${lacking}`;
  const loose = tokens.find((token, index) => isOneOrTwoDigits(token) && isDigits(tokens[index + 1] ?? ''));
  if (loose === undefined) return undefined;
  return `leaves open where the ${partOf(loose as PatternToken)} ends: write ${loose}${loose}, or put a separator after it`; // one of D, M and H
}

const isOneOrTwoDigits = (token: string): boolean => token === 'D' || token === 'M' || token === 'H';
const isDigits = (token: string): boolean => token !== '' && !/^(MMM|ddd)/.test(token);

/** `undefined` if the text doesn't fit; a clause that gives the reason if it fits, but is not a real date. */
export function matchDate(text: string, parts: readonly PatternPart[], words: DateWords): Found | string | undefined {
  const found: Found = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: -1, weekday: -1 };
  let at = 0;
  for (const part of parts) {
    const end =
      'literal' in part
        ? text.startsWith(part.literal, at)
          ? at + part.literal.length
          : -1
        : take(text, at, part.token, found, words);
    if (end === -1) return undefined;
    at = end;
  }
  if (at !== text.length || found.hour > 23 || found.minute > 59 || found.second > 59) return undefined;
  const impossible = impossibleDayOf(found.year, found.month, found.day);
  if (impossible !== undefined) return `names a day that does not exist${privatePart(`: ${impossible}`)}`;
  const weekday = weekdayIndex(dayNumber(found.year, found.month, found.day));
  return found.weekday === -1 || found.weekday === weekday
    ? found
    : `names the wrong weekday${privatePart(`: that day is a ${words.weekday(weekday, 'long')}`)}`;
}

/** Two-digit years from this one on belong to the 20th century. */
const OLDEST_SHORT_YEAR = 69;

/** The end of the part at `at`, or -1 if it doesn't fit. */
function take(text: string, at: number, token: PatternToken, found: Found, words: DateWords): number {
  if (token === 'MMM' || token === 'MMMM')
    return takeName(text, at, words.months(token === 'MMM' ? 'short' : 'long'), (index) => (found.month = index + 1));
  if (token === 'ddd' || token === 'dddd')
    return takeName(text, at, words.weekdays(token === 'ddd' ? 'short' : 'long'), (index) => (found.weekday = index));
  const most = Math.max(2, token.length);
  let end = at;
  while (end - at < most && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end++;
  if (end === at || (token.length > 1 && end - at !== token.length)) return -1;
  const number = Number(text.slice(at, end));
  const part = partOf(token) as 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'; // the tokens made of digits
  found[part] = token === 'YY' ? number + (number < OLDEST_SHORT_YEAR ? 2_000 : 1_900) : number;
  return end;
}

function takeName(text: string, at: number, names: readonly (readonly string[])[], set: (index: number) => void): number {
  // One name may begin with another, as those of March and May do in short.
  let longest = 0;
  for (const [index, ways] of names.entries())
    for (const written of ways) {
      if (written.length <= longest || text.slice(at, at + written.length).toLowerCase() !== written.toLowerCase()) continue;
      set(index);
      longest = written.length;
    }
  return longest === 0 ? -1 : at + longest;
}
