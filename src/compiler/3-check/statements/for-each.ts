// Checks loops. Their items exist only inside the block, and the block may not run, so variables it sets may be unset afterwards.
import type {
  Block,
  Expression,
  ForEach,
  ForEachField,
  Loop,
  Reference,
  Repeat,
  SetVariable,
  Shift,
  Statement,
  TogetherLoop,
} from '../../2-parse/tree.js';
import {
  assignedBy,
  assignmentIn,
  blocksOf,
  expressionsOf,
  isLoop,
  isTogether,
  localsOf,
  namesIn,
  namesSetIn,
  outerReferencesIn,
  type PlaceOfSetting,
  ROUND,
  referencesIn,
  statementsIn,
} from '../../2-parse/walk.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Span } from '../../diagnostics/diagnostic.js';
import type { Checker } from '../checker.js';
import { checkCondition } from '../expressions/logic.js';
import { itemKind, type Kind, listKind, numberKind, textKind, unknownKind } from '../kinds/kind.js';
import { aList, aNumber, aRecord, isCertainlyWrong, requireCount, requireKind, requireList } from '../kinds/require-kind.js';
import { reserved } from '../scope.js';
import { checkDoneCount } from './at-the-same-time.js';

export function checkForEach(checker: Checker, loop: ForEach): void {
  const kind = checker.listOf(loop.item.text, loop.list);
  requireList(checker, loop.list, kind, 'for each');
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
    requireCount(checker, loop.most, most, 'The number of rounds', [0]);
  checkRounds(checker, loop, [numberKind]);
}

/** A month that is added to the date of the round before: once the day has become the 28th, it stays so. */
function checkAddedMonths(checker: Checker, { kind, body }: Loop): void {
  // What this round has set itself, and dates with months that are added to a variable.
  const fresh = new Set<string>();
  const later = new Map<string, NonNullable<ReturnType<typeof addedMonths>>>();
  for (const statement of body) {
    for (const one of statementsIn([statement])) {
      if (one.kind !== 'set' || one.fields.length > 0) continue;
      const { target, value } = one;
      const added = value.kind === 'reference' && value.fields.length === 0 ? later.get(value.root) : addedMonths(value);
      later.delete(target.text);
      if (added === undefined) continue;
      later.set(target.text, added);
      if (plainName(added.date) !== target.text || fresh.has(target.text) || checker.keptFields.has(one)) continue;
      checker.keptFields.add(one);
      const amount = checker.text.slice(added.amount.span.start, added.amount.span.end);
      const { operator, unit } = added;
      checker.report(catalogue.monthInLoop(added.span, target.text, { operator, amount, unit, counts: kind === 'repeat' }));
    }
    if (statement.kind === 'set' && statement.fields.length === 0) fresh.add(statement.target.text);
  }
}

/** `(due plus 1 month) minus 3 days`: the months. */
function addedMonths(value: Expression): (Shift & { readonly unit: 'months' | 'years' }) | undefined {
  if (value.kind === 'group') return addedMonths(value.inner);
  if (value.kind !== 'shift') return undefined;
  const { unit } = value;
  return unit === 'months' || unit === 'years' ? { ...value, unit } : addedMonths(value.date);
}

const plainName = (value: Expression): string | undefined =>
  value.kind === 'reference' && value.fields.length === 0 ? value.root : undefined;

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

/** Values that change from round to round without a line that sets them. */
const ADVANCES = /^(?:round|now|today)$/;

/** Whether a number stays one in the block, where nothing but calculations with it set it. */
const isAlwaysNumber = (body: Block, name: string): boolean =>
  [...statementsIn(body)].every(
    (one) =>
      one.kind === 'add' ||
      !assignedBy(one).some((assignment) => assignment.name === name) ||
      (one.kind === 'set' &&
        one.fields.length === 0 &&
        (one.value.kind === 'number' ||
          (one.value.kind === 'arithmetic' && one.value.first.kind === 'reference' && one.value.first.root === name))),
  );

