// Joins states where a walk has too many: what holds in all of them is kept, what differs is forgotten. Never claims more than they did.
import { unite } from './domain.js';
import type { IsRead } from './liveness.js';
import { Classes } from './merge.js';
import { domainOf } from './ranges.js';
import { addedIn, find, linked, type State, shared, withDomain, withPassed, withVariable } from './state.js';
import { type Atom, empty, keyOf } from './symbolic.js';

/** At most so many states. @param isRead which variables still count */
export function limited(states: readonly State[], most: number, isRead?: IsRead): readonly State[] {
  if (states.length <= most) return states;
  // Variables that all states set alike before they parted don't distinguish them; there may be thousands.
  const { links, rows } = addedIn(
    states.map(({ variables }) => variables),
    isRead,
  );
  const classes = new Classes(states.length);
  for (const index of links.keys())
    classes.split(
      rows.map((row) => row[index]),
      (value) => (value === undefined ? '' : keyOf(value)),
    );
  const groups: State[][] = [];
  for (const [at, state] of states.entries()) {
    const number = classes.count > most / 2 ? 0 : (classes.of[at] ?? 0);
    groups[number] = [...(groups[number] ?? []), state];
  }
  return groups.flatMap((group) => joinAll(group, isRead));
}

/** One state for several. */
function joinAll(states: readonly State[], isRead?: IsRead): readonly State[] {
  const [first] = states;
  if (first === undefined || states.length === 1) return states;
  const { common, links, rows, order } = addedIn(states.map(({ atoms }) => atoms));
  let atoms = common;
  for (const index of order) {
    const link = links[index];
    const before = link && find(common, link.key);
    const domains = rows.flatMap((row) => (row[index] ?? before)?.domain ?? []);
    if (link !== undefined && domains.length === states.length)
      atoms = linked(atoms, link.key, { atom: link.value.atom, domain: domains.reduce(unite) });
  }
  const joined = withPassed(first, { kind: 'open', ...apart(states) });
  return [joinVariables({ ...joined, atoms, isExact: false, silence: undefined }, states, isRead)];
}

/** What the ways to these states share, and the lines that led to one of them. */
function apart(states: readonly State[]): {
  readonly lines: ReadonlySet<number>;
  readonly shared: { readonly passed: State['passed'] };
} {
  const passed = states.map((state) => state.passed).reduce(shared);
  const lines = new Set<number>();
  for (const state of states)
    for (let at = state.passed; at !== undefined && at !== passed; at = at.before)
      for (const line of at.value.kind === 'open' ? at.value.lines : [at.value.line]) lines.add(line);
  return { lines, shared: { passed } };
}

function joinVariables(joined: State, states: readonly State[], isRead?: IsRead): State {
  const { common, links, rows, order } = addedIn(
    states.map(({ variables }) => variables),
    isRead,
  );
  let state: State = { ...joined, variables: common };
  for (const index of order) {
    const name = links[index]?.key ?? '';
    const before = find(common, name) ?? empty;
    const values = rows.map((row) => row[index] ?? before);
    const keys = new Set(values.map(keyOf));
    if (keys.size === 1) state = withVariable(state, name, values[0] ?? empty);
    else {
      const atom: Atom = { is: 'atom', key: `${name}#${state.bases.size}`, name, origin: { is: 'unknown' } };
      const domain = states.map((one, at) => domainOf(one, values[at] ?? empty)).reduce(unite);
      state.bases.set(atom.key, domain);
      state = withVariable(withDomain(state, atom, domain), name, atom);
    }
  }
  return state;
}
