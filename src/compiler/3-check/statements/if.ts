// Checks `if` and its branches. A variable counts as set afterwards only if every branch sets it.
import type { If } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { checkCondition } from '../expressions/logic.js';

/** JavaScript nests each `else if` in the one before, and runs out of stack after some thousands. */
const mostBranches = 1_000;

export function checkIf(checker: Checker, { branches, otherwise }: If): void {
  const { scope } = checker;
  const surplus = branches[mostBranches];
  if (surplus !== undefined) checker.report(catalogue.tooManyBranches(surplus.condition.span, mostBranches));
  const effects = branches.map(({ condition, body }) => {
    checker.reported.clear();
    checkCondition(checker, condition);
    return scope.branch(() => checker.block(body));
  });
  effects.push(scope.branch(() => otherwise !== undefined && checker.block(otherwise.body)));
  scope.join(effects);
}
