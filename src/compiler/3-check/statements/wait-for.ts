// Checks `wait for <message>`: what it saves is certain only if a timeout can't continue after it.
import type { WaitFor } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { checkPairs } from '../check-pairs.js';
import type { Checker } from '../checker.js';
import { recordKind } from '../kinds/kind.js';
import { reserved } from '../reserved.js';
import { setVariable } from '../set-variable.js';

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
