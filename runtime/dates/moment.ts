// Converts between ISO 8601 text and its parts. Dates and times are text in a workflow; every operation reads and writes them through this
// module.
import { civilDate, dayNumber, daysInMonth } from './civil-date.js';
import { DAY_MS } from './date-unit.js';

/** A date or time as written, not converted to another zone. */
export interface Moment {
  /** Days from 1970-01-01 to the date, as written. */
  readonly day: number;
  /** Milliseconds since the preceding midnight; 0 for a date. */
  readonly time: number;
  /** The remainder below a millisecond, in nanoseconds. */
  readonly nanos: number;
  readonly form: 'date' | 'local' | 'offset';
  /** Offset from UTC in milliseconds; 0 if the text has none. */
  readonly offset: number;
  /** `Z`, `+02:00` or `+0200` as written. */
  readonly suffix: string;
  /** Digits of the fraction of a second; -1 without seconds. */
  readonly digits: number;
}

/** The number that the `count` digits at `at` form; -1 if one of them is not a digit. */
export function digitsAt(text: string, at: number, count: number): number {
  let number = 0;
  for (let index = at; index < at + count; index++) {
    const digit = text.charCodeAt(index) - 48;
    // Past the end of the text, this is NaN.
    if (!(digit >= 0 && digit <= 9)) return -1;
    number = number * 10 + digit;
  }
  return number;
}

/** Reads `2026-03-01`, `2026-03-01T09:30`, with seconds and a fraction, with `Z` or an offset; returns `undefined` for anything else. */
export function parseMoment(text: string): Moment | undefined {
  const day = readDay(text);
  if (day === undefined) return undefined;
  if (text.length === 10) return { day, time: 0, nanos: 0, form: 'date', offset: 0, suffix: '', digits: -1 };
  return text.charCodeAt(10) === 0x54 ? readTime(text, day) : undefined;
}

/** Day number of the date at the start of the text. */
function readDay(text: string): number | undefined {
  if (text.length < 10 || text.charCodeAt(4) !== 0x2d || text.charCodeAt(7) !== 0x2d) return undefined;
  const year = digitsAt(text, 0, 4);
  const month = digitsAt(text, 5, 2);
  const day = digitsAt(text, 8, 2);
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  return dayNumber(year, month, day);
}

function readTime(text: string, day: number): Moment | undefined {
  const hour = digitsAt(text, 11, 2);
  const minute = digitsAt(text, 14, 2);
  if (text.charCodeAt(13) !== 0x3a || hour < 0 || hour > 23 || minute < 0 || minute > 59) return undefined;
  let time = hour * 3_600_000 + minute * 60_000;
  let at = 16;
  let digits = -1;
  let nanos = 0;
  if (text.charCodeAt(at) === 0x3a) {
    const second = digitsAt(text, 17, 2);
    if (second < 0 || second > 59) return undefined;
    time += second * 1_000;
    at = 19;
    digits = 0;
    if (text.charCodeAt(at) === 0x2e) {
      while (digits < 9 && digitsAt(text, at + 1 + digits, 1) >= 0) digits++;
      if (digits === 0) return undefined;
      const fraction = Number(text.slice(at + 1, at + 1 + digits).padEnd(9, '0'));
      time += Math.floor(fraction / 1_000_000);
      nanos = fraction % 1_000_000;
      at += 1 + digits;
    }
  }
  const suffix = text.slice(at);
  if (suffix === '') return { day, time, nanos, form: 'local', offset: 0, suffix, digits };
  const offset = readOffset(suffix);
  return offset === undefined ? undefined : { day, time, nanos, form: 'offset', offset, suffix, digits };
}

/** `Z`, `+02:00` or `+0200`, in milliseconds. */
function readOffset(suffix: string): number | undefined {
  if (suffix === 'Z') return 0;
  const match = /^([+-])(\d\d):?(\d\d)$/.exec(suffix);
  const [, sign, hours, minutes] = match ?? [];
  if (Number(hours) > 23 || !(Number(minutes) <= 59)) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

const two = (number: number): string => (number < 10 ? `0${number}` : String(number));

/** `2026-03-01`. */
export function dateText(day: number): string {
  const { year, month, day: ofMonth } = civilDate(day);
  return `${year < 1_000 ? String(year).padStart(4, '0') : year}-${two(month)}-${two(ofMonth)}`;
}

/** The first and last day of four-digit years. */
const [firstDay, lastDay] = [dayNumber(0, 1, 1), dayNumber(9_999, 12, 31)];

export const isInRange = (day: number): boolean => day >= firstDay && day <= lastDay;

/**
 * Writes another date and clock time in the form of `like`. Seconds and their fraction appear if `like` has them, or if they are not 0.
 * Keeps what `like` has below a millisecond.
 * @param wall the UTC milliseconds of the same digits
 */
export function momentText(wall: number, like: Moment): string {
  const day = Math.floor(wall / DAY_MS);
  if (like.form === 'date') return dateText(day);
  const time = wall - day * DAY_MS;
  const minutes = `${dateText(day)}T${two(Math.floor(time / 3_600_000))}:${two(Math.floor(time / 60_000) % 60)}`;
  const ms = time % 1_000;
  const least = ms !== 0 ? 3 : time % 60_000 !== 0 ? 0 : -1;
  const digits = Math.max(like.digits, least);
  if (digits === -1) return minutes + like.suffix;
  const seconds = `${minutes}:${two(Math.floor(time / 1_000) % 60)}`;
  if (digits === 0) return seconds + like.suffix;
  const fraction = String(ms * 1_000_000 + like.nanos).padStart(9, '0');
  return `${seconds}.${fraction.slice(0, digits)}${like.suffix}`;
}
