// Arithmetic → JavaScript: two numbers are calculated in place; everything else, and every result that is not finite, goes to the runtime.
import type { Arithmetic, Expression, Operation, Operator, Reference } from '../2-parse/tree.js';
import type { Emitter } from './emitter.js';
import { emitExpression } from './expressions.js';
import { type Type, typeOfExpression, typeOfSum } from './infer-types.js';
import type { LateSum } from './late-sums.js';
import { type Guarded, guardedNumber } from './references.js';
import type { RuntimeName } from './runtime-names.js';

/** A value that was emitted, with what is known about it. */
interface Operand {
  readonly code: string;
  readonly type: Type;
  /** The field that it reads, where it is nothing else. */
  readonly reference?: Reference;
}

const functions: Readonly<Record<Operator, RuntimeName>> = {
  plus: 'plus',
  minus: 'minus',
  times: 'times',
  'divided by': 'dividedBy',
  'rounded to': 'rounded',
};
const signs: Readonly<Record<Exclude<Operator, 'rounded to'>, string>> = { plus: '+', minus: '-', times: '*', 'divided by': '/' };

/** Longer chains are emitted one step after the other: nested as deep as they are long, no engine would read them. */
const MAX_NESTED = 4;

export function emitArithmetic(emitter: Emitter, { first, operations, span }: Arithmetic): string {
  let left = operand(emitter, first);
  let leftSpan = first.span;
  const steps: string[] = [];
  for (const operation of operations) {
    left = emitOperation(emitter, left, leftSpan, operation);
    leftSpan = { start: span.start, end: operation.span.end };
    if (operations.length > MAX_NESTED) {
      const value = emitter.temporary();
      steps.push(`${value} = ${left.code}`);
      left = { code: value, type: left.type };
    }
  }
  return steps.length > 0 ? `(${steps.join(', ')})` : left.code;
}

/** A late sum of two numbers: the calculation alone, and what looks at the variable after the loop; `undefined` for anything else. */
export function emitLateSum(emitter: Emitter, { value }: LateSum): { readonly code: string; readonly check: string } | undefined {
  const { first, operations, span } = value;
  const [operation] = operations;
  if (operation === undefined || operation.operator === 'rounded to') return undefined;
  if ([first, operation.operand].some((side) => typeOfExpression(side, emitter.typeOf) !== 'number')) return undefined;
  const left = emitExpression(emitter, first);
  const place = emitter.place(span, first.span, operation.operand.span);
  return {
    code: `${left} ${signs[operation.operator]} ${emitExpression(emitter, operation.operand)}`,
    check: `if (${left} - ${left} !== 0) ${emitter.use(functions[operation.operator])}(${left}, 0, ${place});`,
  };
}

const operand = (emitter: Emitter, expression: Expression): Operand => ({
  code: emitExpression(emitter, expression),
  type: typeOfExpression(expression, emitter.typeOf),
  ...(expression.kind === 'reference' ? { reference: expression } : {}),
});

/** Code that can be written twice: a name of a local, or a number. */
const isSimple = (code: string): boolean => /^(?:[\w$]+|\(-[\d.e+-]+\)|\d[\d.e+-]*)$/.test(code);

function emitOperation(
  emitter: Emitter,
  left: Operand,
  leftSpan: Expression['span'],
  { operator, operand: expression, span }: Operation,
): Operand {
  const right = operand(emitter, expression);
  const place = emitter.place({ start: leftSpan.start, end: span.end }, leftSpan, expression.span);
  const name = emitter.use(functions[operator]);
  const type = operator === 'plus' ? typeOfSum(left.type, right.type) : 'number';
  const mayBeNumbers =
    (left.type === 'number' || left.type === 'unknown') && (right.type === 'number' || right.type === 'unknown');
  if (operator === 'rounded to' || !mayBeNumbers) return { code: `${name}(${left.code}, ${right.code}, ${place})`, type };

  const result = emitter.temporary();
  const calculation = (a: string, b: string): string => `(${result} = ${a} ${signs[operator]} ${b}) - ${result} === 0`;
  // A unary plus tells the engine what the language knows: the runtime gives a number, or throws.
  const call = `${type === 'number' ? '+' : ''}${name}`;

  const leaves = [left, right].map((side) => leaf(emitter, side));
  const [one, other] = leaves;
  if (one !== undefined && other !== undefined) {
    // Two fields of one record: that it is one is asked once.
    const tests = [...new Set([...one.tests, ...other.tests, calculation(one.code, other.code)])];
    return { code: `(${tests.join(' && ')} ? ${result} : ${call}(${left.code}, ${right.code}, ${place}))`, type };
  }

  // Both sides are evaluated once, from left to right; only then is it decided who calculates.
  const steps: string[] = [];
  const tests: string[] = [];
  const local = ({ code, type: known }: Operand): string => {
    let value = code;
    if (!isSimple(code)) {
      value = emitter.temporary();
      steps.push(`${value} = ${code}`);
    }
    if (known !== 'number') tests.push(`typeof ${value} === 'number'`);
    return value;
  };
  const a = local(left);
  const b = local(right);
  steps.push(`${[...tests, calculation(a, b)].join(' && ')} ? ${result} : ${call}(${a}, ${b}, ${place})`);
  return { code: `(${steps.join(', ')})`, type };
}

/** A side that can be written twice, once for the fast way and once for the slow: a local, a number, a field that is read directly. */
function leaf(emitter: Emitter, { code, type, reference }: Operand): Guarded | undefined {
  if (isSimple(code)) return { tests: type === 'number' ? [] : [`typeof ${code} === 'number'`], code };
  return reference === undefined ? undefined : guardedNumber(emitter, reference);
}
