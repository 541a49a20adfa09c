// Dates in formats of one's own: tokenizes a pattern such as `DD.MM.YYYY`, or says what is wrong with it; reads `date of "31.12.2026"
// written as "DD.MM.YYYY"` and returns ISO 8601; formats `text of due written as "D MMMM YYYY"` in the workflow's zone, or a number if the
// pattern is a sample such as "1,234.50". The check reads literal patterns; a run reads all others, and keeps them.
import { isNumberSample, longestSample, writeNumber } from '../numbers/parse-number.js';
import type { SourceLocation, Value } from '../types.js';
import { privatePart, WfError } from '../values/errors.js';
import { isLiteral, named, operandText, operandWhich } from '../values/operand-text.js';
import { show } from '../values/values.js';
import { work } from '../workload.js';
import type { Calendar } from './calendar.js';
import { type CivilDate, civilDate, dayNumber, weekdayIndex } from './civil-date.js';
import { impossibleDayOf, momentOf, timeOf } from './date-errors.js';
import { DAY_MS } from './date-unit.js';
import type { DateWords } from './date-words.js';
import { dateText } from './moment.js';

const TOKENS = ['YYYY', 'YY', 'MMMM', 'MMM', 'MM', 'M', 'dddd', 'ddd', 'DD', 'D', 'HH', 'H', 'mm', 'ss'] as const;

type PatternToken = (typeof TOKENS)[number];

/** Literal text, or a part of the date. */
export type PatternPart = { readonly literal: string } | { readonly token: PatternToken };

type DatePattern = { readonly ok: true; readonly parts: readonly PatternPart[] } | { readonly ok: false; readonly fault: string };

/** The meaning of each letter of a token. */
const meaning: Readonly<Record<string, string>> = {
  Y: 'year',
  M: 'month',
  d: 'weekday',
  D: 'day',
  H: 'hour',
  m: 'minute',
  s: 'second',
};

/** The token that people most likely mean by a letter that is not one. */
const meantBy: Readonly<Record<string, string>> = { y: 'YYYY', h: 'HH', S: 'ss' };

/** The part of a date that a token reads: `year`, `month` … */
const partOf = (token: PatternToken): string => meaning[token.charAt(0)] ?? '';

/** Reads a pattern. `''` is a literal quote. `fault` completes `The pattern "…" `. */
export function readPattern(pattern: string): DatePattern {
  const parts: PatternPart[] = [];
  let literal = '';
  const add = (part: PatternPart): void => {
    if (literal !== '') parts.push({ literal });
    literal = '';
    parts.push(part);
  };
  for (let at = 0; at < pattern.length; ) {
    const char = pattern.charAt(at);
    if (char === "'") {
      const quoted = /^'(?:[^']|'')*'/.exec(pattern.slice(at))?.[0];
      if (quoted === undefined) return wrong('has a quote that is never closed');
      literal += quoted === "''" ? "'" : quoted.slice(1, -1).replaceAll("''", "'");
      at += quoted.length;
    } else if (/[A-Za-z]/.test(char)) {
      const run = /^([A-Za-z])\1*/.exec(pattern.slice(at))?.[0] ?? char;
      const token = TOKENS.find((known) => known === run);
      if (token === undefined) return wrong(unknownRun(pattern.slice(at), run));
      add({ token });
      at += run.length;
    } else {
      literal += char;
      at++;
    }
  }
  if (literal !== '') parts.push({ literal });
  return parts.some((part) => 'token' in part)
    ? { ok: true, parts }
    : wrong('contains no part of a date, such as DD, MM or YYYY');
}

const wrong = (fault: string): DatePattern => ({ ok: false, fault });

function unknownRun(rest: string, run: string): string {
  const letter = run.charAt(0);
  if (Object.hasOwn(meaning, letter)) {
    const forms = TOKENS.filter((token) => token.startsWith(letter)).reverse();
    return `contains "${run}"; write the ${meaning[letter]} as ${forms.join(' or ')}`;
  }
  const meant = meantBy[letter];
  if (meant !== undefined) return `contains "${run}"; write ${meant} instead`;
  // In ISO 8601, the hour directly follows the T.
  const word = letter === 'T' ? 'T' : (/^[A-Za-z]+/.exec(rest)?.[0] ?? run);
  return `contains "${word}"; put your own words in single quotes: '${word}'`;
}

interface KnownPattern {
  readonly pattern: string;
  readonly parts: readonly PatternPart[];
}

/** More than any workflow names. A pattern can also come from data. */
const MOST = 200;
const known = new Map<string, KnownPattern>();

/** The pattern after `written as`. @throws WfError if it is not a pattern */
function patternOf(pattern: Value, location: SourceLocation | undefined): KnownPattern {
  work(200);
  if (typeof pattern !== 'string') {
    const fault = operandText(pattern, location?.[4], 'the value after "written as"');
    throw new WfError('WF640', `I can't read the pattern: ${fault}, but it must be text like "DD.MM.YYYY".`, location);
  }
  const found = known.get(pattern);
  if (found !== undefined) return found;
  const read = pattern.length > longestSample ? wrong(`has more than ${longestSample} characters`) : readPattern(pattern);
  if (!read.ok) throw unusablePattern(read.fault, location);
  if (known.size >= MOST) known.clear();
  const made = { pattern, parts: read.parts };
  known.set(pattern, made);
  return made;
}

/** @param fault completes `The pattern "…" ` */
function unusablePattern(fault: string, location: SourceLocation | undefined): WfError {
  const source = location?.[4];
  // Don't show a pattern that comes from data.
  const shown = source !== undefined && isLiteral(source) ? fault : `is not usable${privatePart(`: it ${fault}`)}`;
  return new WfError('WF640', `The pattern ${named(source, 'after "written as"')} ${shown}.`, location);
}

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
  const why = found ?? `is not written as ${named(location?.[4], 'the pattern says')}`;
  throw new WfError('WF626', `I can't read the ${word}: ${operandWhich(value, source, why)}.`, location);
}

/** Explains why a pattern can only be used for writing; `undefined` if it can also be read. Completes `The pattern "…" `. */
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
  work(500);
  let longest = 0;
  for (const [index, ways] of names.entries())
    for (const written of ways) {
      if (written.length <= longest || text.slice(at, at + written.length).toLowerCase() !== written.toLowerCase()) continue;
      set(index);
      longest = written.length;
    }
  return longest === 0 ? -1 : at + longest;
}

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
  const isNumber =
    typeof pattern === 'string' && pattern.length <= longestSample ? isNumberSample(pattern) : typeof value === 'number';
  return isNumber ? writeNumber(value, pattern, location) : writeDate(calendar, value, pattern, location);
}
