// `and`, `or` and `not`. A condition that never changes was most likely meant as part of another one.
import type { Between, Comparison, Expression, Logic, Not } from '../../2-parse/tree.js';
import { referencesIn } from '../../2-parse/walk.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Span } from '../../diagnostics/diagnostic.js';
import type { Checker } from '../checker.js';
import { type Kind, textsOf } from '../kinds/kind.js';

export function checkLogic(checker: Checker, logic: Logic): void {
  const { operator, operands, span } = logic;
  const kinds = operands.map((operand) => checker.expression(operand));
  for (const operand of operands) checkBareChoice(checker, operand);
  checkLoneValues(checker, operands, kinds);
  const fixed = operands.filter((operand) => isFixed(operand));
  // In a mixture, no single list expresses the meaning.
  const list = fixed.length > 0 ? oneOfList(checker, logic) : undefined;
  // A list is not sorted to see whether it is empty.
  const areValues =
    operands.some(({ kind }) => kind === 'arranged') ||
    kinds.every((kind) => kind.is === 'number' || kind.is === 'text' || kind.is === 'list' || kind.is === 'record');
  const isAllFixed = fixed.length === operands.length;
  // One message for each list of values, and one for values that are joined.
  if (!areValues || (fixed.length > 0 && !isAllFixed))
    for (const operand of list === undefined ? fixed : fixed.slice(0, 1))
      reportFixed(checker, operand, list, insteadOf(checker, logic, operand));
  else
    checker.report(
      catalogue.joinedValues(
        span,
        operator,
        kinds.every(({ is }) => is === 'text'),
        checker.text.slice(span.start, span.end),
      ),
    );
  if (operator === 'or') checkAlwaysTrue(checker, operands, span);
  if (operator === 'or' && operands.some(({ kind }) => kind === 'logic')) checker.report(catalogue.mixedLogic(span));
}

/** `country is not "DE" or country is not "AT"`: no value is both. */
function checkAlwaysTrue(checker: Checker, operands: readonly Expression[], span: Span): void {
  const source = ({ span: { start, end } }: Expression): string => checker.text.slice(start, end);
  const [first, ...rest] = operands.map((one) =>
    one.kind === 'comparison' && one.comparator === 'is not' && isFixed(one.right) ? [source(one.left), source(one.right)] : [],
  );
  const [name, value] = first ?? [];
  if (name === undefined || !rest.every(([other]) => other === name) || rest.every(([, other]) => other === value)) return;
  const values = [value, ...rest.map(([, other]) => other)].join(', ');
  checker.report(catalogue.alwaysNot(span, `${name} is not one of [${values}]`));
}

/** `pulse or temperature is above 130`: a number or a text beside a comparison with such a value was most likely meant to be compared. */
function checkLoneValues(checker: Checker, operands: readonly Expression[], kinds: readonly Kind[]): void {
  const source = ({ span }: Expression): string => checker.text.slice(span.start, span.end);
  for (const [index, operand] of operands.entries()) {
    const kind = kinds[index];
    checkWithState(checker, operand, kind, operands[index + 1]);
    if (operand.kind !== 'reference' || (kind?.is !== 'number' && kind?.is !== 'text')) continue;
    if (kind.is === 'text' && kind.isChoice === true) continue;
    const beside =
      operands.slice(index + 1).find((other) => other.kind !== 'reference') ?? operands.slice(0, index).findLast(isComparison);
    if (beside === undefined || !isComparison(beside)) continue;
    const left = beside.kind === 'between' ? beside.value : beside.left;
    const compared = beside.kind === 'between' ? beside.low : beside.right;
    if (checker.kindOf(compared).is !== kind.is) continue;
    const name = source(operand);
    const alone = kind.is === 'number' ? `${name} is not 0` : `${name} is not empty`;
    const rest = checker.text.slice(left.span.end, beside.span.end);
    checker.report(catalogue.loneValue(operand.span, name, kind.is, name + rest, alone));
  }
}

/** `customer or order does not exist`: what is missing was most likely asked of both. */
function checkWithState(checker: Checker, operand: Expression, kind: Kind | undefined, beside: Expression | undefined): void {
  if (operand.kind !== 'reference' || operand.fields.length > 0 || kind?.is === 'boolean' || kind?.is === 'number') return;
  if (beside?.kind !== 'state' || beside.value.kind !== 'reference' || beside.value.fields.length > 0) return;
  const written = checker.text.slice(operand.span.start, operand.span.end);
  const both = `${written} ${beside.state}`;
  if (beside.value.root !== operand.root) checker.report(catalogue.loneBesideState(operand.span, written, both));
}

const isComparison = (operand: Expression): operand is Comparison | Between =>
  operand.kind === 'comparison' || operand.kind === 'between';

/** The last word of what is an amount or a text for certain, whatever the request holds. */
const A_VALUE = /^(?:cost|price|amount|total|sum|fee|tax|weight|quantity|name|e?mail|phone|address|city|date)s?$/;

/**
 * `set x to cost and price`: as a condition, such names may ask whether there is a value; where a variable is set, they name what is joined.
 * @returns whether they are numbers, which no one joins to get true or false
 */
