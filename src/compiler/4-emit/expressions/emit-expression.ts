// Emits an expression by its kind. One line and one function per kind; `tsc` reports a missing kind.
import type { Expression } from '../../2-parse/tree.js';
import type { EmittedCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import { emitArithmetic } from './arithmetic.js';
import { emitArranged } from './arranged.js';
import { emitBetween } from './between.js';
import { emitBuiltin } from './builtin.js';
import { emitComparison } from './comparison.js';
import { emitDifference, emitShift } from './dates.js';
import { emitField } from './field.js';
import { emitIteration } from './iteration.js';
import { emitConstant, emitGroup, emitList, emitNumber } from './literals.js';
import { emitLogic, emitNot } from './logic.js';
import { emitRecord } from './record.js';
import { emitReference } from './reference.js';
import { emitState } from './state.js';
import { emitText } from './text.js';

type ExpressionEmitters = {
  readonly [Kind in Expression['kind']]: (emitter: Emitter, expression: Extract<Expression, { kind: Kind }>) => EmittedCode;
};

const emitters: ExpressionEmitters = {
  arithmetic: emitArithmetic,
  arranged: emitArranged,
  between: emitBetween,
  builtin: emitBuiltin,
  comparison: emitComparison,
  constant: emitConstant,
  difference: emitDifference,
  field: emitField,
  group: emitGroup,
  iteration: emitIteration,
  list: emitList,
  logic: emitLogic,
  not: emitNot,
  number: emitNumber,
  record: emitRecord,
  reference: emitReference,
  shift: emitShift,
  state: emitState,
  text: emitText,
};

export function emitExpression<K extends Expression['kind']>(
  emitter: Emitter,
  expression: Extract<Expression, { kind: K }>,
): EmittedCode {
  const emit = emitters[expression.kind] as (emitter: Emitter, expression: Extract<Expression, { kind: K }>) => EmittedCode; // looked up by its own kind
  return emit(emitter, expression);
}
