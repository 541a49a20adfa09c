// Comparisons. Those that can never work are errors; those that are always true, or always false, are warnings.
import type { Between, Comparison, Expression } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { type Checker, checkPattern } from '../checker.js';
import { type Kind, operandWords } from '../kinds/kind.js';
import { checkLocalDates, requireDate } from '../kinds/require-date.js';
import { aList, aText, isCertainlyWrong, requireKind } from '../kinds/require-kind.js';
import { checkSettled } from './settled-by-inputs.js';

export function checkComparison(checker: Checker, comparison: Comparison): void {
  const { comparator, left, right } = comparison;
  const [one, other] = [checker.expression(left), checker.expression(right)];
  if (
    comparator === 'is before' ||
    comparator === 'is after' ||
    comparator === 'is on or before' ||
    comparator === 'is on or after'
  ) {
    if (!checkNoNumbers(checker, comparison, one, other) && !requireDate(checker, left, one, comparator))
      requireDate(checker, right, other, comparator);
    return;
  }
  // `"01.02.2026" is below today` ends the run.
  const fixed = isDated(one) ? { side: right, kind: other } : isDated(other) ? { side: left, kind: one } : undefined;
  const isOrdered = /^is (?:above|below|at)/.test(comparator);
  if (isOrdered && fixed?.kind.is === 'text' && requireDate(checker, fixed.side, fixed.kind, comparator)) return;
  checkTexts(checker, [left, right]);
  if (isDated(one) || isDated(other)) checker.facts.dated.add(comparison);
  if (isOrdered) checkClocks(checker, [left, right]);
  checkValues(checker, comparison, one);
  switch (comparator) {
    case 'is':
    case 'is not':
      checkEqual(checker, comparison, one, other);
      return;
    case 'is above':
    case 'is below':
    case 'is at least':
    case 'is at most':
      checkOrder(checker, comparator, { expression: left, kind: one }, { expression: right, kind: other });
      return;
    case 'is one of':
    case 'is not one of':
      if (!requireKind(checker, right, other, comparator, aList))
        checkMembers(checker, comparison, { expression: right, kind: other }, one, comparator === 'is not one of');
      return;
    case 'contains':
    case 'does not contain':
      if (
        !requireKind(checker, left, one, comparator, {
          kinds: ['text', 'list', 'record'],
          words: 'a text, a list or a record before it',
          allowsEmpty: true,
        })
      )
        checkMembers(checker, comparison, { expression: left, kind: one }, other, comparator === 'does not contain');
      return;
    case 'starts with':
    case 'ends with':
      requireKind(checker, left, one, comparator, aText);
      return;
    case 'is like':
      checkLike(checker, comparison, one, other);
  }
}

/** Values that the left side never has. */
const checkValues = (checker: Checker, comparison: Comparison, kind: Kind): void =>
  hasLimits(comparison.left, kind)
    ? checkSettled(checker, comparison, kind)
    : checkCase(checker, comparison.left, [comparison.right]);

/** `lowercase of name is "ADA"`: no text has both. */
function checkCase(checker: Checker, side: Expression, others: readonly Expression[]): void {
  if (side.kind === 'group') checkCase(checker, side.inner, others);
  if (side.kind !== 'builtin' || (side.name !== 'lowercase of' && side.name !== 'uppercase of')) return;
  for (const other of others) {
    if (other.kind === 'list') checkCase(checker, side, other.items);
    const kind = checker.kindOf(other);
    if (other.kind !== 'text' || kind.is !== 'text' || kind.value === undefined) continue;
    const meant = side.name === 'lowercase of' ? kind.value.toLowerCase() : kind.value.toUpperCase();
    if (meant !== kind.value) checker.report(catalogue.otherCase(other.span, side.name, kind.value, meant));
  }
}

function checkLike(checker: Checker, { comparator, left, right }: Comparison, one: Kind, other: Kind): void {
  if (!requireKind(checker, left, one, comparator, aText)) requireKind(checker, right, other, comparator, aPattern);
  if (right.kind === 'text' && other.is === 'text' && other.value !== undefined) checkPattern(checker, other.value, right.span);
}

/** A time of day with one digit for the hour: of two texts, "17:30" comes before it. */
function checkClocks(checker: Checker, operands: readonly Expression[]): void {
  for (const { kind, span } of operands) {
    const written = checker.text.slice(span.start, span.end);
    if (kind === 'text' && /^"\d:\d\d"$/.test(written)) checker.report(catalogue.shortClock(span, written));
  }
}

/** Whether only some values are possible: of a declared input, or of a variable that always has one of them. */
function hasLimits(side: Expression, kind: Kind): boolean {
  if (kind.is !== 'text' && kind.is !== 'number') return false;
  if (kind.value !== undefined) return side.kind === 'reference' && kind.is === 'text';
  return kind.oneOf !== undefined || (kind.is === 'number' && kind.limits !== undefined);
}

/** Says how to compare numbers that their author treats as dates: `is before 5`. */
const forNumbers: Readonly<Record<string, string>> = {
  'is before': 'is below',
  'is after': 'is above',
  'is on or before': 'is at most',
  'is on or after': 'is at least',
};

