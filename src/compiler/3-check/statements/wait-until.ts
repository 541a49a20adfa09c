// Checks `wait until …`: it needs a date, or a date and time, as text.
import type { WaitUntil } from '../../2-parse/tree.js';
import type { Checker } from '../checker.js';

export function checkWaitUntil(checker: Checker, { moment }: WaitUntil): void {
  checker.expression(moment);
}
