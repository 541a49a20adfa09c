// Checks `each line in … where …` and the like. The item exists only in the expressions evaluated for it.
import type { Iteration } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { itemKind } from '../kinds/kind.js';
import { aList, requireKind } from '../kinds/require-kind.js';
import { reserved } from '../reserved.js';
import { checkCondition } from './logic.js';

const words: Readonly<Record<Iteration['form'], string>> = {
  filter: 'each … in',
  map: 'for each … in',
  some: 'some … in',
  every: 'every … in',
};

export function checkIteration(checker: Checker, iteration: Iteration): void {
  const { form, item, list, condition, value } = iteration;
  const { scope, mapping } = checker;
  const all = checker.expression(list);
  requireKind(checker, list, all, words[form], aList);
  const kind = itemKind(all);
  if (reserved.has(item.text)) checker.report(catalogue.cannotSet(item.span, item.text));
  else if (scope.look(item.text) !== undefined) checker.report(catalogue.hiddenVariable(item.span, item.text));
  scope.withLocal(item.text, kind, () => {
    if (condition !== undefined) checkCondition(checker, condition);
    if (value === undefined) return;
    checker.mapping = iteration;
    checker.expression(value);
    checker.mapping = mapping;
  });
}
