// Derives facts about single values from the conditions that a run has passed: `request.score is at least 50` after a guard that has sent
// the others away. Only comparisons of a name with fixed values count; leaving one out is always correct.
import type { Comparison, Expression, Reference } from '../2-parse/tree.js';
import { pathAsWritten } from '../vocabulary/field-names.js';
import { type Kind, numbersOf, textsOf } from './kinds/kind.js';

/** A value that can be compared; `null` is `empty`. */
type Simple = string | number | boolean | null;

/** Facts about one value. */
export interface Fact {
  /** The fixed values that it is compared with. */
  readonly points: readonly Exclude<Simple, null>[];
  readonly fits: (value: Simple) => boolean;
}

/** The facts at one place, by the name of the value as it is written. */
export type PassedFacts = ReadonlyMap<string, Fact>;

export const noFacts: PassedFacts = new Map();

/** More names than this, or more fixed values of one, are not followed. */
const MOST = 50;

/** Facts that hold in both. */
export function bothFacts(one: PassedFacts, other: PassedFacts): PassedFacts {
  if (other.size === 0) return one;
  if (one.size === 0) return other;
  const all = new Map(one);
  for (const [name, fact] of other) add(all, name, fact);
  return all;
}

function add(all: Map<string, Fact>, name: string, fact: Fact): void {
  const known = all.get(name);
  if (known === undefined) {
    if (all.size < MOST) all.set(name, fact);
    return;
  }
  const points = [...known.points, ...fact.points];
  if (points.length <= MOST) all.set(name, { points, fits: (value) => known.fits(value) && fact.fits(value) });
}

/** Facts that are certain where one or the other holds. */
export function eitherFacts(one: PassedFacts, other: PassedFacts): PassedFacts {
  if (one === other) return one;
  const all = new Map<string, Fact>();
  for (const [name, fact] of one) {
    const second = other.get(name);
    if (second === fact) all.set(name, fact);
    else if (second !== undefined) {
      const points = [...fact.points, ...second.points];
      if (points.length <= MOST) all.set(name, { points, fits: (value) => fact.fits(value) || second.fits(value) });
    }
  }
  return all;
}

/** The facts without those about a variable that has another value now. */
export function withoutName(facts: PassedFacts, name: string): PassedFacts {
  const old = [...facts.keys()].filter((path) => path === name || path.startsWith(`${name}.`));
  if (old.length === 0) return facts;
  const rest = new Map(facts);
  for (const path of old) rest.delete(path);
  return rest;
}

/** @param answer of the condition @param kindOf the kind of an expression, for names that have a fixed value */
export function factsOf(condition: Expression, answer: boolean, kindOf: (expression: Expression) => Kind): PassedFacts {
  switch (condition.kind) {
    case 'group':
      return factsOf(condition.inner, answer, kindOf);
    case 'not':
      return factsOf(condition.operand, !answer, kindOf);
    case 'logic': {
      const all = condition.operands.map((operand) => factsOf(operand, answer, kindOf));
      const holdTogether = (condition.operator === 'and') === answer;
      return all.reduce(holdTogether ? bothFacts : eitherFacts);
    }
    case 'reference':
      return about(condition, [], (value) => (value === null || value === false || value === 0 || value === '') !== answer);
    case 'between': {
      const [low, high] = [valuesOf(condition.low, kindOf)?.[0], valuesOf(condition.high, kindOf)?.[0]];
      if (condition.value.kind !== 'reference' || !isOrdered(low) || !isOrdered(high)) return noFacts;
      return about(condition.value, [low, high], (value) => {
        const [one, other] = [order(value, low), order(value, high)];
        if (value !== null && (one === undefined || other === undefined)) return false;
        return (one !== undefined && other !== undefined && one >= 0 && other <= 0) === answer;
      });
    }
    case 'state': {
      if (condition.value.kind !== 'reference') return noFacts;
      const { state } = condition;
      const asks = state === 'is empty' || state === 'does not exist';
      const isNone = (value: Simple): boolean => value === null || (value === '' && /empty/.test(state));
      return about(condition.value, [], (value) => (isNone(value) === asks) === answer);
    }
    case 'comparison':
      return factOfComparison(condition, answer, kindOf);
    default:
      return noFacts;
  }
}

const about = (reference: Reference, points: Fact['points'], fits: Fact['fits']): PassedFacts =>
  new Map([[pathAsWritten(reference), { points, fits }]]);

/** The fixed values of an expression: a literal, a list of them, or a name that has one value. */
function valuesOf(expression: Expression, kindOf: (expression: Expression) => Kind): Exclude<Simple, null>[] | undefined {
  if (expression.kind === 'list') {
    const items = expression.items.map((item) => valuesOf(item, kindOf));
    return items.every((item) => item !== undefined) ? items.flat() : undefined;
  }
  if (expression.kind === 'constant') return expression.value === null ? undefined : [expression.value];
  const kind = kindOf(expression);
  const values = 'orEmpty' in kind && kind.orEmpty === true ? undefined : (numbersOf(kind) ?? textsOf(kind));
  return values?.length === 1 ? [...values] : undefined;
}

const ISO_DATE = /^\d{4}-\d\d-\d\d$/;

const isOrdered = (value: Simple | undefined): value is number | string =>
  typeof value === 'number' || (typeof value === 'string' && ISO_DATE.test(value));

/** Below 0 if the value comes first; `undefined` if the two have no order. */
function order(value: Simple, limit: number | string): number | undefined {
  if (typeof value === 'number' && typeof limit === 'number') return value - limit;
  if (typeof value === 'string' && typeof limit === 'string' && ISO_DATE.test(value))
    return value < limit ? -1 : value > limit ? 1 : 0;
  return undefined;
}

const orders: Readonly<Partial<Record<Comparison['comparator'], (difference: number) => boolean>>> = {
  'is above': (difference) => difference > 0,
  'is below': (difference) => difference < 0,
  'is at least': (difference) => difference >= 0,
  'is at most': (difference) => difference <= 0,
  'is before': (difference) => difference < 0,
  'is after': (difference) => difference > 0,
  'is on or before': (difference) => difference <= 0,
  'is on or after': (difference) => difference >= 0,
};

function factOfComparison(
  { comparator, left, right }: Comparison,
  answer: boolean,
  kindOf: (expression: Expression) => Kind,
): PassedFacts {
  if (left.kind !== 'reference') return noFacts;
  const isEmpty = right.kind === 'constant' && right.value === null;
  if (isEmpty && (comparator === 'is' || comparator === 'is not'))
    return about(left, [], (value) => ((value === null) === (comparator === 'is')) === answer);
  const values = valuesOf(right, kindOf);
  const [limit] = values ?? [];
  if (values === undefined || limit === undefined) return noFacts;
  const holds = orders[comparator];
  if (holds !== undefined)
    return isOrdered(limit)
      ? about(left, [limit], (value) => {
          const difference = order(value, limit);
          // A value of another kind ends the run at the condition.
          if (difference === undefined) return value === null && !answer;
          return holds(difference) === answer;
        })
      : noFacts;
  switch (comparator) {
    case 'is':
    case 'is one of':
      return about(left, values, (value) => values.some((one) => one === value) === answer);
    case 'is not':
    case 'is not one of':
      return about(left, values, (value) => !values.some((one) => one === value) === answer);
    case 'starts with':
      return about(left, values, (value) => typeof value === 'string' && value.startsWith(String(limit)) === answer);
    default:
      return noFacts;
  }
}
