// Comparisons whose result the declared inputs settle: a choice that does not exist, a number beyond the limits. Most likely a misspelling.
import type { ValueLimits } from '../../../../runtime/inputs/input-types.js';
import type { Comparison, Expression } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import type { Kind } from '../kinds/kind.js';

type Comparator = Comparison['comparator'];

/** @param kind of the left side, which has limits */
export function checkSettled(checker: Checker, { comparator, left, right, span }: Comparison, kind: Kind): void {
  const written = checker.text.slice(left.span.start, left.span.end);
  if (kind.is === 'text' && kind.oneOf !== undefined) {
    for (const [value, at] of textsIn(checker, comparator, right)) {
      if (kind.oneOf.includes(value)) continue;
      const near = checker.closest(value, kind.oneOf);
      checker.report(catalogue.impossibleChoice(at.span, written, value, kind.oneOf, near));
    }
    return;
  }
  if (kind.is !== 'number' || kind.limits === undefined || kind.orEmpty === true) return;
  const other = checker.kindOf(right);
  if (other.is !== 'number' || other.value === undefined) return;
  const result = settled(comparator, kind.limits, other.value);
  if (result !== undefined) checker.report(catalogue.beyondLimits(span, result, written, limitsText(kind.limits)));
}

/** The fixed texts that a value is compared with for being equal. */
function* textsIn(checker: Checker, comparator: Comparator, right: Expression): Iterable<[string, Expression]> {
  const isList = comparator === 'is one of' || comparator === 'is not one of';
  if (!isList && comparator !== 'is' && comparator !== 'is not') return;
  const items = !isList ? [right] : right.kind === 'list' ? right.items : [];
  for (const item of items) {
    const kind = checker.kindOf(item);
    // "" asks whether there is one.
    if (kind.is === 'text' && kind.value !== undefined && kind.value !== '') yield [kind.value, item];
  }
}

/** The result for every number within the limits; `undefined` if it depends. */
function settled(comparator: Comparator, { from, to, above, below }: ValueLimits<number>, value: number): boolean | undefined {
  const isOver = (from !== undefined && from > value) || (above !== undefined && above >= value);
  const isUnder = (to !== undefined && to < value) || (below !== undefined && below <= value);
  const isAtLeast = isOver || (from !== undefined && from >= value);
  const isAtMost = isUnder || (to !== undefined && to <= value);
  const between = (yes: boolean, no: boolean): boolean | undefined => (yes ? true : no ? false : undefined);
  switch (comparator) {
    case 'is above':
      return between(isOver, isAtMost);
    case 'is at least':
      return between(isAtLeast, isUnder);
    case 'is below':
      return between(isUnder, isAtLeast);
    case 'is at most':
      return between(isAtMost, isOver);
    case 'is':
      return isOver || isUnder ? false : undefined;
    case 'is not':
      return isOver || isUnder ? true : undefined;
    default:
      return undefined;
  }
}

function limitsText({ from, to, above, below }: ValueLimits<number>): string {
  const low = from === undefined ? (above === undefined ? undefined : `above ${above}`) : `at least ${from}`;
  const high = to === undefined ? (below === undefined ? undefined : `below ${below}`) : `at most ${to}`;
  return [low, high].filter((part) => part !== undefined).join(' and ');
}
