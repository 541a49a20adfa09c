// Arithmetic is evaluated from left to right: `1 plus 2 times 3` is 9 here, and 7 in mathematics. Operations that can never work are
// errors.

import type { Arithmetic, Expression, Operation } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { writeLines } from '../../diagnostics/hint-marks.js';
import type { Checker } from '../checker.js';
import { type Kind, listKind, numberKind, operandWords, unknownKind } from '../kinds/kind.js';
import { aNumber, isCertainlyWrong, requireCount, requireKind } from '../kinds/require-kind.js';

export function checkArithmetic(checker: Checker, arithmetic: Arithmetic): void {
  const { first, operations } = arithmetic;
  let kind = checker.expression(first);
  let isFirst = true;
  let isText = false;
  for (const operation of operations) {
    const right = checker.expression(operation.operand);
    // One message per chain of texts.
    if (isText) continue;
    // Before a later operation, there is a whole chain; only its first operand has its own name.
    const left = isFirst ? first : undefined;
    const leftKind = kind;
    kind =
      operation.operator === 'plus'
        ? checkPlus(checker, arithmetic, operation, { left, kind, right })
        : checkNumbers(checker, operation, { left, kind, right });
    isText =
      operation.operator === 'plus' && [left === undefined ? undefined : leftKind, right].some((one) => one?.is === 'text');
    isFirst = false;
  }
  const readings = readingsOf(checker.text, arithmetic);
  if (readings === undefined) return;
  const { product, asRead, asUsual } = readings;
  checker.report(catalogue.mixedArithmetic({ start: product.span.start, end: product.operand.span.start - 1 }, asRead, asUsual));
}

interface Sides {
  /** Absent if it is a chain itself. */
  readonly left: Expression | undefined;
  readonly kind: Kind;
  readonly right: Kind;
}

/** `minus`, `times`, `divided by`, `rounded to`: numbers on both sides. */
function checkNumbers(checker: Checker, operation: Operation, { left, kind, right }: Sides): Kind {
  const { operator, operand } = operation;
  if (left !== undefined && operator === 'minus' && isDateMinus(checker, left, kind, operation, right)) return numberKind;
  const isLeftWrong = left !== undefined && requireKind(checker, left, kind, operator, aNumber);
  if (!isLeftWrong) requireKind(checker, operand, right, operator, aNumber);
  if (operator.startsWith('rounded')) requireCount(checker, operand, right, 'The number of places', [0, 15]);
  if (operator === 'divided by' && right.is === 'number' && right.value === 0)
    checker.report(catalogue.dividedByZero(operand.span));
  return numberKind;
}

/** Reports `today minus request.due` and `today minus 30`, which lack a unit. */
function isDateMinus(checker: Checker, left: Expression, kind: Kind, { operand }: Operation, right: Kind): boolean {
  const isDate = (one: Kind): boolean => one.is === 'text' && one.form !== undefined;
  if (!isDate(kind) && !isDate(right)) return false;
  const [from, to] = [left, operand].map(({ span }) => checker.text.slice(span.start, span.end));
  const [wrong, wrongKind] = isDate(kind) ? [left, kind] : [operand, right];
  if (from === undefined || to === undefined || !isShort(from) || !isShort(to) || wrongKind.is !== 'text') return false;
  const instead = right.is === 'number' ? `${from} minus ${to} days` : `days from ${to} to ${from}`;
  checker.report(
    catalogue.wrongKind(
      { start: left.span.start, end: operand.span.end },
      operandWords(checker.text, wrong, wrongKind),
      'minus',
      aNumber.words,
      `${writeLines(instead)}\nOther units are hours, weeks, months, years and working days.`,
    ),
  );
  return true;
}

