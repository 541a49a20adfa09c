// A state of the walk: the variables, what each value from outside can still be, and the way that led here. Never changed in place.
import type { Span } from '../compiler/diagnostics/diagnostic.js';
import { anything, type Domain } from './domain.js';
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
  ...{ key, value, before },
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

/** The last value of each key, in the order of their first appearance. @param from only those that were added to this list */
export function entriesOf<T>(link: Link<T> | undefined, from?: Link<T>): Map<string, T> {
  const newest = new Map<string, T>();
  for (let at = link; at !== undefined && at !== from; at = at.before) if (!newest.has(at.key)) newest.set(at.key, at.value);
  return new Map([...newest].reverse());
}

/** What happens on a way, apart from its decisions. */
export interface PassedEffect {
  readonly kind: 'call' | 'ask' | 'wait' | 'wait for';
  readonly line: number;
  /** `get stock using Stock`. */
  readonly what: string;
  readonly parts: readonly (readonly [name: string, value: Sym])[];
}

export interface Decision {
  readonly kind: 'decision';
  readonly line: number;
  readonly span: Span;
  readonly answer: boolean;
}

/** What a call did on this way: what a mock service has to answer. */
export interface PassedAnswer {
  readonly kind: 'answer';
  readonly call: string;
  readonly service: string;
  readonly line: number;
  readonly how: 'success' | 'failure' | 'silence' | 'nothing comes' | 'message';
}

export type Passed = PassedEffect | Decision | PassedAnswer;

/** The call that got no answer on this way, and the variables that it would have set. */
export interface Silence {
  readonly service: string;
  readonly line: number;
  readonly span: Span;
  readonly names: ReadonlySet<string>;
}

export interface State {
  readonly variables: Link<Sym> | undefined;
  readonly atoms: Link<{ readonly atom: Atom; readonly domain: Domain }> | undefined;
  readonly passed: Link<Passed> | undefined;
  /** How often each call was made. */
  readonly counts: Link<number> | undefined;
  readonly silence: Silence | undefined;
  /** Not a joined one, and not in a later round of a loop: what it requires is enough to come here. */
  readonly isExact: boolean;
  /** What each value can be at all, such as a declared input. Shared by all states of a walk. */
  readonly bases: Map<string, Domain>;
}

export const startState = (): State => ({
  ...{ variables: undefined, atoms: undefined, passed: undefined, counts: undefined, silence: undefined, isExact: true },
  bases: new Map(),
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

export const countCall = (state: State, call: string): { readonly state: State; readonly count: number } => {
  const count = (find(state.counts, call) ?? 0) + 1;
  return { count, state: { ...state, counts: linked(state.counts, call, count) } };
};

/** What a value can still be in this state. */
export const domainIn = (state: State, atom: Atom): Domain =>
  find(state.atoms, atom.key)?.domain ?? state.bases.get(atom.key) ?? anything;

/** What the walk passed, in order. */
export function passedBy({ passed }: State): Passed[] {
  const all: Passed[] = [];
  for (let at = passed; at !== undefined; at = at.before) all.push(at.value);
  return all.reverse();
}
