// Reads the operands of operations on dates, and words the run-time errors: what was found instead, and how to read another format, guessed
// from how it is written.
import { privatePart, WfError } from '../values/errors.js';
import { isLiteral, named, numberHint, operandText } from '../values/operand-text.js';
import type { SourceLocation, Value } from '../values/value-types.js';
import { show } from '../values/values.js';
import { work } from '../workload.js';
import { daysInMonth } from './civil-date.js';
import type { DateUnit } from './date-unit.js';
import { digitsAt, type Moment, parseMoment } from './moment.js';

/**
 * A value that is not a date or time.
 * @param aim what failed: `add days`
 * @param role what to call the value if its source is unknown
 */
function notADate(
  aim: string,
  value: Value,
  source: string | undefined,
  role: string,
  location: SourceLocation | undefined,
): WfError {
  const fault = operandText(value, source, role);
  const text = typeof value === 'string' ? value : '';
  const day = impossibleDay(text);
  if (day !== undefined) {
    const message = `I can't ${aim}: ${fault}, and that day does not exist${privatePart(`: ${day}`)}.`;
    return new WfError('WF622', message, location);
  }
  const need = 'a date like 2026-03-01 or a time like 2026-03-01T09:30';
  return new WfError('WF622', `I can't ${aim}: ${fault}, but it must be ${need}.${readingHint(text, source)}`, location);
}

/** Says how to read a date in another format; empty for text that doesn't look like one. */
function readingHint(text: string, source: string | undefined): string {
  if (/^\d{1,2}:\d\d$/.test(text)) return ' A time of day needs its date: "{today}T09:30".';
  const pattern = writtenPattern(text);
  if (pattern === undefined) return '';
  const written = source === undefined || source === '' ? 'it' : source;
  return ` To read it as a date, write: date of ${written} written as "${pattern}".`;
}

/** Explains why a date does not exist, such as `February 2026 has 28 days`; `undefined` for a real date and for any other text. */
export function impossibleDay(text: string): string | undefined {
  if (!/^\d{4}-\d\d-\d\d(T|$)/.test(text)) return undefined;
  return impossibleDayOf(digitsAt(text, 0, 4), digitsAt(text, 5, 2), digitsAt(text, 8, 2));
}

export function impossibleDayOf(year: number, month: number, day: number): string | undefined {
  if (month < 1 || month > 12) return 'months go from 1 to 12';
  if (day < 1) return 'days go from 1';
  const days = daysInMonth(year, month);
  return day > days ? `${monthNames[month - 1]} ${year} has ${days} days` : undefined;
}

/** A date where a clock time is needed. @param aim what failed: `add hours` */
function noClockTime(
  aim: string,
  value: Value,
  source: string | undefined,
  role: string,
  location: SourceLocation | undefined,
): WfError {
  const shown = source !== undefined && isLiteral(source) ? '' : privatePart(` (${show(value)})`);
  const message = `I can't ${aim}: ${named(source, role)} is a date${shown}, which has no clock time. Use a time like 2026-03-01T09:30.`;
  return new WfError('WF623', message, location);
}

/** @param source text of the amount */
export function wrongAmount(
  unit: DateUnit,
  amount: Value,
  source: string | undefined,
  location: SourceLocation | undefined,
): WfError {
  const need = typeof amount === 'number' ? 'it must be a whole number' : 'it must be a number';
  const message = `I can't count the ${unit}: ${operandText(amount, source, `the number of ${unit}`)}, but ${need}.${numberHint(amount, source)}`;
  return new WfError('WF624', message, location);
}

/** @param what names the result: `"today" plus 9000 years` */
export function outOfCalendar(what: string, location: SourceLocation | undefined): WfError {
  return new WfError('WF625', `${what} is outside the calendar, which covers the years 0 to 9999.`, location);
}

/**
 * @param aim the operation, for the message: `add days`
 * @param at index of its source text in the location
 * @param role what to call it if that is unknown
 * @throws WfError for anything but a date or time
 */
export function momentOf(value: Value, aim: string, location: SourceLocation | undefined, at: 3 | 4 | 5, role: string): Moment {
  work(100);
  const moment = typeof value === 'string' ? parseMoment(value) : undefined;
  if (moment === undefined) throw notADate(aim, value, location?.[at], role, location);
  return moment;
}

/** Like `momentOf`, but requires a clock time. @throws WfError also for a date */
export function timeOf(value: Value, aim: string, location: SourceLocation | undefined, at: 3 | 4 | 5, role: string): Moment {
  const moment = momentOf(value, aim, location, at, role);
  if (moment.form === 'date') throw noClockTime(aim, value, location?.[at], role, location);
  return moment;
}

/** Only a workflow that was compiled by another version gets here: the check requires the setting. */
export const noWorkingHours = (location: SourceLocation | undefined): WfError =>
  new WfError('WF624', "I can't count working hours: the workflow has no setting working hours.", location);

export const monthNames: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Day and month of `a.b.YYYY`. If both orders make sense, the separator decides. */
function orderOf(first: number, second: number, separator: string): 'day first' | 'month first' | undefined {
  const dayFirst = isDay(first, second);
  const monthFirst = isDay(second, first);
  if (dayFirst && monthFirst) return separator === '/' ? 'month first' : 'day first';
  return dayFirst ? 'day first' : monthFirst ? 'month first' : undefined;
}

/** Whether they can be meant as a day and a month, even if that month has fewer days. */
const isDay = (day: number, month: number): boolean => month >= 1 && month <= 12 && day >= 1 && day <= 31;

/** `01.03.2026` → `DD.MM.YYYY`; `undefined` for ISO 8601 and for text that doesn't look like a date. */
export function writtenPattern(text: string): string | undefined {
  const yearLast = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$/.exec(text);
  if (yearLast !== null) {
    const [, first = '', separator = '', second = '', year = ''] = yearLast;
    const order = orderOf(Number(first), Number(second), separator);
    if (order === undefined) return undefined;
    const isPadded = first.length === 2 && second.length === 2;
    const [day, month] = isPadded ? ['DD', 'MM'] : ['D', 'M'];
    const parts = order === 'day first' ? [day, month] : [month, day];
    return [...parts, year.length === 4 ? 'YYYY' : 'YY'].join(separator);
  }
  const yearFirst = /^(\d{4})([./-])(\d{1,2})\2(\d{1,2})$/.exec(text);
  if (yearFirst === null) return undefined;
  const [, , separator = '', month = '', day = ''] = yearFirst;
  if (!isDay(Number(day), Number(month))) return undefined;
  const isPadded = month.length === 2 && day.length === 2;
  if (isPadded && separator === '-') return undefined;
  return ['YYYY', ...(isPadded ? ['MM', 'DD'] : ['M', 'D'])].join(separator);
}
