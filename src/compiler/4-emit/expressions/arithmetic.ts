// Emits arithmetic. Two numbers are calculated inline; everything else, and every result that is not finite, goes to the runtime.
import type { Arithmetic, Expression, Operation, Operator } from '../../2-parse/tree.js';
import { typeOfSum } from '../../3-check/infer-types.js';
import { atomCode, type EmittedCode, groupedCode, mayBeNumber, operandCode, sequenceCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import type { RuntimeName } from '../runtime-names.js';
import { type Guarded, guardedNumber } from './reference.js';

/** A side of an operation, with the source expression that it was emitted from, if any. */
interface Side extends EmittedCode {
  readonly expression?: Expression;
  readonly span: Expression['span'];
}

const arithmeticFunctions: Readonly<Record<Operator, RuntimeName>> = {
  plus: 'plus',
  minus: 'minus',
  times: 'times',
  'divided by': 'dividedBy',
  'rounded to': 'rounded',
  'rounded up to': 'roundedUp',
  'rounded down to': 'roundedDown',
};

/** Operators that JavaScript also has; the others round. */
const arithmeticSigns: Readonly<Partial<Record<Operator, string>>> = {
  plus: '+',
  minus: '-',
  times: '*',
  'divided by': '/',
};

/** Longer chains are emitted step by step: no engine parses an expression nested that deep. */
const MAX_NESTED = 4;

export function emitArithmetic(emitter: Emitter, { first, operations, span }: Arithmetic): EmittedCode {
  let left: Side = sideOf(emitter, first);
  const steps: string[] = [];
  for (const operation of operations) {
    const done = emitOperation(emitter, left, operation);
    left = { ...done, span: { start: span.start, end: operation.span.end } };
    if (operations.length > MAX_NESTED) {
      const value = emitter.temporary();
      steps.push(`${value} = ${left.alone}`);
      left = { ...left, ...atomCode(value, left.type) };
    }
  }
  return steps.length > 0 ? operandCode(`(${steps.join(', ')})`, left.type) : left;
}

const sideOf = (emitter: Emitter, expression: Expression): Side => ({
  ...emitter.expression(expression),
  expression,
  span: expression.span,
});

function emitOperation(emitter: Emitter, left: Side, { operator, operand: expression, span }: Operation): EmittedCode {
  const right = sideOf(emitter, expression);
  const location = emitter.location({ start: left.span.start, end: span.end }, left.span, right.span);
  const name = emitter.use(arithmeticFunctions[operator]);
  const type = operator === 'plus' ? typeOfSum(left.type, right.type) : 'number';
  // They may be two lists.
  if (operator === 'plus' && type !== 'number') emitter.sizedOperations++;
  const sign = arithmeticSigns[operator];
  if (sign === undefined || ![left, right].every(mayBeNumber))
    return operandCode(`${name}(${left.code}, ${right.code}, ${location})`, type);

  const result = emitter.temporary();
  const calculation = (a: string, b: string): string => {
    const step = `(${result} = ${a} ${sign} ${b})`;
    // The digits of two numbers may cancel; a small whole number shows that there is no fraction.
    if (operator === 'minus') return `(${step} | 0) === ${result}`;
    return `${operator === 'plus' ? `${sameSign(a, b, expression)} && ` : ''}${step} - ${result} === 0`;
  };
  // The unary plus tells the engine that this is a number; the runtime returns one or throws.
  const call = `${type === 'number' ? '+' : ''}${name}`;

  const [one, other] = [readTwice(emitter, left), readTwice(emitter, right)];
  if (one !== undefined && other !== undefined) {
    // Two fields of the same record share its test.
    const tests = [...new Set([...one.tests, ...other.tests, calculation(one.code, other.code)])];
    return groupedCode(`${tests.join(' && ')} ? ${result} : ${call}(${left.code}, ${right.code}, ${location})`, type);
  }

  // Evaluate both sides once, from left to right, before deciding who calculates.
  const steps: string[] = [];
  const tests: string[] = [];
  const local = (side: Side): string => {
    let value = side.code;
    if (!side.isAtomic) {
      value = emitter.temporary();
      steps.push(`${value} = ${side.code}`);
    }
    if (side.type !== 'number') tests.push(`typeof ${value} === 'number'`);
    return value;
  };
  const a = local(left);
  const b = local(right);
  steps.push(`${[...tests, calculation(a, b)].join(' && ')} ? ${result} : ${call}(${a}, ${b}, ${location})`);
  return sequenceCode(steps, type);
}

/** The test that no digits of two numbers can cancel when they are added. @param right source of the second one */
export function sameSign(a: string, b: string, right: Expression): string {
  // Two comparisons are faster than a multiplication, as nearly all sums are of positive numbers.
  if (right.kind !== 'number') return `(${b} >= 0 && ${a} >= 0 || ${a} * ${b} >= 0)`;
  return right.value >= 0 ? `${a} >= 0` : `${a} <= 0`;
}

/** A side that can be repeated on both paths: a local, a number, or a field that is read directly. */
function readTwice(emitter: Emitter, { code, type, isAtomic, expression }: Side): Guarded | undefined {
  if (isAtomic) return { tests: type === 'number' ? [] : [`typeof ${code} === 'number'`], code };
  return expression?.kind === 'reference' ? guardedNumber(emitter, expression) : undefined;
}
