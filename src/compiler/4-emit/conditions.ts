// Tests and conditions → JavaScript that is true or false. Two numbers that are clearly apart are compared in place; numbers that are
// so close that the noise of binary fractions could decide go to the runtime (language.md 3), like everything else.
import type { Between, Comparator, Comparison, Expression, StateTest } from '../2-parse/tree.js';
import type { Emitter } from './emitter.js';
import { emitExpression } from './expressions.js';
import { typeOfExpression } from './infer-types.js';
import { type Guarded, guardedNumber } from './references.js';
import type { RuntimeName } from './runtime-names.js';

/** The code of an expression as a condition: it counts as true or not. */
export function emitCondition(emitter: Emitter, expression: Expression): string {
  const code = emitExpression(emitter, expression);
  return typeOfExpression(expression, emitter.typeOf) === 'boolean' ? code : `${emitter.use('truthy')}(${code})`;
}

const orders: Partial<Record<Comparator, { readonly name: RuntimeName; readonly sign: string }>> = {
  'is above': { name: 'above', sign: '>' },
  'is below': { name: 'below', sign: '<' },
  'is at least': { name: 'atLeast', sign: '>=' },
  'is at most': { name: 'atMost', sign: '<=' },
};

const tests: Partial<Record<Comparator, { readonly name: RuntimeName; readonly negated: boolean }>> = {
  'is one of': { name: 'oneOf', negated: false },
  'is not one of': { name: 'oneOf', negated: true },
  contains: { name: 'contains', negated: false },
  'does not contain': { name: 'contains', negated: true },
  'starts with': { name: 'startsWith', negated: false },
  'ends with': { name: 'endsWith', negated: false },
};

const states: Readonly<Record<StateTest['state'], { readonly name: RuntimeName; readonly negated: boolean }>> = {
  'is empty': { name: 'isEmpty', negated: false },
  'is not empty': { name: 'isEmpty', negated: true },
  exists: { name: 'exists', negated: false },
  'does not exist': { name: 'exists', negated: true },
};

export function emitTest(emitter: Emitter, test: Comparison | Between | StateTest): string {
  if (test.kind === 'state') {
    const { name, negated } = states[test.state];
    return `${negated ? '!' : ''}${emitter.use(name)}(${emitExpression(emitter, test.value)})`;
  }
  if (test.kind === 'between') {
    const codes = [test.value, test.low, test.high].map((part) => emitExpression(emitter, part));
    return `${emitter.use('between')}(${codes.join(', ')}, ${emitter.place(test.span, test.value.span, test.low.span, test.high.span)})`;
  }
  const { comparator, left, right } = test;
  if (comparator === 'is' || comparator === 'is not') return emitEquality(emitter, test);
  const order = orders[comparator];
  if (order !== undefined) return emitOrder(emitter, test, order.name, order.sign);
  const function_ = tests[comparator];
  if (function_ === undefined) throw new Error(`No test for "${comparator}"`);
  return `${function_.negated ? '!' : ''}${emitter.use(function_.name)}(${emitExpression(emitter, left)}, ${emitExpression(emitter, right)}, ${emitter.place(test.span, left.span, right.span)})`;
}

/** A fixed text or boolean equals nothing but itself; numbers may differ by noise, lists and records are compared by content. */
function emitEquality(emitter: Emitter, { comparator, left, right }: Comparison): string {
  const negated = comparator === 'is not';
  const isExact = (side: Expression): boolean =>
    (side.kind === 'text' && side.parts.every((part) => typeof part === 'string')) ||
    (side.kind === 'constant' && side.value !== null);
  const [a, b] = [emitExpression(emitter, left), emitExpression(emitter, right)];
  if (isExact(left) || isExact(right)) return `(${a} ${negated ? '!==' : '==='} ${b})`;
  return `${negated ? '!' : ''}${emitter.use('equal')}(${a}, ${b})`;
}

const isSimple = (code: string): boolean => /^[\w$]+$/.test(code);

function emitOrder(emitter: Emitter, { left, right, span }: Comparison, name: RuntimeName, sign: string): string {
  const place = emitter.place(span, left.span, right.span);
  emitter.use(name);
  const [leftCode, rightCode] = [emitExpression(emitter, left), emitExpression(emitter, right)];
  const steps: string[] = [];
  const local = (expression: Expression, code: string): Guarded & { readonly slow: string } => {
    const known = typeOfExpression(expression, emitter.typeOf) === 'number';
    const guarded = expression.kind === 'reference' && !isSimple(code) ? guardedNumber(emitter, expression) : undefined;
    if (guarded !== undefined) return { ...guarded, slow: code };
    let value = code;
    if (!isSimple(code)) {
      value = emitter.temporary();
      steps.push(`${value} = ${code}`);
    }
    return { tests: known ? [] : [`typeof ${value} === 'number'`], code: value, slow: value };
  };
  const a = local(left, leftCode);
  if (right.kind === 'number' && Math.abs(right.value) < 1e12) {
    // More than 1 away from a fixed number, no rounding can change the answer.
    const [below, above] = [`${a.code} < ${right.value - 1}`, `${a.code} > ${right.value + 1}`];
    const exactly = `${name}(${a.slow}, ${rightCode}, ${place})`;
    if (a.tests.length === 0) steps.push(decided(sign, below, above, exactly));
    else steps.push(`${[...a.tests, `(${above} || ${below})`].join(' && ')} ? ${a.code} ${sign} ${rightCode} : ${exactly}`);
  } else {
    // Rounding to 15 digits moves no number that is not whole by more than 5.
    const b = local(right, rightCode);
    const apart = emitter.temporary();
    const gap = `${apart} = ${a.code} - ${b.code}`;
    const exactly = `${name}(${a.slow}, ${b.slow}, ${place})`;
    const given = [...a.tests, ...b.tests];
    if (given.length === 0) steps.push(gap, decided(sign, `${apart} < -10`, `${apart} > 10`, exactly));
    else steps.push(`${[...given, `((${gap}) > 10 || ${apart} < -10)`].join(' && ')} ? ${apart} ${sign} 0 : ${exactly}`);
  }
  return `(${steps.join(', ')})`;
}

/** Two numbers: mostly one comparison says yes, or two say no; only in between it has to be done exactly. */
const decided = (sign: string, below: string, above: string, exactly: string): string =>
  sign.startsWith('>') ? `${above} || (!(${below}) && ${exactly})` : `${below} || (!(${above}) && ${exactly})`;
