// Joins states where a walk has too many: what holds in all of them is kept, what differs is forgotten. Never claims more than they did.
import { unite } from './domain.js';
import { domainOf } from './ranges.js';
import { entriesOf, type State, withDomain, withVariable } from './state.js';
import { type Atom, empty, keyOf } from './symbolic.js';

/** Maximum states at a point. */
const MOST_STATES = 64;

/** At most as many states as the walk follows. */
export function limited(states: readonly State[]): readonly State[] {
  if (states.length <= MOST_STATES) return states;
  const same = new Map<string, State[]>();
  for (const state of states) {
    const key = [...entriesOf(state.variables)].map(([name, value]) => `${name}=${keyOf(value)}`).join(';');
    same.set(key, [...(same.get(key) ?? []), state]);
  }
  const groups = [...same.values()];
  if (groups.length <= MOST_STATES / 2) return groups.flatMap((group) => joinAll(group));
  return joinAll(states);
}

const joinAll = ([first, ...rest]: readonly State[]): State[] => (first === undefined ? [] : [rest.reduce(join, first)]);

/** One state for two. */
export function join(one: State, other: State): State {
  const [mine, theirs] = [entriesOf(one.atoms), entriesOf(other.atoms)];
  let atoms: State['atoms'];
  for (const [key, { atom, domain }] of mine) {
    const beside = theirs.get(key);
    if (beside !== undefined) atoms = { key, value: { atom, domain: unite(domain, beside.domain) }, before: atoms };
  }
  return joinVariables({ ...one, atoms, variables: undefined, isExact: false, silence: undefined }, one, other);
}

function joinVariables(joined: State, one: State, other: State): State {
  let state = joined;
  const [mine, theirs] = [entriesOf(one.variables), entriesOf(other.variables)];
  for (const name of new Set([...mine.keys(), ...theirs.keys()])) {
    const [left, right] = [mine.get(name) ?? empty, theirs.get(name) ?? empty];
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
