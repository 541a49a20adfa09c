// Checks `wait until …`: it needs a date, or a date and time, as text.
import type { WaitUntil } from '../../2-parse/tree.js';
import type { Checker } from '../checker.js';
import { requireDate } from '../kinds/require-date.js';

export function checkWaitUntil(checker: Checker, { moment }: WaitUntil): void {
  requireDate(checker, moment, checker.expression(moment), 'wait until');
}
