// Checks an amount of time, such as `5 minutes` or `request.days working days`, and converts it to milliseconds.
import { DAY_MS, type DateUnit } from '../../../runtime/dates/date-unit.js';
import type { AmountOfTime } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Span } from '../diagnostics/diagnostic.js';
import type { Checker } from './checker.js';
import type { Kind } from './kinds/kind.js';
import { aNumber, requireKind } from './kinds/require-kind.js';

/** Returns the kind of the amount. @param word the keyword before it */
export function checkTimeSpan(checker: Checker, { amount, unit, span }: AmountOfTime, word: string): Kind {
  const kind = checker.expression(amount);
  checkUnit(checker, unit, span);
  requireKind(checker, amount, kind, word, aNumber);
  if (kind.is !== 'number' || kind.value === undefined) return kind;
  if (kind.value < 0) {
    const written = checker.text.slice(span.start, span.end);
    checker.report(catalogue.negativeTime(span, /^-\d/.test(written) ? written.slice(1) : undefined));
  }
  const isCalendar = unit === 'months' || unit === 'years' || unit === 'working days';
  if (isCalendar && !Number.isInteger(kind.value)) checker.report(catalogue.wholeAmount(span, unit));
  const { timeout, text } = checker;
  // A wait of its own is an error, which the caller reports.
  if (timeout !== undefined && word !== 'wait' && inMilliseconds({ amount: kind.value, unit }) > inMilliseconds(timeout))
    checker.report(catalogue.limitBeyondTimeout(span, word, text.slice(timeout.span.start, timeout.span.end)));
  return kind;
}

/** Working hours need the setting that says when they are. */
export function checkUnit(checker: Checker, unit: DateUnit, span: Span): void {
  if (unit === 'working hours' && !checker.hasWorkingHours) checker.report(catalogue.workingHoursUnset(span));
}

/** A month counts as its shortest form. What takes longer than that certainly takes too long. */
const units: Readonly<Record<DateUnit, number>> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: DAY_MS,
  'working days': DAY_MS,
  'working hours': 3_600_000,
  weeks: 7 * DAY_MS,
  months: 28 * DAY_MS,
  years: 365 * DAY_MS,
};

export const inMilliseconds = ({ amount, unit }: { readonly amount: number; readonly unit: DateUnit }): number =>
  Math.round(amount * units[unit]);
