// Checks waits: for a time, until a moment, for a message.
import type { Wait, WaitFor, WaitUntil } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { checkTimeSpan, inMilliseconds } from '../check-time-span.js';
import { type Checker, checkPairs, setVariable } from '../checker.js';
import { recordKind } from '../kinds/kind.js';
import { requireDate } from '../kinds/require-date.js';
import { reserved } from '../scope.js';

export function checkWait(checker: Checker, { amount, unit, span }: Wait): void {
  const duration = { start: amount.span.start, end: span.end };
  const kind = checkTimeSpan(checker, { amount, unit, span: duration }, 'wait');
  const { timeout } = checker;
  if (kind.is !== 'number' || kind.value === undefined) return;
  if (timeout !== undefined && inMilliseconds({ amount: kind.value, unit }) >= inMilliseconds(timeout))
    checker.report(catalogue.waitBeyondTimeout(duration, checker.text.slice(timeout.span.start, timeout.span.end)));
}

/** Checks `wait until …`: it needs a date, or a date and time, as text, or a time of day. */
export function checkWaitUntil(checker: Checker, { moment, at }: WaitUntil): void {
  if (moment !== undefined) requireDate(checker, moment, checker.expression(moment), 'wait until');
  if (at !== undefined && !(at.hours <= 23 && at.minutes <= 59)) checker.report(catalogue.noClockTime(at.span));
}

/** Checks `wait for <message>`: what it saves is certain only if a timeout can't continue after it. */
export function checkWaitFor(checker: Checker, { message, pairs, atMost, save, silence, onSuccess, unread }: WaitFor): void {
  const { scope } = checker;
  // A message may be named after the variable that it is saved as.
  const kind = scope.kindOfTarget(message.text);
  if (kind?.is === 'text' && kind.form !== undefined && pairs.length === 0 && save === undefined)
    checker.report(catalogue.waitForDate(message.span, message.text, kind.form));
  checkPairs(checker, pairs);
  if (atMost !== undefined) checkTimeSpan(checker, atMost, 'at most');
  const success = scope.branch(() => {
    if (save !== undefined) setVariable(checker, save, recordKind);
    for (const name of unread?.names ?? []) if (!reserved.has(name)) scope.set(name);
    if (onSuccess !== undefined) checker.block(onSuccess.body);
  });
  // After invalid lines, it is unclear what handles the timeout.
  if (silence !== undefined && unread !== undefined) scope.branch(() => checker.block(silence.body));
  if (silence === undefined || unread !== undefined) scope.join([success]);
  else scope.join([success, scope.branch(() => checker.block(silence.body))]);
}
