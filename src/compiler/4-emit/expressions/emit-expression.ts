// Emits an expression by its kind. One line and one function per kind; `tsc` reports a missing kind.
import type {
  Between,
  Constant,
  Difference,
  Expression,
  Group,
  List,
  Logic,
  Not,
  NumberLiteral,
  RecordValue,
  Reference,
  Shift,
  StateTest,
  Text,
} from '../../2-parse/tree.js';
import { atomCode, type EmittedCode, groupedCode, jsText, operandCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import type { RuntimeName } from '../runtime-names.js';
import { emitArithmetic } from './arithmetic.js';
import { emitArranged, emitBuiltin } from './builtin.js';
import { emitComparison } from './comparison.js';
import { emitInTurns, mayTakeLong } from './in-turns.js';
import { emitIteration } from './iteration.js';
import { emitField, emitReference } from './reference.js';

/** Negative numbers get parentheses, so that two signs never meet. */
const emitNumber = (_emitter: Emitter, { value }: NumberLiteral): EmittedCode =>
  atomCode(value < 0 || Object.is(value, -0) ? `(${value})` : String(value), 'number');

const emitConstant = (_emitter: Emitter, { value }: Constant): EmittedCode =>
  atomCode(String(value), value === null ? 'empty' : 'boolean');

const emitList = (emitter: Emitter, { items }: List): EmittedCode =>
  operandCode(`[${items.map((item) => emitter.expression(item).code).join(', ')}]`, 'list');

const emitGroup = (emitter: Emitter, { inner }: Group): EmittedCode => emitter.expression(inner);

/** Emits quoted text: `"Hello {name}"` becomes `"Hello " + show(name)`. */
function emitText(emitter: Emitter, { parts }: Text): EmittedCode {
  const [only = ''] = parts;
  if (parts.length <= 1) return operandCode(partOf(emitter, only), 'text');
  return groupedCode(parts.map((part) => partOf(emitter, part)).join(' + '), 'text');
}

const partOf = (emitter: Emitter, part: string | Reference): string =>
  typeof part === 'string' ? jsText(part) : emitter.textOf(emitter.expression(part), part.span);

/** Emits `record with …` as an object literal. `__proto__`, which JavaScript treats specially there, is a computed key. */
function emitRecord(emitter: Emitter, { pairs }: RecordValue): EmittedCode {
  const fields = pairs.map(({ key, value }) => {
    const name = jsText(key.text);
    return `${key.text === '__proto__' ? `[${name}]` : name}: ${emitter.expression(value).code}`;
  });
  return operandCode(`{ ${fields.join(', ')} }`, 'record');
}

/** Emits `and`, `or` and `not` over conditions. */
const emitNot = (emitter: Emitter, { operand: inner }: Not): EmittedCode =>
  operandCode(`!${emitter.condition(inner).code}`, 'boolean');

const emitLogic = (emitter: Emitter, { operator, operands }: Logic): EmittedCode =>
  groupedCode(operands.map((inner) => emitter.condition(inner).code).join(operator === 'and' ? ' && ' : ' || '), 'boolean');

const states: Readonly<Record<StateTest['state'], { readonly name: RuntimeName; readonly isNegated: boolean }>> = {
  'is empty': { name: 'isEmpty', isNegated: false },
  'is not empty': { name: 'isEmpty', isNegated: true },
  exists: { name: 'exists', isNegated: false },
  'does not exist': { name: 'exists', isNegated: true },
};

/** Emits `is empty`, `exists` and their opposites as calls of the runtime. */
function emitState(emitter: Emitter, { state, value }: StateTest): EmittedCode {
  const { name, isNegated } = states[state];
  return operandCode(`${isNegated ? '!' : ''}${emitter.use(name)}(${emitter.expression(value).code})`, 'boolean');
}

/** Emits `is between … and …` as a call of the runtime. */
function emitBetween(emitter: Emitter, between: Between): EmittedCode {
  const { value, low, high, span } = between;
  const codes = [value, low, high].map((part) => emitter.expression(part).code);
  const location = emitter.location(span, value.span, low.span, high.span);
  const dated = emitter.facts.dated.has(between) ? ', true' : '';
  return operandCode(`${emitter.use('between')}(${codes.join(', ')}, ${location}${dated})`, 'boolean');
}

/** Emits `today plus 30 days` and `days from a to b` as runtime calls with the calendar of the run. */
function emitShift(emitter: Emitter, { operator, date, amount, unit, span }: Shift): EmittedCode {
  const [from, by] = [emitter.expression(date), emitter.expression(amount)];
  const location = emitter.location(span, date.span, amount.span);
  const sign = operator === 'plus' ? '1' : '-1';
  return operandCode(
    `${emitter.use('shiftDate')}(run.days.calendar, ${from.code}, ${sign}, ${by.code}, ${jsText(unit)}, ${location})`,
    'text',
  );
}

function emitDifference(emitter: Emitter, { unit, from, to, span }: Difference): EmittedCode {
  const [start, end] = [emitter.expression(from), emitter.expression(to)];
  const location = emitter.location(span, from.span, to.span);
  return operandCode(
    `${emitter.use('dateDifference')}(run.days.calendar, ${jsText(unit)}, ${start.code}, ${end.code}, ${location})`,
    'number',
  );
}

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
  // Wherever a statement contains it, it gives others a turn.
  if (emitter.mode === 'statement' && mayTakeLong(expression, emitter.typeOf)) return emitInTurns(emitter, expression);
  const emit = emitters[expression.kind] as (emitter: Emitter, expression: Extract<Expression, { kind: K }>) => EmittedCode; // looked up by its own kind
  return emit(emitter, expression);
}