/** @param kinds of the names that exist in the block */
function checkRounds(checker: Checker, loop: Loop, kinds: readonly Kind[]): void {
  const { scope } = checker;
  const locals = localsOf(loop);
  const { own, added } = namesSetIn(loop.body);
  const assigned = new Set([...own, ...added]);
  for (const { text } of locals) assigned.delete(text);
  checker.facts.carried.set(
    loop,
    [...assigned].filter((name) => !scope.isItem(name) && scope.look(name) === 'set'),
  );
  checkLocals(checker, loop);
  // An earlier round may have set it.
  for (const name of assigned) {
    scope.mayBeSet(name);
    // Only a value that is a list before the first round can be added to.
    const kind = scope.kindOfTarget(name) ?? unknownKind;
    const isOnlyAdded = !own.has(name) && isCertainlyWrong(kind, aList);
    if (isOnlyAdded) continue;
    const later = kind.is === 'number' && isAlwaysNumber(loop.body, name) ? numberKind : unknownKind;
    scope.forgetKind(name, !own.has(name) && kind.is === 'list' ? listKind : later);
  }
  const walk = (): void => {
    if (loop.kind === 'repeat' && loop.until !== undefined) {
      checkCondition(checker, loop.until);
      const read = namesIn(loop.until);
      if (read.size > 0 && ![...read].some((name) => assigned.has(name) || ADVANCES.test(name)))
        checker.report(catalogue.unchangedCondition(loop.until.span, [...read][0] ?? ''));
    }
    checker.block(loop.body);
  };
  const inside = locals.reduceRight<() => void>(
    (inner, { text }, index) =>
      () =>
        scope.withItem(text, kinds[index] ?? unknownKind, inner),
    walk,
  );
  scope.branch(inside);
  checkAddedMonths(checker, loop);
  checkKeptFields(checker, loop.body);
}

const MOST_AT_A_TIME = 100;

/**
 * Checks `for each …, 10 at a time:`. Concurrent rounds share nothing: what they set is local, and only lists that they add to leave the
 * loop.
 */
function checkTogether(checker: Checker, loop: TogetherLoop, kind: Kind): void {
  const { scope } = checker;
  const { item, body, atATime } = loop;
  if (loop.until !== undefined) checkDoneCount(checker, loop.until);
  if (atATime !== 'all' && (!Number.isInteger(atATime.value) || atATime.value < 1 || atATime.value > MOST_AT_A_TIME))
    checker.report(catalogue.roundsAtATime(atATime.span, MOST_AT_A_TIME));
  const { own, added } = namesSetIn(body);
  own.delete(item.text);
  added.delete(item.text);
  for (const name of own) {
    if (reserved.has(name) || scope.look(name) === undefined) continue;
    const place = assignmentIn(body, name);
    if (place !== undefined) {
      const { item: found, isSum } = contributed(checker, name, place);
      checker.report(catalogue.setOutsideRound(place.span, name, found, isSum));
    }
    // It has been reported and must not count as a name of the round as well.
    own.delete(name);
  }
  const reported = new Set<string>();
  for (const { root, span } of outerReferencesIn(body)) {
    if (!added.has(root) || reported.has(root) || (root === 'failure' && scope.inFailure)) continue;
    reported.add(root);
    checker.report(catalogue.readsGrowingList({ ...span, end: span.start + root.length }, root));
  }
  const { changes } = scope.branch(() => {
    for (const name of reported) scope.set(name);
    scope.withLocal(item.text, kind, () => checker.block(body));
  });
  const reaching = [...changes].filter(([name]) => added.has(name));
  const { facts } = scope;
  scope.join([
    { changes: new Map(reaching), ended: false, facts },
    { changes: new Map(), ended: false, facts },
  ]);
  scope.leaveRounds([item.text, ...own]);
}

/** The value that a round adds to a variable: `price` of `set total to total plus price`, or else the whole value. */
function contributed(
  { text }: Checker,
  name: string,
  { value }: PlaceOfSetting,
): { readonly item: string; readonly isSum: boolean } {
  const written = ({ start, end }: Span): string => text.slice(start, end);
  if (value?.kind === 'arithmetic') {
    const { first, operations } = value;
    const [operation] = operations;
    const isSelf = first.kind === 'reference' && first.root === name && first.fields.length === 0;
    if (isSelf && operation?.operator === 'plus' && operations.length === 1)
      return { item: written(operation.operand.span), isSum: true };
  }
  return { item: value === undefined ? name : written(value.span), isSum: false };
}