/** Reports a number next to `is before` and the like; returns whether it did. */
function checkNoNumbers(checker: Checker, { comparator, left, right }: Comparison, one: Kind, other: Kind): boolean {
  const wrong = one.is === 'number' ? left : other.is === 'number' ? right : undefined;
  if (wrong === undefined) return false;
  const what = operandWords(checker.text, wrong, wrong === left ? one : other);
  const hint = `To compare numbers, write "${forNumbers[comparator]}".`;
  checker.report(catalogue.wrongKind(wrong.span, what, comparator, 'a date or time', hint));
  return true;
}

/** Most comparisons have no text, and need not load what knows how dates are written. */
function checkTexts(checker: Checker, operands: readonly Expression[]): void {
  if (operands.some(({ kind }) => kind === 'text' || kind === 'list')) checkLocalDates(checker, operands);
}

const isDated = (kind: Kind): boolean => kind.is === 'text' && kind.form !== undefined;

export function checkBetween(checker: Checker, between: Between): void {
  const { value, low, high } = between;
  const [of, from, to] = [value, low, high].map((expression) => ({ expression, kind: checker.expression(expression) }));
  checkTexts(checker, [value, low, high]);
  checkClocks(checker, [value, low, high]);
  if (of === undefined || from === undefined || to === undefined) return;
  if ([of, from, to].some(({ kind }) => isDated(kind))) checker.facts.dated.add(between);
  if (checkOrder(checker, 'is between', of, from) || checkOrder(checker, 'is between', of, to)) return;
  if (isGreater(from.kind, to.kind)) {
    const [least, most] = [low, high].map(({ span }) => checker.text.slice(span.start, span.end));
    checker.report(catalogue.nothingBetween({ start: value.span.start, end: high.span.end }, least ?? '', most ?? ''));
  }
}

/** Whether both are known, and the first is greater: two numbers, or two dates without a time. */
function isGreater(one: Kind, other: Kind): boolean {
  if (!('value' in one && 'value' in other) || one.value === undefined || other.value === undefined) return false;
  const areDates = [one.value, other.value].every((value) => /^\d{4}-\d{2}-\d{2}$/.test(String(value)));
  return (areDates || (one.is === 'number' && other.is === 'number')) && one.value > other.value;
}

const aPattern = { kinds: ['text'] as const, words: 'a text such as "INV-####"' };

interface Operand {
  readonly expression: Expression;
  readonly kind: Kind;
}

const ordered = { kinds: ['number', 'text'] as const, words: 'two numbers or two texts' };

/** Reports values without an order; returns whether it did. */
function checkOrder(checker: Checker, word: string, left: Operand, right: Operand): boolean {
  const wrong = [left, right].find(({ kind }) => isCertainlyWrong(kind, ordered));
  if (wrong !== undefined) return requireKind(checker, wrong.expression, wrong.kind, word, ordered);
  const [one, other] = [left.kind, right.kind];
  if (one.is === 'unknown' || other.is === 'unknown' || one.is === other.is) return false;
  const what = `${operandWords(checker.text, left.expression, one)}, ${operandWords(checker.text, right.expression, other)}`;
  const text = one.is === 'text' ? one : other.is === 'text' ? other : undefined;
  const hint =
    text?.value !== undefined && /^\s*-?\d+(\.\d+)?\s*$/.test(text.value)
      ? `Write the number without quotes:\n    ${text.value.trim()}`
      : 'If there is a number in the text, write "number of" before it.';
  checker.report(
    catalogue.wrongKind({ start: left.expression.span.start, end: right.expression.span.end }, what, word, ordered.words, hint),
  );
  return true;
}

/** A list never contains a value of another kind than all its items. @param result what the comparison always is */
function checkMembers(checker: Checker, { left, right, span }: Comparison, list: Operand, sought: Kind, result: boolean): void {
  const item = list.kind.is === 'list' ? list.kind.item : undefined;
  if (item === undefined || item.is === 'unknown' || sought.is === 'unknown' || item.is === sought.is) return;
  if (item.is === 'empty' || sought.is === 'empty' || (item.orEmpty === true && sought.orEmpty === true)) return;
  const value = list.expression === left ? right : left;
  const words = [operandWords(checker.text, value, sought), `each item of ${operandWords(checker.text, list.expression, item)}`];
  checker.report(catalogue.neverEqual(span, words[0] ?? '', words[1] ?? '', result));
}

/** What a text certainly is: a date, a time, or words that are neither. */
const formOf = (kind: Kind): string | undefined =>
  kind.is !== 'text' ? undefined : (kind.form ?? (kind.value !== undefined && /^\D+$/.test(kind.value) ? 'word' : undefined));

/** Values of different kinds are never equal. */
function checkEqual(checker: Checker, { comparator, left, right, span }: Comparison, one: Kind, other: Kind): void {
  const forms = [formOf(one), formOf(other)];
  const areFormsDifferent = forms[0] !== forms[1] && !forms.includes(undefined);
  if (!areFormsDifferent) {
    if (one.is === 'unknown' || other.is === 'unknown' || one.is === other.is || one.is === 'empty' || other.is === 'empty')
      return;
    if (one.orEmpty === true && other.orEmpty === true) return;
  }
  const hint = !areFormsDifferent
    ? undefined
    : forms.includes('word')
      ? 'Compare a date with a date: today, or "2026-03-01".'
      : 'To compare the days, write "date of" before the time.';
  const [leftWords, rightWords] = [operandWords(checker.text, left, one), operandWords(checker.text, right, other)];
  checker.report(catalogue.neverEqual(span, leftWords, rightWords, comparator === 'is not', hint));
}
