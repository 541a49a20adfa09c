// Joins states where a walk has too many: what holds in all of them is kept, what differs is forgotten. Never claims more than they did.
import { unite } from './domain.js';
import { domainOf } from './ranges.js';
import { entriesOf, find, linked, type State, shared, withDomain, withVariable } from './state.js';
import { type Atom, empty, keyOf } from './symbolic.js';

/** At most so many states. */
export function limited(states: readonly State[], most: number): readonly State[] {
  if (states.length <= most) return states;
  const same = new Map<string, State[]>();
  // What all states have set alike, before they parted, tells them not apart; there may be thousands of such variables.
  const common = states.map(({ variables }) => variables).reduce(shared);
  for (const state of states) {
    const own = [...entriesOf(state.variables, common)].sort(([a], [b]) => (a < b ? -1 : 1));
    const key = own.map(([name, value]) => `${name}=${keyOf(value)}`).join(';');
    same.set(key, [...(same.get(key) ?? []), state]);
  }
  const groups = [...same.values()];
  if (groups.length <= most / 2) return groups.flatMap((group) => joinAll(group));
  return joinAll(states);
}

const joinAll = ([first, ...rest]: readonly State[]): State[] => (first === undefined ? [] : [rest.reduce(join, first)]);

/** One state for two. */
export function join(one: State, other: State): State {
  const common = shared(one.atoms, other.atoms);
  let atoms = common;
  const keys = new Set([...entriesOf(one.atoms, common).keys(), ...entriesOf(other.atoms, common).keys()]);
  for (const key of keys) {
    const [mine, theirs] = [find(one.atoms, key), find(other.atoms, key)];
    if (mine !== undefined && theirs !== undefined)
      atoms = linked(atoms, key, { atom: mine.atom, domain: unite(mine.domain, theirs.domain) });
  }
  return joinVariables({ ...one, atoms, isExact: false, silence: undefined }, one, other);
}

function joinVariables(joined: State, one: State, other: State): State {
  const common = shared(one.variables, other.variables);
  let state: State = { ...joined, variables: common };
  const names = new Set([...entriesOf(one.variables, common).keys(), ...entriesOf(other.variables, common).keys()]);
  for (const name of names) {
    const [left, right] = [find(one.variables, name) ?? empty, find(other.variables, name) ?? empty];
    if (left === right || (left.is !== 'test' && keyOf(left) === keyOf(right))) state = withVariable(state, name, left);
    else {
      const atom: Atom = { is: 'atom', key: `${name}#${state.bases.size}`, name, origin: { is: 'unknown' } };
      const domain = unite(domainOf(one, left), domainOf(other, right));
      state.bases.set(atom.key, domain);
      state = withVariable(withDomain(state, atom, domain), name, atom);
    }
  }
  return state;
}
