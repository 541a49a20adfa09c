// Splits a state by a comparison of two values: with a fixed one exactly, of two others by their difference.
import { parseMoment } from '../../runtime/dates/moment.js';
import { equal } from '../../runtime/values/equal.js';
import type { Comparator } from '../compiler/2-parse/tree.js';
import type { Span } from '../compiler/diagnostics/diagnostic.js';
import {
  ANY,
  allNumbers,
  BOOLEAN,
  type Domain,
  EMPTY,
  FALSE,
  type Interval,
  keepKinds,
  keepNumbers,
  keepTexts,
  kindsDomain,
  LIST,
  meet,
  NUMBER,
  numbersAbove,
  numbersBelow,
  numbersFrom,
  numbersTo,
  onlyNumber,
  outside,
  RECORD,
  TEXT,
  type Texts,
  TRUE,
} from './domain.js';
import type { RunFault } from './evaluate.js';
import { differenceKey, domainOf, rangeOf, scaledInterval } from './ranges.js';
import { domainIn, type State, withDomain } from './state.js';
import { type Atom, add, exact, keyOf, known, linearOf, operation, type Sym, scale } from './symbolic.js';

export interface Split {
  readonly yes: readonly State[];
  readonly no: readonly State[];
  readonly faults: readonly RunFault[];
}

export const always = (state: State, answer: boolean): Split => ({
  yes: answer ? [state] : [],
  no: answer ? [] : [state],
  faults: [],
});

/** Both are possible, and nothing follows from either but the same answer to the same question. @param of what it is asked of */
export function undecided(state: State, question: string, shown: string, of: readonly Sym[] = []): Split {
  const atom = operation(`? ${question}`, of, shown);
  return byDomains(state, atom, keepKinds(domainIn(withBase(state, atom), atom), TRUE), keepKinds(domainIn(state, atom), FALSE));
}

function withBase(state: State, atom: Atom): State {
  if (!state.bases.has(atom.key)) state.bases.set(atom.key, kindsDomain(BOOLEAN));
  return state;
}

/** @param fault what can't be compared, with its place */
export function byDomains(
  state: State,
  atom: Atom,
  yes: Domain | undefined,
  no: Domain | undefined,
  fault?: readonly [Domain | undefined, Span],
): Split {
  const [wrong, span] = fault ?? [];
  return {
    yes: yes === undefined ? [] : [withDomain(state, atom, yes)],
    no: no === undefined ? [] : [withDomain(state, atom, no)],
    faults: wrong === undefined || span === undefined ? [] : [{ state: withDomain(state, atom, wrong), span, name: atom.name }],
  };
}

/** Everything that one of these allows. */
export function either(...parts: readonly (Domain | undefined)[]): Domain | undefined {
  const [first, ...rest] = parts.filter((part) => part !== undefined);
  return first === undefined ? undefined : rest.reduce(together, first);
}
/** Two parts of one domain with different kinds. */
const together = (one: Domain, other: Domain): Domain => ({
  kinds: one.kinds | other.kinds,
  isWhole: one.isWhole && other.isWhole,
  numbers: (one.kinds & NUMBER) !== 0 ? one.numbers : other.numbers,
  texts: (one.kinds & TEXT) !== 0 ? one.texts : other.texts,
});

export const only = (domain: Domain | undefined, kinds: number): Domain | undefined =>
  domain === undefined ? undefined : keepKinds(domain, kinds);

/** Splits by `left comparator right`. @param span of the left value, for faults */
export function compare(state: State, comparator: Comparator, left: Sym, right: Sym, span: Span): Split {
  switch (comparator) {
    case 'is':
      return same(state, left, right);
    case 'is not':
      return opposite(same(state, left, right));
    case 'is one of':
      return oneOf(state, left, right);
    case 'is not one of':
      return opposite(oneOf(state, left, right));
    case 'is above':
    case 'is below':
    case 'is at least':
    case 'is at most':
      return ordered(state, comparator, left, right, span);
    case 'is before':
      return dated(state, 'is below', left, right, span);
    case 'is after':
      return dated(state, 'is above', left, right, span);
    case 'is on or before':
      return dated(state, 'is at most', left, right, span);
    case 'is on or after':
      return dated(state, 'is at least', left, right, span);
    case 'contains':
      return parts(state, 'contains', left, right, span);
    case 'does not contain':
      return opposite(parts(state, 'contains', left, right, span));
    case 'starts with':
      return parts(state, 'starts', left, right, span);
    case 'ends with':
      return parts(state, 'ends', left, right, span);
    case 'is like':
      return undecided(state, 'like', 'like', [left, right]);
  }
}

