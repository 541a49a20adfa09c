// Checks an expression by its kind. A kind without its own rule only has its operands checked; `tsc` reports a missing kind.
import { type DateUnit, isClockUnit } from '../../../../runtime/dates/date-unit.js';
import { withoutEnd } from '../../../../runtime/values/without-end.js';
import type {
  Difference,
  Expression,
  Iteration,
  NumberLiteral,
  RecordValue,
  Shift,
  StateTest,
  Text,
} from '../../2-parse/tree.js';
import { operandsOf, referencesIn } from '../../2-parse/walk.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { checkUnit } from '../check-time-span.js';
import { type Checker, checkPairs, checkThousands } from '../checker.js';
import { checkForeignBraces } from '../foreign-braces.js';
import { itemKind, type Kind, operandWords } from '../kinds/kind.js';
import { requireDate } from '../kinds/require-date.js';
import { aNumber, requireKind, requireList } from '../kinds/require-kind.js';
import { reserved } from '../scope.js';
import { checkArithmetic } from './arithmetic.js';
import { checkArranged, checkBuiltin } from './builtin.js';
import { checkBetween, checkComparison } from './comparison.js';
import { checkCondition, checkLogic, checkNot } from './logic.js';
import { checkReference, checkReferenceInText } from './reference.js';

/** `record with …`: checks its pairs, and that a loop after the last one can't belong to the record as well. */
function checkRecord(checker: Checker, { pairs, span }: RecordValue): void {
  const before = checker.errors;
  const last = pairs.at(-1)?.value;
  if (last?.kind !== 'iteration' || last.form !== 'map' || last.value === undefined) {
    checkPairs(checker, pairs);
    return;
  }
  const written = (start: number, end: number): string => checker.text.slice(start, end);
  const { start, end } = last.span;
  const one = last.value.span.end;
  const whole = `(${written(span.start, one)})${written(one, end)}`;
  const item = last.item.text;
  const outside =
    checker.scope.look(item) === undefined
      ? pairs.slice(0, -1).flatMap(({ value }) => [...referencesIn(value)].filter(({ root }) => root === item))[0]
      : undefined;
  if (outside !== undefined) {
    checker.report(catalogue.outsideIteration(outside.span, item, whole));
    return;
  }
  checkPairs(checker, pairs);
  if (checker.errors === before)
    checker.report(catalogue.twoReadings(last.span, whole, `${written(span.start, start)}(${written(start, end)})`));
}

/** `is empty`, `exists` and their opposites: a warning if the kind of the value settles the answer. */
function checkState(checker: Checker, { state, value, span }: StateTest): void {
  const kind = checker.expression(value);
  const isAboutItems = kind.is === 'list' && state.includes('exist');
  if (kind.is !== 'number' && kind.is !== 'boolean' && !isAboutItems) return;
  if (kind.orEmpty === true) return;
  const isTrue = state === 'exists' || state === 'is not empty';
  checker.report(catalogue.settledState(span, operandWords(checker.text, value, kind), isTrue, isAboutItems));
}

/** Checks the names in the braces of a quoted text. */
function checkText(checker: Checker, text: Text): void {
  for (const part of text.parts) if (typeof part !== 'string') checkReferenceInText(checker, part);
  checkForeignBraces(checker, text);
}

/** Checks that a JavaScript number can hold a number as written. */
function checkNumber(checker: Checker, { value, written, span }: NumberLiteral): void {
  checkThousands(checker, written, span);
  if (!Number.isFinite(value)) {
    checker.report(catalogue.badNumber(span, `${written.slice(0, 12)}…`, 'The number is too large.'));
    return;
  }
  const digits = written.replace(/^-?0*|\./g, '').replace(/^0+/, '');
  if (digits.length <= 15) return;
  const held = value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20, maximumSignificantDigits: 17 });
  const plain = (text: string): string => withoutZeros(text).replace(/^(-?)0+(?=\d)/, '$1');
  const isWhole = !written.includes('.');
  if (plain(held) !== plain(written) && (isWhole || digits.length > 16))
    checker.report(catalogue.inexactNumber(span, written, String(value)));
}

/** Without trailing zeros of a fraction, and without a trailing point. */
const withoutZeros = (text: string): string => (text.includes('.') ? withoutEnd(withoutEnd(text, '0'), '.') : text);

const words: Readonly<Record<Iteration['form'], string>> = {
  filter: 'each … in',
  map: 'for each … in',
  some: 'some … in',
  every: 'every … in',
};

/** Checks `each line in … where …` and the like. The item exists only in the expressions evaluated for it. */
function checkIteration(checker: Checker, iteration: Iteration): void {
  const { form, item, list, condition, value } = iteration;
  const { scope, mapping } = checker;
  const all = checker.listOf(item.text, list);
  requireList(checker, list, all, words[form]);
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

/** `today plus 30 days`, `days from a to b` and comparisons of dates. Operations that can never work are errors. */
function checkShift(checker: Checker, { operator, date, amount, unit }: Shift): void {
  const kind = checker.expression(date);
  checkUnit(checker, unit, amount.span);
  const wrong = requireDate(checker, date, kind, operator, needsClock(unit) ? `${operator} … ${unit}` : undefined);
  const count = checker.expression(amount);
  if (!wrong) requireAmount(checker, amount, count, unit);
}

/** Hours of any kind need a clock time, and may be a fraction. */
const needsClock = (unit: DateUnit): boolean => isClockUnit(unit) || unit === 'working hours';

function requireAmount(checker: Checker, amount: Expression, kind: Kind, unit: DateUnit): void {
  if (requireKind(checker, amount, kind, unit, aNumber)) return;
  if (!needsClock(unit) && kind.is === 'number' && kind.value !== undefined && !Number.isInteger(kind.value))
    checker.report(catalogue.wholeAmount(amount.span, unit));
}

function checkDifference(checker: Checker, { unit, from, to, span }: Difference): void {
  checkUnit(checker, unit, span);
  const clock = needsClock(unit) ? `${unit} from … to` : undefined;
  for (const side of [from, to]) if (requireDate(checker, side, checker.expression(side), `${unit} from … to`, clock)) return;
}

type ExpressionChecks = {
  readonly [Kind in Expression['kind']]: (checker: Checker, expression: Extract<Expression, { kind: Kind }>) => void;
};

const checkOperands = (checker: Checker, whole: Expression): void => {
  for (const { expression } of operandsOf(whole)) checker.expression(expression);
};

const checks: ExpressionChecks = {
  arithmetic: checkArithmetic,
  between: checkBetween,
  builtin: checkBuiltin,
  comparison: checkComparison,
  arranged: checkArranged,
  constant: checkOperands,
  difference: checkDifference,
  field: checkOperands,
  group: checkOperands,
  iteration: checkIteration,
  list: checkOperands,
  logic: checkLogic,
  not: checkNot,
  number: checkNumber,
  record: checkRecord,
  reference: checkReference,
  shift: checkShift,
  state: checkState,
  text: checkText,
};

export function checkExpression<K extends Expression['kind']>(
  checker: Checker,
  expression: Extract<Expression, { kind: K }>,
): void {
  const check = checks[expression.kind] as (checker: Checker, expression: Extract<Expression, { kind: K }>) => void; // looked up by its own kind
  check(checker, expression);
}
