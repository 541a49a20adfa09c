// Merges states that differ only in what no later line reads: to the rest of the walk, they are one.
import type { Domain } from './domain.js';
import { join } from './join.js';
import { EVERYTHING, type IsRead, rootsOf } from './liveness.js';
import { domainIn, entriesOf, find, type State, shared } from './state.js';
import { type Atom, empty, keyOf } from './symbolic.js';

/** Variables and values to look through. Beyond, merging takes more than it saves. */
const MOST_VALUES = 400;

export function merged(states: readonly State[], isRead: IsRead): readonly State[] {
  const [first] = states;
  if (first === undefined || states.length < 2 || states.some(({ variables }) => (variables?.depth ?? 0) > MOST_VALUES))
    return states;
  const [variables, atoms] = [
    states.map((state) => state.variables).reduce(shared),
    states.map((state) => state.atoms).reduce(shared),
  ];
  const names = new Set(states.flatMap((state) => [...entriesOf(state.variables, variables).keys()]).filter(isRead));
  const changed = new Map<string, Atom>();
  for (const state of states) for (const [key, { atom }] of entriesOf(state.atoms, atoms)) changed.set(key, atom);
  if (names.size + changed.size > MOST_VALUES) return states;
  const common = new Set([...entriesOf(variables)].flatMap(([name, value]) => (isRead(name) ? [...rootsOf(value)] : [])));
  const groups = new Map<string, State>();
  for (const state of states) {
    const key = keyOfState(state, names, changed, common, isRead);
    const same = groups.get(key);
    groups.set(
      key,
      same === undefined ? state : { ...join(same, state), isExact: same.isExact && state.isExact, silence: state.silence },
    );
  }
  return groups.size === states.length ? states : [...groups.values()];
}

/** Equal for two states that later lines can't tell apart. */
function keyOfState(
  state: State,
  names: ReadonlySet<string>,
  changed: ReadonlyMap<string, Atom>,
  common: ReadonlySet<string>,
  isRead: IsRead,
): string {
  const parts: string[] = [state.silence === undefined ? '' : `${state.silence.line}`];
  const held = new Set<string>();
  for (const name of names) {
    const value = find(state.variables, name) ?? empty;
    parts.push(keyOf(value));
    for (const root of rootsOf(value)) held.add(root);
  }
  const isHeld = (root: string): boolean => root === EVERYTHING || held.has(root) || common.has(root) || isRead(root);
  for (const [key, atom] of changed) {
    const atomRoots = rootsOf(atom);
    let isLive = held.has(EVERYTHING) || common.has(EVERYTHING);
    if (!isLive) isLive = [...atomRoots].every(isHeld);
    if (isLive) parts.push(`${key} ${keyOfDomain(domainIn(state, atom))}`);
  }
  return parts.join('\n');
}

const domainKeys = new WeakMap<Domain, string>();

function keyOfDomain(domain: Domain): string {
  const known = domainKeys.get(domain) ?? JSON.stringify(domain);
  domainKeys.set(domain, known);
  return known;
}
