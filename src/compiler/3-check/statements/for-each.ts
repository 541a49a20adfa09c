// Checks loops. Their items exist only inside the block, and the block may not run, so variables it sets may be unset afterwards.
import { localsOf, ROUND } from '../../2-parse/children.js';
import type { ForEach, ForEachField, Loop, Repeat } from '../../2-parse/tree.js';
import { assignedIn, isTogether } from '../../2-parse/walk.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { checkCondition } from '../expressions/logic.js';
import { checkKeptFields } from '../kept-fields.js';
import { itemKind, type Kind, numberKind, textKind, unknownKind } from '../kinds/kind.js';
import { requireCount } from '../kinds/require-count.js';
import { aList, aNumber, aRecord, requireKind } from '../kinds/require-kind.js';
import { checkLostChanges } from '../lost-changes.js';
import { reserved } from '../reserved.js';
import { checkTogether } from './rounds-together.js';

export function checkForEach(checker: Checker, loop: ForEach): void {
  const kind = checker.expression(loop.list);
  requireKind(checker, loop.list, kind, 'for each', aList);
  if (isTogether(loop)) {
    checkLocals(checker, loop);
    checkTogether(checker, loop, itemKind(kind));
  } else checkRounds(checker, loop, [itemKind(kind)]);
  checkLostChanges(checker, loop);
}

export function checkForEachField(checker: Checker, loop: ForEachField): void {
  const { name, value, record } = loop;
  requireKind(checker, record, checker.expression(record), 'for each', aRecord);
  if (name.text === value.text) checker.report(catalogue.sameName(value.span, value.text));
  checkRounds(checker, loop, [textKind, unknownKind]);
  checkLostChanges(checker, loop);
}

export function checkRepeat(checker: Checker, loop: Repeat): void {
  const most = checker.expression(loop.most);
  if (!requireKind(checker, loop.most, most, 'repeat at most', aNumber))
    requireCount(checker, loop.most, most, 'The number of rounds', 0);
  checkRounds(checker, loop, [numberKind]);
}

/** The names that exist in the block must not hide others. */
function checkLocals(checker: Checker, loop: Loop): void {
  const { scope } = checker;
  for (const { text, span } of localsOf(loop)) {
    if (reserved.has(text)) checker.report(catalogue.cannotSet(span, text));
    // `repeat` loops may be nested; the inner round number counts.
    else if (scope.look(text) !== undefined && !(text === ROUND && scope.isItem(text)))
      checker.report(catalogue.hiddenVariable(span, text));
  }
}

/** @param kinds of the names that exist in the block */
function checkRounds(checker: Checker, loop: Loop, kinds: readonly Kind[]): void {
  const { scope } = checker;
  const locals = localsOf(loop);
  const assigned = assignedIn(loop.body);
  for (const { text } of locals) assigned.delete(text);
  checker.facts.carried.set(
    loop,
    [...assigned].filter((name) => !scope.isItem(name) && scope.look(name) === 'set'),
  );
  checkLocals(checker, loop);
  // An earlier round may have set it.
  for (const name of assigned) {
    scope.mayBeSet(name);
    scope.forgetKind(name);
  }
  const walk = (): void => {
    if (loop.kind === 'repeat' && loop.until !== undefined) checkCondition(checker, loop.until);
    checker.block(loop.body);
  };
  const inside = locals.reduceRight<() => void>(
    (inner, { text }, index) =>
      () =>
        scope.withItem(text, kinds[index] ?? unknownKind, inner),
    walk,
  );
  scope.branch(inside);
  checkKeptFields(checker, loop.body);
}
