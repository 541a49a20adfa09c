// Emits comparisons with two sides: equality, order, and tests that only the runtime can do.
import type { Comparator, Comparison, Expression } from '../../2-parse/tree.js';
import { type EmittedCode, groupedCode, mayBeNumber, operandCode, sequenceCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import type { RuntimeName } from '../runtime-names.js';
import { longComparisons } from './in-turns.js';
import { type Guarded, guardedNumber } from './reference.js';

type ComparisonForm =
  | { readonly by: 'equality'; readonly isNegated: boolean }
  | ({ readonly by: 'order' } & Order)
  /** Uses the calendar of the run. */
  | { readonly by: 'date'; readonly name: RuntimeName }
  | { readonly by: 'runtime'; readonly name: RuntimeName; readonly isNegated: boolean };

const forms: Readonly<Record<Comparator, ComparisonForm>> = {
  is: { by: 'equality', isNegated: false },
  'is not': { by: 'equality', isNegated: true },
  'is above': { by: 'order', name: 'above', sign: '>' },
  'is below': { by: 'order', name: 'below', sign: '<' },
  'is at least': { by: 'order', name: 'atLeast', sign: '>=' },
  'is at most': { by: 'order', name: 'atMost', sign: '<=' },
  'is one of': { by: 'runtime', name: 'oneOf', isNegated: false },
  'is not one of': { by: 'runtime', name: 'oneOf', isNegated: true },
  'is like': { by: 'runtime', name: 'isLike', isNegated: false },
  'is before': { by: 'date', name: 'isBefore' },
  'is after': { by: 'date', name: 'isAfter' },
  'is on or before': { by: 'date', name: 'isOnOrBefore' },
  'is on or after': { by: 'date', name: 'isOnOrAfter' },
  contains: { by: 'runtime', name: 'contains', isNegated: false },
  'does not contain': { by: 'runtime', name: 'contains', isNegated: true },
  'starts with': { by: 'runtime', name: 'startsWith', isNegated: false },
  'ends with': { by: 'runtime', name: 'endsWith', isNegated: false },
};

export function emitComparison(emitter: Emitter, comparison: Comparison): EmittedCode {
  const form = forms[comparison.comparator];
  switch (form.by) {
    case 'equality':
      return emitEquality(emitter, comparison, form.isNegated);
    case 'order':
      return emitOrder(emitter, comparison, form);
    case 'date':
    case 'runtime': {
      const { left, right, span } = comparison;
      const codes = [emitter.expression(left).code, emitter.expression(right).code];
      const location = emitter.location(span, left.span, right.span);
      const isNegated = form.by === 'runtime' && form.isNegated;
      const given = form.by === 'date' ? ['run.days.calendar', ...codes] : codes;
      const words = [...given, location];
      const steps = longComparisons[comparison.comparator];
      const call =
        steps === undefined ? `${emitter.use(form.name)}(${words.join(', ')})` : emitter.longCall(form.name, steps, words);
      return operandCode(`${isNegated ? '!' : ''}${call}`, 'boolean');
    }
  }
}

/** A fixed text or boolean equals nothing but itself; numbers may differ by noise, lists and records are compared by content. */
function emitEquality(emitter: Emitter, { left, right }: Comparison, isNegated: boolean): EmittedCode {
  const isExact = (side: Expression): boolean =>
    (side.kind === 'text' && side.parts.every((part) => typeof part === 'string')) ||
    (side.kind === 'constant' && side.value !== null);
  const [a, b] = [emitter.expression(left), emitter.expression(right)];
  if (isExact(left) || isExact(right)) return groupedCode(`${a.code} ${isNegated ? '!==' : '==='} ${b.code}`, 'boolean');
  return operandCode(`${isNegated ? '!' : ''}${emitter.longCall('equal', 'equalSteps', [a.code, b.code])}`, 'boolean');
}

export interface Order {
  readonly name: RuntimeName;
  readonly sign: '>' | '<' | '>=' | '<=';
}

/** A side of a comparison: its tests and code for the fast path, and its code for the slow one. */
type Side = Guarded & { readonly slow: string };

/**
 * Emits `is above` and the like. Numbers that are clearly apart are compared inline. Those so close that binary rounding could decide go to
 * the runtime, as does everything that is not a number.
 */
function emitOrder(emitter: Emitter, comparison: Comparison, { name, sign }: Order): EmittedCode {
  const { left, right, span } = comparison;
  const location = emitter.location(span, left.span, right.span);
  const [leftCode, rightCode] = [emitter.expression(left), emitter.expression(right)];
  // Only two texts take long.
  emitter.use(name, ![leftCode, rightCode].some(({ type }) => type === 'number'));
  // Both must be dates then; the runtime checks it.
  if (emitter.facts.dated.has(comparison))
    return operandCode(`${name}(${leftCode.code}, ${rightCode.code}, ${location}, true)`, 'boolean');
  if (![leftCode, rightCode].every(mayBeNumber))
    return operandCode(`${name}(${leftCode.code}, ${rightCode.code}, ${location})`, 'boolean');
  const steps: string[] = [];
  const a = sideOf(emitter, left, leftCode, steps);
  if (right.kind === 'number' && Math.abs(right.value) < 1e12) {
    const exactly = `${name}(${a.slow}, ${rightCode.code}, ${location})`;
    if (a.tests.length === 0) steps.push(besideFixed(a.code, sign, right.value, exactly));
    else {
      const clear = `(${a.code} > ${right.value + 1} || ${a.code} < ${right.value - 1})`;
      steps.push(`${[...a.tests, clear].join(' && ')} ? ${a.code} ${sign} ${rightCode.code} : ${exactly}`);
    }
  } else {
    // Rounding to 15 digits moves no fraction by more than 5.
    const b = sideOf(emitter, right, rightCode, steps);
    const apart = emitter.temporary();
    const gap = `${apart} = ${a.code} - ${b.code}`;
    const exactly = `${name}(${a.slow}, ${b.slow}, ${location})`;
    const tests = [...a.tests, ...b.tests];
    if (tests.length === 0) steps.push(gap, decided(sign, `${apart} < -10`, `${apart} > 10`, exactly));
    else steps.push(`${[...tests, `((${gap}) > 10 || ${apart} < -10)`].join(' && ')} ? ${apart} ${sign} 0 : ${exactly}`);
  }
  return sequenceCode(steps, 'boolean');
}

function sideOf(emitter: Emitter, expression: Expression, { code, type, isAtomic }: EmittedCode, steps: string[]): Side {
  const guarded = expression.kind === 'reference' && !isAtomic ? guardedNumber(emitter, expression) : undefined;
  if (guarded !== undefined) return { ...guarded, slow: code };
  let value = code;
  if (!isAtomic) {
    value = emitter.temporary();
    steps.push(`${value} = ${code}`);
  }
  return { tests: type === 'number' ? [] : [`typeof ${value} === 'number'`], code: value, slow: value };
}

/**
 * Compares the number `code` with a fixed one. A distance of 1 usually decides, and keeps whole numbers whole. Closer numbers take further
 * comparisons. Only those that rounding to 15 digits could make equal take the exact test, which the engine rarely has to compile.
 */
function besideFixed(code: string, sign: Order['sign'], fixed: number, exactly: string): string {
  const margin = (Math.abs(fixed) + 1) * 1e-13;
  const [towards, step] = sign.startsWith('>') ? (['>', 1] as const) : (['<', -1] as const);
  const same = sign.endsWith('=') ? `(${code} === ${fixed} || ${exactly})` : `${code} !== ${fixed} && ${exactly}`;
  const isOn = (side: number): string => `${code} ${towards} ${fixed + side * step}`;
  const nearby = `(${isOn(margin)} || (${isOn(-margin)} && ${same}))`;
  return `${code} ${towards}= ${fixed + step} || (${isOn(-1)} && ${nearby})`;
}

/** Usually one comparison confirms, or two refute; only the range between needs the exact test. */
const decided = (sign: Order['sign'], below: string, above: string, exactly: string): string =>
  sign.startsWith('>') ? `${above} || (!(${below}) && ${exactly})` : `${below} || (!(${above}) && ${exactly})`;