export function checkJoined(checker: Checker, value: Expression): boolean {
  if (value.kind !== 'logic') return false;
  const { operator, operands, span } = value;
  const areNumbers = operands.every((operand) => checker.kindOf(operand).is === 'number');
  const isValue = (one: Expression): boolean =>
    one.kind === 'reference' && checker.kindOf(one).is === 'unknown' && A_VALUE.test(String(one.fields.at(-1) ?? one.root));
  if (operands.every(isValue))
    checker.report(catalogue.joinedValues(span, operator, false, checker.text.slice(span.start, span.end)));
  return areNumbers;
}

/** A fixed value after `not` is reported by the `and` or `or` around it, which knows what it may belong to. */
export function checkNot(checker: Checker, { operand }: Not): void {
  checker.expression(operand);
  checkBareChoice(checker, operand);
}

/** A text with choices, such as "yes" and "no", counts as true whichever it is. */
function checkBareChoice(checker: Checker, condition: Expression): void {
  if (condition.kind === 'group') checkBareChoice(checker, condition.inner);
  const kind = condition.kind === 'reference' ? checker.kindOf(condition) : undefined;
  if (kind?.is !== 'text') return;
  const written = checker.text.slice(condition.span.start, condition.span.end);
  if (kind.isChoice !== true) {
    const texts = textsOf(kind) ?? [];
    const no = texts.find((text) => /^(?:no|false|n|off|0)$/i.test(text));
    if (no !== undefined && kind.orEmpty !== true)
      checker.report(
        texts.length === 1 ? catalogue.textAsNo(condition.span, written, no) : catalogue.mayBeNo(condition.span, written, no),
      );
    return;
  }
  checker.report(catalogue.bareChoice(condition.span, written, `${written} is ${JSON.stringify(kind.oneOf?.[0] ?? '')}`));
}

/** The condition of an `if`, a loop or a `where`: reports it if it is a fixed value on its own. */
export function checkCondition(checker: Checker, condition: Expression): void {
  checker.expression(condition);
  checkBareChoice(checker, condition);
  // A line with an error has `empty` in place of its condition.
  const isBroken = condition.kind === 'constant' && condition.value === null;
  if (!isBroken && isFixed(condition)) reportFixed(checker, condition, undefined);
}

/** Whether a condition is a fixed value: a number, a text, `true` or `false`, with or without `not` and parentheses. */
function isFixed(operand: Expression): boolean {
  if (operand.kind === 'not') return isFixed(operand.operand);
  if (operand.kind === 'group') return isFixed(operand.inner);
  if (operand.kind === 'text') return operand.isFaulty !== true && [...referencesIn(operand)].length === 0;
  return operand.kind === 'number' || operand.kind === 'constant';
}

/** Whether such a value counts as true. */
function isTrue(operand: Expression): boolean {
  if (operand.kind === 'not') return !isTrue(operand.operand);
  if (operand.kind === 'group') return isTrue(operand.inner);
  if (operand.kind === 'text') return operand.parts.join('') !== '';
  if (operand.kind === 'number') return operand.value !== 0;
  return operand.kind === 'constant' && operand.value === true;
}

function reportFixed(checker: Checker, operand: Expression, list: string | undefined, other?: string): void {
  const { start, end } = operand.span;
  checker.report(catalogue.fixedCondition(operand.span, checker.text.slice(start, end), isTrue(operand), list, other));
}

/** `name or "nobody"`, as other languages write a default: the value that the text or number would replace. */
function insteadOf({ text }: Checker, { operator, operands }: Logic, fixed: Expression): string | undefined {
  const [value, otherwise] = operands;
  if (operator !== 'or' || operands.length !== 2 || value?.kind !== 'reference' || fixed !== otherwise) return undefined;
  return fixed.kind === 'text' || fixed.kind === 'number' ? text.slice(value.span.start, value.span.end) : undefined;
}

/** The meaning of `is` and `is not` with several values, however they are joined: nobody excludes only one of two values. */
const lists: Readonly<Record<string, string>> = {
  is: 'is one of',
  'is one of': 'is one of',
  'is not': 'is not one of',
  'is not one of': 'is not one of',
};

/** `country is not "DE" and not "FR"` → `country is not one of ["DE", "FR"]`; `undefined` for lines of another form. */
function oneOfList(checker: Checker, { operator, operands }: Logic): string | undefined {
  const at = operands.findIndex(isFixed);
  const first = operands[at - 1];
  if (first?.kind !== 'comparison') return undefined;
  const isNegative = first.comparator === 'is not' || first.comparator === 'is not one of';
  const values = operands.slice(at).map((operand) => {
    const value = operand.kind === 'not' && isNegative ? operand.operand : operand;
    return value.kind === 'text' || value.kind === 'number' ? value : undefined;
  });
  if (values.includes(undefined)) return undefined;
  const source = (expression: Expression | undefined): string =>
    expression === undefined ? '' : checker.text.slice(expression.span.start, expression.span.end);
  const word = isNegative || operator === 'or' ? lists[first.comparator] : undefined;
  const list =
    word === undefined
      ? [first.right, ...values]
          .map((value) => `${source(first.left)} ${first.comparator} ${source(value)}`)
          .join(` ${operator} `)
      : `${source(first.left)} ${word} [${[first.right, ...values].map(source).join(', ')}]`;
  return list.length > 200 ? undefined : list;
}
