// Comparisons whose result is settled by the values that the left side can have: a choice that does not exist, a number beyond the limits of
// an input. Most likely a misspelling.
import type { ValueLimits } from '../../../../runtime/inputs/input-types.js';
import type { Comparison, Expression } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { type Kind, numbersOf, textsOf } from '../kinds/kind.js';

type Comparator = Comparison['comparator'];

/** @param kind of the left side, which has limits */
export function checkSettled(checker: Checker, { comparator, left, right, span }: Comparison, kind: Kind): void {
  const written = checker.text.slice(left.span.start, left.span.end);
  const isInput = left.kind === 'reference' && left.root === 'request';
  const texts = textsOf(kind);
  if (texts !== undefined) {
    const compared = [...textsIn(checker, comparator, right)];
    // Of fixed values, one that fits is enough: the others may be for another day.
    const isDeclared = kind.is === 'text' && kind.isChoice === true;
    if (!isDeclared && compared.some(([value]) => texts.includes(value))) return;
    for (const [value, at] of compared) {
      if (texts.includes(value)) continue;
      checker.report(
        catalogue.impossibleChoice(
          { span: at.span, suggestion: checker.closest(value, texts) ?? abbreviated(value, texts) },
          written,
          value,
          texts,
          isInput,
        ),
      );
    }
    return;
  }
  const numbers = numbersOf(kind);
  if (numbers !== undefined) {
    for (const [value, at] of numbersIn(checker, comparator, right))
      if (!numbers.includes(value)) checker.report(catalogue.impossibleNumber(at.span, written, value, numbers, isInput));
    return;
  }
  if (kind.is !== 'number' || kind.limits === undefined || kind.orEmpty === true) return;
  const other = checker.kindOf(right);
  if (other.is !== 'number' || other.value === undefined) return;
  const result = settled(comparator, kind.limits, other.value);
  if (result !== undefined && kind.isShare === true) checker.report(catalogue.beyondShare(span, result, written, other.value));
  else if (result !== undefined) checker.report(catalogue.beyondLimits(span, result, written, limitsText(kind.limits)));
}

/** The fixed texts that a value is compared with for being equal. */
function* textsIn(checker: Checker, comparator: Comparator, right: Expression): Iterable<[string, Expression]> {
  for (const item of equals(comparator, right)) {
    const kind = checker.kindOf(item);
    // "" asks whether there is one.
    if (kind.is === 'text' && kind.value !== undefined && kind.value !== '') yield [kind.value, item];
  }
}

/** The fixed numbers that a value is compared with for being equal. */
function* numbersIn(checker: Checker, comparator: Comparator, right: Expression): Iterable<[number, Expression]> {
  for (const item of equals(comparator, right)) {
    const kind = checker.kindOf(item);
    if (kind.is === 'number' && kind.value !== undefined) yield [kind.value, item];
  }
}

/** The values of which one has to be equal. */
function equals(comparator: Comparator, right: Expression): readonly Expression[] {
  if (comparator === 'is' || comparator === 'is not') return [right];
  const isList = comparator === 'is one of' || comparator === 'is not one of';
  return isList && right.kind === 'list' ? right.items : [];
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

/** `Sat` → `Saturday` */
const abbreviated = (value: string, texts: readonly string[]): string | undefined =>
  value.length < 3 ? undefined : texts.find((text) => text.toLowerCase().startsWith(value.toLowerCase().replace(/\.$/, '')));
