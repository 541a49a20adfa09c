// Checks waits: for a time, until a moment, for a message.

import { inMilliseconds } from '../../2-parse/durations.js';
import type { Wait, WaitFor, WaitUntil } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { type Checker, checkPairs, setVariable } from '../checker.js';
import { recordKind } from '../kinds/kind.js';
import { requireDate } from '../kinds/require-date.js';
import { aNumber, requireKind } from '../kinds/require-kind.js';
import { reserved } from '../scope.js';

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

/** Checks `wait until …`: it needs a date, or a date and time, as text. */
export function checkWaitUntil(checker: Checker, { moment }: WaitUntil): void {
  requireDate(checker, moment, checker.expression(moment), 'wait until');
}

/** Checks `wait for <message>`: what it saves is certain only if a timeout can't continue after it. */
export function checkWaitFor(checker: Checker, { pairs, atMost, save, silence, unread }: WaitFor): void {
  const { scope } = checker;
  checkPairs(checker, pairs);
  if (atMost !== undefined && atMost.amount < 0) checker.report(catalogue.negativeTime(atMost.span));
  const success = scope.branch(() => {
    if (save !== undefined) setVariable(checker, save, recordKind);
    for (const name of unread?.names ?? []) if (!reserved.has(name)) scope.set(name);
  });
  // After invalid lines, it is unclear what handles the timeout.
  if (silence !== undefined && unread !== undefined) scope.branch(() => checker.block(silence.body));
  if (silence === undefined || unread !== undefined) scope.join([success]);
  else scope.join([success, scope.branch(() => checker.block(silence.body))]);
}