const opposite = ({ yes, no, faults }: Split): Split => ({ yes: no, no: yes, faults });

const isSingle = (value: unknown): value is string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

function same(state: State, left: Sym, right: Sym): Split {
  if (left.is === 'known' && right.is === 'known') return always(state, equal(left.value, right.value));
  if (left.is !== 'test' && right.is !== 'test' && keyOf(left) === keyOf(right)) return always(state, true);
  const [atom, other] = left.is === 'atom' ? [left, right] : [right, left];
  if (atom.is === 'atom' && other.is === 'known' && isSingle(other.value)) return sameAsFixed(state, atom, other.value);
  if (left.is === 'linear' || right.is === 'linear') {
    const [one, two] = [domainOf(state, left), domainOf(state, right)];
    if ((one.kinds & NUMBER) === 0 || (two.kinds & NUMBER) === 0) return always(state, false);
    if (one.kinds === NUMBER && two.kinds === NUMBER)
      return byDifference(state, left, right, [onlyNumber(0)], outside(onlyNumber(0)));
  }
  if ((domainOf(state, left).kinds & domainOf(state, right).kinds) === 0) return always(state, false);
  return undecided(
    state,
    'is',
    'is',
    [left, right].sort((one, two) => (keyOf(one) < keyOf(two) ? -1 : 1)),
  );
}

function sameAsFixed(state: State, atom: Atom, value: string | number | boolean | null): Split {
  const domain = domainIn(state, atom);
  if (value === null) return byDomains(state, atom, keepKinds(domain, EMPTY), keepKinds(domain, ANY & ~EMPTY));
  if (typeof value === 'boolean') {
    const kind = value ? TRUE : FALSE;
    return byDomains(state, atom, keepKinds(domain, kind), keepKinds(domain, ANY & ~kind));
  }
  if (typeof value === 'number')
    return byDomains(
      state,
      atom,
      only(keepNumbers(domain, [onlyNumber(value)]), NUMBER),
      keepNumbers(domain, outside(onlyNumber(value))),
    );
  return byDomains(state, atom, only(keepTexts(domain, { only: [value] }), TEXT), keepTexts(domain, { not: [value] }));
}

function oneOf(state: State, left: Sym, right: Sym): Split {
  const items =
    right.is === 'list'
      ? right.items
      : right.is === 'known' && Array.isArray(right.value)
        ? right.value.map((item) => known(item))
        : undefined;
  if (items === undefined) return undecided(state, `${keyOf(left)} in ${keyOf(right)}`, 'one of');
  const texts = items.flatMap((item) => (item.is === 'known' && typeof item.value === 'string' ? [item.value] : []));
  if (left.is === 'atom' && texts.length === items.length) {
    const domain = domainIn(state, left);
    return byDomains(state, left, only(keepTexts(domain, { only: texts }), TEXT), keepTexts(domain, { not: texts }));
  }
  const yes: State[] = [];
  const faults: RunFault[] = [];
  let open: readonly State[] = [state];
  for (const item of items) {
    const next: State[] = [];
    for (const one of open) {
      const { yes: mayBe, no } = same(one, left, item);
      yes.push(...mayBe);
      next.push(...no);
    }
    open = next;
  }
  return { yes, no: open, faults };
}

type Order = 'is above' | 'is below' | 'is at least' | 'is at most';
const intervals: Readonly<Record<Order, readonly [yes: (limit: number) => Interval, no: (limit: number) => Interval]>> = {
  'is above': [numbersAbove, numbersTo],
  'is below': [numbersBelow, numbersFrom],
  'is at least': [numbersFrom, numbersBelow],
  'is at most': [numbersTo, numbersAbove],
};
const turned: Readonly<Record<Order, Order>> = {
  'is above': 'is below',
  'is below': 'is above',
  'is at least': 'is at most',
  'is at most': 'is at least',
};