/** Two numbers, or two lists. */
function checkPlus(checker: Checker, whole: Arithmetic, { operand }: Operation, { left, kind, right }: Sides): Kind {
  const sides = [...(left === undefined ? [] : [{ expression: left, kind }]), { expression: operand, kind: right }];
  const text = sides.find((side) => side.kind.is === 'text');
  if (text !== undefined && text.kind.is === 'text') {
    const span = { start: (left ?? operand).span.start, end: operand.span.end };
    const what = operandWords(checker.text, text.expression, text.kind);
    if (text.kind.form !== undefined) {
      checker.report(catalogue.plusOnDate(span, what, checker.text.slice(span.start, span.end)));
      return unknownKind;
    }
    const number = numberReading(checker, text.expression, text.kind.value);
    checker.report(catalogue.plusOnText(span, what, left === undefined ? undefined : joinedText(checker.text, whole), number));
    return unknownKind;
  }
  const needs = { kinds: ['number', 'list'] as const, words: 'two numbers or two lists' };
  const wrong = sides.find((side) => isCertainlyWrong(side.kind, needs));
  if (wrong !== undefined) {
    requireKind(checker, wrong.expression, wrong.kind, 'plus', needs);
    return unknownKind;
  }
  const [one, other] = [kind.is, right.is];
  if (left !== undefined && ((one === 'number' && other === 'list') || (one === 'list' && other === 'number')))
    requireKind(checker, operand, right, 'plus', other === 'list' ? aNumber : { kinds: ['list'], words: 'a list beside a list' });
  return one === 'list' || other === 'list' ? listKind : one === 'number' || other === 'number' ? numberKind : unknownKind;
}

const isShort = (text: string): boolean => text.length <= 60;

function numberReading({ text }: Checker, { span }: Expression, value: string | undefined): string | undefined {
  const written = text.slice(span.start, span.end);
  // A text that is written here and has no number in it was not meant as one.
  if (written.startsWith('"') && (value === undefined || !/^\s*-?\d+(\.\d+)?\s*$/.test(value))) return undefined;
  return isShort(written) ? `number of ${written}` : undefined;
}

/** The operands as one quoted text; `undefined` if they are not all joined, or if one of them can't be put in braces. */
function joinedText(text: string, { first, operations }: Arithmetic): string | undefined {
  if (operations.some(({ operator }) => operator !== 'plus')) return undefined;
  const parts = [first, ...operations.map(({ operand }) => operand)].map((operand) => {
    const written = text.slice(operand.span.start, operand.span.end);
    if (operand.kind === 'text') return written.slice(1, -1);
    if (operand.kind === 'number') return written;
    return operand.kind === 'reference' ? `{${written}}` : undefined;
  });
  const joined = parts.join('');
  // Without a brace, the author would not see how to insert a value into text.
  return parts.includes(undefined) || !isShort(joined) || !joined.includes('{') ? undefined : `"${joined}"`;
}

interface Readings {
  /** The first product that follows a sum. */
  readonly product: Operation;
  readonly asRead: string;
  readonly asUsual: string;
}

const isSum = ({ operator }: Operation): boolean => operator === 'plus' || operator === 'minus';
const isProduct = ({ operator }: Operation): boolean => operator === 'times' || operator === 'divided by';

/** `undefined` if both readings agree because no product follows a sum. `text` is the text of the file. */
function readingsOf(text: string, { first, operations }: Arithmetic): Readings | undefined {
  const firstSum = operations.findIndex(isSum);
  const product = firstSum === -1 ? undefined : operations.slice(firstSum).find(isProduct);
  if (product === undefined) return undefined;

  // Here, everything before a product is evaluated first.
  let asRead = text.slice(first.span.start, first.span.end);
  let end = first.span.end;
  let afterSum = false;
  for (const operation of operations) {
    const next = text.slice(end, operation.span.end);
    asRead = afterSum && isProduct(operation) ? `(${asRead})${next}` : asRead + next;
    afterSum = isSum(operation) || (afterSum && !isProduct(operation));
    end = operation.span.end;
  }

  // In mathematics, a product belongs to the value after the last sum. A final rounding most likely applies to the whole.
  let asUsual = '';
  let written = first.span.start;
  for (let index = firstSum; index < operations.length; ) {
    const sum = operations[index];
    let last: Operation | undefined;
    for (index++; index < operations.length; index++) {
      const operation = operations[index];
      if (operation === undefined || isSum(operation)) break;
      if (isProduct(operation)) last = operation;
    }
    if (sum === undefined || last === undefined) continue;
    const { start } = sum.operand.span;
    asUsual += `${text.slice(written, start)}(${text.slice(start, last.span.end)})`;
    written = last.span.end;
  }
  return { product, asRead, asUsual: asUsual + text.slice(written, end) };
}
