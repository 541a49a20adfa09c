// Merges states that differ only in what no later line reads: to the rest of the walk, they are one.
import { anything, type Domain } from './domain.js';
import { EVERYTHING, type IsRead, rootsOf } from './liveness.js';
import { addedIn, find, type State } from './state.js';
import { empty, keyOf } from './symbolic.js';

/** The first of all states that later lines can't tell apart; one whose way is certain, if there is one. */
export function merged(states: readonly State[], isRead: IsRead): readonly State[] {
  if (states.length < 2) return states;
  const classes = new Classes(states.length);
  byAtoms(states, byVariables(states, isRead, classes), isRead, classes);
  if (classes.count === states.length) return states;
  const kept: State[] = [];
  for (const [at, state] of states.entries()) {
    const index = classes.of[at] ?? 0;
    if (kept[index]?.isExact !== true) kept[index] = state;
  }
  return kept;
}

/** States that nothing has told apart yet, numbered in the order of their first states. */
export class Classes {
  of: number[];
  count = 1;

  constructor(states: number) {
    this.of = Array<number>(states).fill(0);
  }

  split<T>(values: readonly T[], keyOfValue: (value: T, at: number) => string): void {
    if (this.count === this.of.length || values.every((value) => value === values[0])) return;
    const keys = new Map<string, number>();
    const numbers = new Map<number, number>();
    const { length } = this.of;
    this.of = this.of.map((number, at) => {
      const key = numberIn(keys, keyOfValue(values[at] as T, at)); // one for each state
      return numberIn(numbers, key * length + number);
    });
    this.count = numbers.size;
  }
}

/** The same for the same key. */
const numberIn = <T>(numbers: Map<T, number>, key: T): number => numbers.get(key) ?? numbers.set(key, numbers.size).size - 1;

/** Returns what the values are made of that each state has for later lines. */
function byVariables(states: readonly State[], isRead: IsRead, classes: Classes): readonly ReadonlySet<string>[] {
  const silent = ({ silence }: State): number | undefined =>
    silence !== undefined && [...silence.names].some(isRead) ? silence.line : undefined;
  classes.split(states.map(silent), String);
  const { common, links, rows } = addedIn(
    states.map(({ variables }) => variables),
    isRead,
  );
  const columns = links.map(({ key }, index) => {
    const before = find(common, key) ?? empty;
    return rows.map((row) => row[index] ?? before);
  });
  for (const values of columns) classes.split(values, keyOf);
  const always = new Set<string>();
  for (let at = common; at !== undefined; at = at.before)
    if (isRead(at.key)) for (const root of rootsOf(at.value)) always.add(root);
  const all: ReadonlySet<string>[] = [];
  return classes.of.map((number, at) => {
    all[number] ??= new Set([...always, ...columns.flatMap((values) => [...rootsOf(values[at] ?? empty)])]);
    return all[number];
  });
}

function byAtoms(states: readonly State[], held: readonly ReadonlySet<string>[], isRead: IsRead, classes: Classes): void {
  const { common, links, rows } = addedIn(states.map(({ atoms }) => atoms));
  for (const [index, { value }] of links.entries()) {
    if (classes.count === states.length) return;
    const { atom } = value;
    const before = find(common, atom.key)?.domain ?? states[0]?.bases.get(atom.key) ?? anything;
    const domains = rows.map((row) => row[index]?.domain ?? before);
    const roots = [...rootsOf(atom)].filter((root) => root !== EVERYTHING && !isRead(root));
    const isHeld = (own: ReadonlySet<string> | undefined): boolean =>
      own === undefined || own.has(EVERYTHING) || roots.every((root) => own.has(root));
    classes.split(domains, (domain, at) => (isHeld(held[at]) ? keyOfDomain(domain) : ''));
  }
}

const keys = new WeakMap<Domain, string>();

function keyOfDomain(domain: Domain): string {
  const key = keys.get(domain) ?? JSON.stringify(domain);
  keys.set(domain, key);
  return key;
}
