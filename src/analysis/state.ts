// A state of the walk: the variables, what each value from outside can still be, and the way that led here. Never changed in place.
import type { Span } from '../compiler/diagnostics/diagnostic.js';
import { anything, type Domain, ITEMS, keepNumbers, numbersFrom } from './domain.js';
import type { Atom, Sym } from './symbolic.js';

/** A list that only grows at its end, so that states share what they have in common. */
export interface Link<T> {
  readonly key: string;
  readonly value: T;
  readonly before: Link<T> | undefined;
  /** Number of links before this one. */
  readonly depth: number;
}

export const linked = <T>(before: Link<T> | undefined, key: string, value: T): Link<T> => ({
  key,
  value,
  before,
  depth: before === undefined ? 0 : before.depth + 1,
});

/** The longest part that two lists share. */
export function shared<T>(one: Link<T> | undefined, other: Link<T> | undefined): Link<T> | undefined {
  let [left, right] = [one, other];
  while (left !== right) {
    if (left === undefined || right === undefined) return undefined;
    if (left.depth >= right.depth) left = left.before;
    else right = right.before;
  }
  return left;
}

export function find<T>(link: Link<T> | undefined, key: string): T | undefined {
  for (let at = link; at !== undefined; at = at.before) if (at.key === key) return at.value;
  return undefined;
}

/** The last value of each key, in the order of their first appearance. */
export function entriesOf<T>(link: Link<T> | undefined): Map<string, T> {
  const newest = new Map<string, T>();
  for (let at = link; at !== undefined; at = at.before) if (!newest.has(at.key)) newest.set(at.key, at.value);
  return new Map([...newest].reverse());
}

/** Of lists with a common beginning: the keys that were added, and for each list the last value of each key. */
interface Added<T> {
  readonly common: Link<T> | undefined;
  readonly links: readonly Link<T>[];
  readonly rows: readonly (readonly (T | undefined)[])[];
  /** Of the links: those of each list from the first to the last. */
  readonly order: readonly number[];
}

export function addedIn<T>(lists: readonly (Link<T> | undefined)[], isKept?: (key: string) => boolean): Added<T> {
  const common = lists.reduce(shared);
  const links: Link<T>[] = [];
  const places = new Map<string, number>();
  const order: number[] = [];
  const rows = lists.map((list) => {
    const row: T[] = [];
    const before = links.length;
    for (let at = list; at !== undefined && at !== common; at = at.before) {
      let place = places.get(at.key);
      if (place === undefined) {
        place = isKept?.(at.key) !== false ? links.push(at) - 1 : -1;
        places.set(at.key, place);
      }
      if (place !== -1) row[place] ??= at.value;
    }
    for (let index = links.length - 1; index >= before; index--) order.push(index);
    return row;
  });
  return { common, links, rows, order };
}

export interface Decision {
  readonly kind: 'decision';
  readonly line: number;
  readonly span: Span;
  readonly answer: boolean;
  /** Whether the values of the state say what follows from the answer. */
  readonly isTold: boolean;
}

/** The result of a call on this way: the answer that a mock service has to give. */
export interface PassedAnswer {
  readonly kind: 'answer';
  readonly call: string;
  readonly service: string;
  readonly line: number;
  readonly how: 'success' | 'failure' | 'silence' | 'nothing comes' | 'message';
}

/** Another statement that has several ways on: a look-up, a loop with rounds, branches that may not end. */
interface Turn {
  readonly kind: 'turn';
  readonly line: number;
  /** As of a decision. */
  readonly isTold: boolean;
}

/** Requirements that were forgotten: those of ways that were joined, or of a condition with too many parts. */
interface Open {
  readonly kind: 'open';
  readonly lines: Iterable<number>;
  /** Of ways that were joined: the events that they share. */
  readonly shared?: { readonly passed: Link<Passed> | undefined };
}

/** The events of a way: its requirements, apart from its values. */
export type Passed = Decision | PassedAnswer | Turn | Open;

/** The call that got no answer on this way, and the variables that it would have set. */
interface Silence {
  readonly service: string;
  readonly line: number;
  readonly span: Span;
  readonly names: ReadonlySet<string>;
}

export interface State {
  readonly variables: Link<Sym> | undefined;
  readonly atoms: Link<{ readonly atom: Atom; readonly domain: Domain }> | undefined;
  readonly passed: Link<Passed> | undefined;
  /** The number of times each call was made, by its place. */
  readonly counts: Link<number> | undefined;
  readonly silence: Silence | undefined;
  /** Not a joined one, and not in a later round of a loop: what it requires is enough to come here. */
  readonly isExact: boolean;
  /** The possible values of each source, such as a declared input. Shared by all states of a walk. */
  readonly bases: Map<string, Domain>;
  /** By the place of a name: whether every state so far that reads it there has set it. Shared by all states of a walk. */
  readonly reads: Map<number, boolean>;
}

export const startState = (): State => ({
  variables: undefined,
  atoms: undefined,
  passed: undefined,
  counts: undefined,
  silence: undefined,
  isExact: true,
  bases: new Map(),
  reads: new Map(),
});

export const withVariable = (state: State, name: string, value: Sym): State => ({
  ...state,
  variables: linked(state.variables, name, value),
});

export const withDomain = (state: State, atom: Atom, domain: Domain): State => ({
  ...state,
  atoms: linked(state.atoms, atom.key, { atom, domain }),
});

export const withPassed = (state: State, passed: Passed): State => ({
  ...state,
  passed: linked(state.passed, passed.kind, passed),
});

/** Not a value that people know: the answer to a condition that is not followed, or the difference of two values. */
export const isQuestion = ({ origin }: Atom): boolean =>
  origin.is === 'operation' && (origin.name === 'sum' || origin.name.startsWith('? '));

/** Whether a later state says by its values why a run is there, instead of one before. */
export function isTold(before: State, after: State): boolean {
  for (let at = after.atoms; at !== undefined && at !== before.atoms; at = at.before) if (isQuestion(at.value.atom)) return false;
  return after.passed === before.passed;
}

/** Counts a call, as one more than in any of these states, so that its answers are new in each. @param place what is called, and where */
export function countCall(states: readonly State[], place: string): { readonly states: State[]; readonly call: string } {
  const count = 1 + Math.max(0, ...states.map(({ counts }) => find(counts, place) ?? 0));
  return { call: `${place}/${count}`, states: states.map((state) => ({ ...state, counts: linked(state.counts, place, count) })) };
}

/** The values that are still possible in this state. */
export function domainIn(state: State, atom: Atom): Domain {
  const told = find(state.atoms, atom.key)?.domain;
  if (told !== undefined) return told;
  const base = state.bases.get(atom.key) ?? anything;
  const { origin } = atom;
  // In another state, the same list may have no items.
  const hasItems = origin.is === 'field' && origin.field === 'count' && domainIn(state, origin.owner).kinds === ITEMS;
  return (hasItems ? keepNumbers(base, [numbersFrom(1)]) : undefined) ?? base;
}

/** The events of the walk, in order. */
export function passedBy({ passed }: State): Passed[] {
  const all: Passed[] = [];
  for (let at = passed; at !== undefined; at = at.before) all.push(at.value);
  return all.reverse();
}
