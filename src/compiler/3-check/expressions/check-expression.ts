// Checks an expression by its kind. A kind without its own rule only has its operands checked; `tsc` reports a missing kind.
import { operandsOf } from '../../2-parse/children.js';
import type { Expression } from '../../2-parse/tree.js';
import type { Checker } from '../checker.js';
import { checkArithmetic } from './arithmetic.js';
import { checkArranged } from './arranged.js';
import { checkBuiltin } from './builtin.js';
import { checkBetween, checkComparison } from './comparison.js';
import { checkDifference, checkShift } from './dates.js';
import { checkIteration } from './iteration.js';
import { checkLogic, checkNot } from './logic.js';
import { checkNumber } from './number.js';
import { checkRecord } from './record.js';
import { checkReference } from './reference.js';
import { checkState } from './state.js';
import { checkText } from './text.js';

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