function ordered(state: State, order: Order, left: Sym, right: Sym, span: Span): Split {
  if (left.is === 'known' && right.is === 'known') return orderedFixed(state, order, left.value, right.value, span);
  if (left.is === 'known') return ordered(state, turned[order], right, left, span);
  const [toYes, toNo] = intervals[order];
  if (left.is === 'atom' && right.is === 'known') {
    const domain = domainIn(state, left);
    if (typeof right.value === 'number') {
      const numbers = keepKinds(domain, NUMBER);
      const part = (interval: Interval): Domain | undefined =>
        numbers === undefined ? undefined : keepNumbers(numbers, [interval]);
      return byDomains(state, left, part(toYes(right.value)), part(toNo(right.value)), [keepKinds(domain, ANY & ~NUMBER), span]);
    }
    if (typeof right.value !== 'string') return { yes: [], no: [], faults: [{ state, span, name: '' }] };
    const texts = keepKinds(domain, TEXT);
    const part = (limits: Partial<Texts>): Domain | undefined => (texts === undefined ? undefined : keepTexts(texts, limits));
    const [yes, no] = textLimits(order, right.value);
    return byDomains(state, left, part(yes), part(no), [keepKinds(domain, ANY & ~TEXT), span]);
  }
  const faults: RunFault[] = [];
  let at: State | undefined = state;
  for (const side of [left, right]) at = at === undefined ? undefined : comparable(at, side, NUMBER | TEXT, span, faults);
  // A number fits another number only, and a text another text.
  for (const [side, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const kinds = at === undefined ? ANY : domainOf(at, side).kinds;
    if (at !== undefined && (kinds === NUMBER || kinds === TEXT)) at = comparable(at, other, kinds, span, faults);
  }
  if (at === undefined) return { yes: [], no: [], faults };
  const [one, two] = [domainOf(at, left), domainOf(at, right)];
  // Two texts are in order as well: as long as only the two are compared, their difference has a sign.
  const isPlain = left.is !== 'linear' && right.is !== 'linear';
  if (!(one.kinds === NUMBER && two.kinds === NUMBER) && !(isPlain && left.is === 'atom' && right.is === 'atom'))
    return withFaults(undecided(at, `${order} ${keyOf(left)} ${keyOf(right)}`, order), faults);
  return withFaults(byDifference(at, left, right, [toYes(0)], [toNo(0)]), faults);
}

const withFaults = (made: Split, faults: readonly RunFault[]): Split => ({ ...made, faults: [...faults, ...made.faults] });

/** Only numbers and texts have an order. @param kinds of them */
function comparable(state: State, value: Sym, kinds: number, span: Span, faults: RunFault[]): State | undefined {
  const domain = domainOf(state, value);
  const wrong = keepKinds(domain, ANY & ~kinds);
  if (wrong === undefined) return state;
  if (value.is === 'atom') faults.push({ state: withDomain(state, value, wrong), span, name: value.name });
  const right = keepKinds(domain, kinds);
  if (right === undefined) {
    if (value.is !== 'atom') faults.push({ state, span, name: '' });
    return undefined;
  }
  return value.is === 'atom' ? withDomain(state, value, right) : state;
}

function orderedFixed(state: State, order: Order, left: unknown, right: unknown, span: Span): Split {
  const isText = typeof left === 'string' && typeof right === 'string';
  if (!isText && !(typeof left === 'number' && typeof right === 'number'))
    return { yes: [], no: [], faults: [{ state, span, name: '' }] };
  const sign = left === right ? 0 : left > right ? 1 : -1;
  return always(state, { 'is above': sign > 0, 'is below': sign < 0, 'is at least': sign >= 0, 'is at most': sign <= 0 }[order]);
}

function textLimits(order: Order, text: string): readonly [Partial<Texts>, Partial<Texts>] {
  const low = (open: boolean): Partial<Texts> => ({ low: { text, open } });
  const high = (open: boolean): Partial<Texts> => ({ high: { text, open } });
  return {
    'is above': [low(true), high(false)],
    'is below': [high(true), low(false)],
    'is at least': [low(false), high(true)],
    'is at most': [high(false), low(true)],
  }[order] as [Partial<Texts>, Partial<Texts>]; // a literal of pairs
}

/** Splits by the difference of two values: above, below or at zero. */
function byDifference(state: State, left: Sym, right: Sym, yes: readonly Interval[], no: readonly Interval[]): Split {
  const [one, other] = [linearOf(left), linearOf(right)];
  if (one === undefined || other === undefined) return undecided(state, `${keyOf(left)} ${keyOf(right)}`, 'order');
  const difference = add(one, other, -1);
  const [first] = difference.terms;
  if (first === undefined) {
    const holds = yes.some((interval) => meet(interval, onlyNumber(difference.constant)) !== undefined);
    return always(state, holds);
  }
  // c + f·(a + …) compared with 0: what a + … can be.
  const moved = (interval: Interval): Interval =>
    scaledInterval(
      { ...interval, low: interval.low - difference.constant, high: interval.high - difference.constant },
      exact(1 / first.factor),
    );
  if (difference.terms.length === 1) {
    const domain = domainIn(state, first.atom);
    const part = (wanted: readonly Interval[]): Domain | undefined => keepNumbers(domain, wanted.map(moved));
    return byDomains(
      state,
      first.atom,
      only(part(yes), NUMBER | (domain.kinds & TEXT)),
      only(part(no), NUMBER | (domain.kinds & TEXT)),
    );
  }
  const key = differenceKey(difference.terms);
  const atom: Atom = {
    is: 'atom',
    key,
    name: key,
    origin: {
      is: 'operation',
      name: 'sum',
      operands: [{ is: 'linear', ...scale({ constant: 0, terms: difference.terms }, exact(1 / first.factor)) }],
    },
  };
  const range = rangeOf(state, scale({ constant: 0, terms: difference.terms }, exact(1 / first.factor)));
  const before = domainIn(state, atom);
  const isText = difference.terms.some((term) => (domainIn(state, term.atom).kinds & TEXT) !== 0);
  const told = isText ? [allNumbers] : [range];
  const base = keepNumbers({ ...before, kinds: NUMBER }, told);
  const part = (wanted: readonly Interval[]): Domain | undefined =>
    base === undefined ? undefined : only(keepNumbers(base, wanted.map(moved)), NUMBER);
  return byDomains(state, atom, part(yes), part(no));
}

/** Dates are compared by their days. */
function dated(state: State, order: Order, left: Sym, right: Sym, span: Span): Split {
  const faults: RunFault[] = [];
  let at = state;
  for (const value of [left, right]) {
    const domain = domainOf(at, value);
    const wrong = keepKinds(domain, ANY & ~TEXT);
    if (wrong !== undefined)
      faults.push({
        state: value.is === 'atom' ? withDomain(at, value, wrong) : at,
        span,
        name: value.is === 'atom' ? value.name : '',
      });
    const right_ = keepKinds(domain, TEXT);
    if (right_ === undefined) return { yes: [], no: [], faults };
    if (value.is === 'atom') at = withDomain(at, value, right_);
  }
  const [one, other] = [dayOf(at, left), dayOf(at, right)];
  if (one === undefined || other === undefined)
    return withFaults(undecided(at, `${order} ${keyOf(left)} ${keyOf(right)}`, 'dates'), faults);
  const [toYes, toNo] = intervals[order];
  return withFaults(byDifference(at, one, other, [toYes(0)], [toNo(0)]), faults);
}

export const numberOfDay = (date: Sym): Atom => operation('day number', [date], date.is === 'atom' ? date.name : '');

/** The number of a day, so that shifts by days are sums. */
function dayOf(state: State, value: Sym): Sym | undefined {
  if (value.is === 'known') {
    const moment = typeof value.value === 'string' ? parseMoment(value.value) : undefined;
    return moment?.form === 'date' ? known(moment.day) : undefined;
  }
  if (value.is !== 'atom') return undefined;
  const { origin } = value;
  if (
    origin.is === 'operation' &&
    (origin.name === 'shift days' || origin.name === 'shift weeks') &&
    origin.operands.length === 2
  ) {
    const [from, by] = origin.operands;
    const day = from === undefined ? undefined : dayOf(state, from);
    const linear = day === undefined ? undefined : linearOf(day);
    if (linear !== undefined && by?.is === 'known' && typeof by.value === 'number')
      return { is: 'linear', ...add(linear, { constant: by.value * (origin.name === 'shift weeks' ? 7 : 1), terms: [] }) };
  }
  const atom = numberOfDay(value);
  if (!state.bases.has(atom.key)) state.bases.set(atom.key, kindsDomain(NUMBER));
  return atom;
}

function parts(state: State, how: 'contains' | 'starts' | 'ends', left: Sym, right: Sym, span: Span): Split {
  const wanted = right.is === 'known' && isSingle(right.value) && right.value !== null ? String(right.value) : undefined;
  if (left.is !== 'atom' || wanted === undefined) return undecided(state, `${how} ${keyOf(left)} ${keyOf(right)}`, how);
  const domain = domainIn(state, left);
  const not = { contains: 'notContains', starts: 'notStarts', ends: 'notEnds' } as const;
  const texts = keepKinds(domain, TEXT);
  const yes = texts === undefined ? undefined : keepTexts(texts, { [how]: [wanted] });
  const no = texts === undefined ? undefined : keepTexts(texts, { [not[how]]: [wanted] });
  // Lists and records can contain a value as well; which ones is not followed.
  const others = how === 'contains' ? keepKinds(domain, LIST | RECORD) : undefined;
  const nothing = keepKinds(domain, EMPTY);
  const wrong = keepKinds(domain, ANY & ~(TEXT | EMPTY | (how === 'contains' ? LIST | RECORD : 0)));
  return byDomains(state, left, either(yes, others), either(no, others, nothing), [wrong, span]);
}
