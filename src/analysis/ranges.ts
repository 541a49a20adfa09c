// Computes the possible values of an expression in a state: exactly for fixed values, from their parts for sums.
import {
  anything,
  type Domain,
  EMPTY,
  FALSE,
  FIELDS,
  type Interval,
  ITEMS,
  kindsDomain,
  meet,
  NO_FIELDS,
  NO_ITEMS,
  NUMBER,
  numberDomain,
  onlyNumber,
  TEXT,
  TRUE,
} from './domain.js';
import { domainIn, find, type State } from './state.js';
import { exact, type Sym, type Term } from './symbolic.js';

export function domainOf(state: State, value: Sym): Domain {
  switch (value.is) {
    case 'known':
      return domainOfValue(value.value);
    case 'atom':
      return domainIn(state, value);
    case 'linear':
      return numberDomain(rangeOf(state, value));
    case 'record':
      return kindsDomain(value.fields.size === 0 ? NO_FIELDS : FIELDS);
    case 'list':
      return kindsDomain(value.items.length === 0 ? NO_ITEMS : ITEMS);
    case 'text':
      return kindsDomain(TEXT);
    case 'test':
      return kindsDomain(TRUE | FALSE);
  }
}

function domainOfValue(value: unknown): Domain {
  if (value === null || value === undefined) return kindsDomain(EMPTY);
  if (typeof value === 'boolean') return kindsDomain(value ? TRUE : FALSE);
  if (typeof value === 'number') return numberDomain(onlyNumber(value));
  if (typeof value === 'string') return { ...anything, kinds: TEXT, texts: { ...anything.texts, only: [value] } };
  if (Array.isArray(value)) return kindsDomain(value.length === 0 ? NO_ITEMS : ITEMS);
  return kindsDomain(Object.keys(value).length === 0 ? NO_FIELDS : FIELDS);
}

/** The key of a sum without its constant and its scale, so that every comparison of the same two values has the same. */
export const differenceKey = (terms: readonly Term[]): string =>
  terms.map(({ atom, factor }) => `${exact(factor / (terms[0]?.factor ?? 1))}*${atom.key}`).join('+');

/** The numbers that a sum can be, from those of its parts, and from what earlier comparisons of it have said. */
export function rangeOf(
  state: State,
  { constant, terms }: { readonly constant: number; readonly terms: readonly Term[] },
): Interval {
  let range: Interval = onlyNumber(constant);
  for (const { atom, factor } of terms) {
    range = sum(range, scaledInterval(hullOf(domainIn(state, atom)), factor));
  }
  const compared = terms.length < 2 ? undefined : find(state.atoms, differenceKey(terms));
  const told = compared === undefined ? undefined : hullOf(compared.domain);
  const scale = terms[0]?.factor ?? 1;
  return told === undefined ? range : (meet(range, sum(scaledInterval(told, scale), onlyNumber(constant))) ?? range);
}

/** From the lowest to the highest number. */
function hullOf({ kinds, numbers }: Domain): Interval {
  const [first, last] = [numbers[0], numbers.at(-1)];
  if ((kinds & NUMBER) === 0 || first === undefined || last === undefined) return onlyNumber(0);
  return { low: first.low, lowOpen: first.lowOpen, high: last.high, highOpen: last.highOpen };
}

const sum = (one: Interval, other: Interval): Interval => ({
  low: exact(one.low + other.low),
  high: exact(one.high + other.high),
  lowOpen: one.lowOpen || other.lowOpen,
  highOpen: one.highOpen || other.highOpen,
});

export function scaledInterval({ low, high, lowOpen, highOpen }: Interval, factor: number): Interval {
  const scaled = (limit: number): number => (limit === 0 || factor === 0 ? 0 : exact(limit * factor));
  return factor < 0
    ? { low: scaled(high), high: scaled(low), lowOpen: highOpen, highOpen: lowOpen }
    : { low: scaled(low), high: scaled(high), lowOpen, highOpen };
}