/** Searches the block of a loop. `keptFields` of the checker has what inner loops have already reported. */
function checkKeptFields(checker: Checker, body: Block): void {
  const all = [...statementsIn(body)];
  const firstFields = new Map<string, SetVariable>();
  for (const statement of all) {
    if (statement.kind !== 'set' || statement.fields.length === 0 || readsItself(statement)) continue;
    if (!firstFields.has(statement.target.text)) firstFields.set(statement.target.text, statement);
  }
  if (firstFields.size === 0) return;
  for (const name of setAsWhole(all)) firstFields.delete(name);
  for (const statement of all) {
    for (const { root, fields, span } of handedOn(statement)) {
      const first = fields.length === 0 ? firstFields.get(root) : undefined;
      if (first === undefined || checker.keptFields.has(statement)) continue;
      checker.keptFields.add(statement);
      checker.report(catalogue.keptFields(span, root, first.line, asWhole(checker, first)));
    }
  }
}

/** `set totals.count to totals.count plus 1` is meant to accumulate over rounds. */
const readsItself = ({ target, value }: SetVariable): boolean =>
  [...referencesIn(value)].some(({ root }) => root === target.text);

function* setAsWhole(all: readonly Statement[]): Iterable<string> {
  for (const statement of all) {
    const isPart = statement.kind === 'add' || (statement.kind === 'set' && statement.fields.length > 0);
    if (!isPart) for (const { name } of assignedBy(statement)) yield name;
  }
}

/** The values that a statement stores in a list, or sends. */
function* handedOn(statement: Statement): Iterable<Reference> {
  if (statement.kind !== 'add' && statement.kind !== 'call' && statement.kind !== 'ask') return;
  for (const { expression } of expressionsOf(statement)) yield* referencesIn(expression);
}

/** The statement that creates a new record with the first of its fields. */
function asWhole({ text }: Checker, { target, fields, value }: SetVariable): string {
  const written = text.slice(value.span.start, value.span.end);
  const [field = '', ...deeper] = fields;
  const isSimple =
    typeof field === 'string' && deeper.length === 0 && /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(field) && written.length <= 60;
  return `set ${target.text} to record with ${isSimple ? `${field} ${written}` : '…'}`;
}

/** A field of a loop's item that is set but not read: the item is a copy, so the change is lost when the round ends. */
function checkLostChanges(checker: Checker, loop: Loop): void {
  const all = [...statementsIn(loop.body)];
  for (const { text } of localsOf(loop)) checkItem(checker, all, text);
}

/** Looks at each statement once: a loop can have many thousands. */
function checkItem(checker: Checker, all: readonly Statement[], item: string): void {
  const isChange = (one: Statement): one is SetVariable =>
    one.kind === 'set' && one.fields.length > 0 && one.target.text === item;
  if (!all.some(isChange)) return;
  const readers = all.flatMap((statement, index) => (reads(statement, item) ? [index] : []));
  let from = 0;
  let end = 0;
  for (const [index, statement] of all.entries()) {
    if (index >= end) {
      from = index;
      // A later round of a loop inside this one may read what an earlier one has set.
      end = index + 1 + (isLoop(statement.kind) ? countInside(statement) : 0);
    }
    const last = readers.at(-1) === index ? readers.at(-2) : readers.at(-1);
    if (isChange(statement) && (last === undefined || last < from))
      checker.report(catalogue.lostChange({ start: statement.span.start, end: statement.value.span.end }, item));
  }
}

const countInside = (outer: Statement): number =>
  blocksOf(outer).reduce((sum, block) => sum + [...statementsIn(block)].length, 0);

/** Whether it reads the variable, or may: no one knows what a line means that could not be parsed. */
const reads = (statement: Statement, name: string): boolean =>
  statement.kind === 'broken' || expressionsOf(statement).some(({ expression }) => namesIn(expression).has(name));
