// Checks `wait …`: a duration cannot be negative, nor longer than the run may take.
import { inMilliseconds } from '../../2-parse/durations.js';
import type { Wait } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { aNumber, requireKind } from '../kinds/require-kind.js';

export function checkWait(checker: Checker, { amount, unit, span }: Wait): void {
  const kind = checker.expression(amount);
  requireKind(checker, amount, kind, 'wait', aNumber);
  if (kind.is !== 'number' || kind.value === undefined) return;
  const duration = { start: amount.span.start, end: span.end };
  if (kind.value < 0) checker.report(catalogue.negativeTime(duration));
  const isCalendar = unit === 'months' || unit === 'years' || unit === 'working days';
  if (isCalendar && !Number.isInteger(kind.value)) checker.report(catalogue.wholeAmount(duration, unit));
  const { timeout } = checker;
  if (timeout !== undefined && inMilliseconds({ amount: kind.value, unit }) >= inMilliseconds(timeout))
    checker.report(catalogue.waitBeyondTimeout(duration, checker.text.slice(timeout.span.start, timeout.span.end)));
}
