// Emits comparisons with two sides: equality, order, and tests that only the runtime can do.
import type { Comparator, Comparison, Expression } from '../../2-parse/tree.js';
import { type EmittedCode, groupedCode, operandCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import type { RuntimeName } from '../runtime-names.js';
import { emitOrder, type Order } from './order.js';

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
      return operandCode(`${isNegated ? '!' : ''}${emitter.use(form.name)}(${[...given, location].join(', ')})`, 'boolean');
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
  return operandCode(`${isNegated ? '!' : ''}${emitter.use('equal')}(${a.code}, ${b.code})`, 'boolean');
}
