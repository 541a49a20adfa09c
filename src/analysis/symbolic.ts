// Values before a workflow runs: fixed ones, those that come from outside, sums of them, and what else can be said exactly.
import type { Value } from '../../runtime/types.js';
import type { Expression } from '../compiler/2-parse/tree.js';
import { referencesIn } from '../compiler/2-parse/walk.js';
import { writtenField } from '../compiler/vocabulary/field-names.js';
import { find, type Link } from './state.js';

/** Where a value that is not known comes from. */
type AtomOrigin =
  | { readonly is: 'request' }
  | { readonly is: 'env' }
  | { readonly is: 'moment' }
  /** The answer of a call, a person or a message. `part`: `result`, `status`, `comment`. */
  | { readonly is: 'answer'; readonly call: string; readonly part: string }
  | { readonly is: 'field'; readonly owner: Atom; readonly field: string }
  | { readonly is: 'item'; readonly list: Sym; readonly round: 'first' | 'any' }
  | { readonly is: 'operation'; readonly name: string; readonly operands: readonly Sym[]; readonly itemsOf?: Chosen }
  | { readonly is: 'unknown' };

/** A list whose items are some of another one, in any order. */
interface Chosen {
  readonly list: Sym;
  /** Properties of all symbolic values. */
  readonly where?: { readonly item: string; readonly condition: Expression; readonly variables: Link<Sym> | undefined };
}

/** A value from outside, or one that is not followed further. Two with one key are one value. */
export interface Atom {
  readonly is: 'atom';
  readonly key: string;
  /** As the file calls it. */
  readonly name: string;
  readonly origin: AtomOrigin;
}

export interface Term {
  readonly atom: Atom;
  readonly factor: number;
}

export type Sym =
  | { readonly is: 'known'; readonly value: Value }
  | Atom
  /** A number: the constant plus each atom times its factor. */
  | { readonly is: 'linear'; readonly constant: number; readonly terms: readonly Term[] }
  | { readonly is: 'record'; readonly fields: ReadonlyMap<string, Sym> }
  | { readonly is: 'list'; readonly items: readonly Sym[] }
  | { readonly is: 'text'; readonly parts: readonly (string | Sym)[] }
  /** A condition whose answer is a value. */
  | { readonly is: 'test'; readonly expression: Expression; readonly variables: Link<Sym> | undefined };

export const known = (value: Value): Sym => ({ is: 'known', value });
export const empty: Sym = known(null);

/** @param name of the field with its owner, as the file calls it */
export const fieldAtom = (owner: Atom, field: string, name: string): Atom => ({
  is: 'atom',
  key: `${owner.key}.${writtenField(field)}`,
  name,
  origin: { is: 'field', owner, field },
});

/** Characters. Two values with longer keys count as different. */
const LONGEST_KEY = 10_000;
let longKeys = 0;

export function operation(name: string, operands: readonly Sym[], shown: string): Atom {
  const keys = operands.map(keyOf);
  const isLong = keys.reduce((length, { length: own }) => length + own, name.length) > LONGEST_KEY;
  const key = isLong ? `long#${++longKeys}` : `${name}(${keys.join(', ')})`;
  return { is: 'atom', key, name: shown, origin: { is: 'operation', name, operands } };
}

/** The list that the items of this one come from. */
export function sourceOf(list: Sym): Sym {
  const chosen = list.is === 'atom' && list.origin.is === 'operation' ? list.origin.itemsOf : undefined;
  return chosen === undefined ? list : sourceOf(chosen.list);
}

/** Equal for two values that are surely the same. */
export function keyOf(value: Sym): string {
  switch (value.is) {
    case 'known':
      return JSON.stringify(value.value);
    case 'atom':
      return value.key;
    case 'linear':
      return `${value.constant}${value.terms.map(({ atom, factor }) => `+${factor}*${atom.key}`).join('')}`;
    case 'record':
      return `{${[...value.fields].map(([name, field]) => `${name}:${keyOf(field)}`).join(',')}}`;
    case 'list':
      return `[${value.items.map(keyOf).join(',')}]`;
    case 'text':
      return `"${value.parts.map((part) => (typeof part === 'string' ? part : `{${keyOf(part)}}`)).join('')}"`;
    case 'test':
      return `test#${numberOfTest(value)}`;
  }
}

let tests = 0;
const testNumbers = new WeakMap<Sym, number>();

/** Two conditions with the same words can be about different variables. */
function numberOfTest(value: Sym): number {
  const found = testNumbers.get(value) ?? ++tests;
  testNumbers.set(value, found);
  return found;
}

/** Values that a `set` in each of many lines builds from one another may double with every line; heavier ones are not followed. */
const HEAVIEST = 500;
/** Characters that weigh as much as one part. */
const LIGHT_TEXT = 100;

const weights = new WeakMap<Sym, number>();

/** Whether a value has so many parts that following it would take too long. */
export const isHeavy = (value: Sym): boolean => weightOf(value) > HEAVIEST;

function weightOf(value: Sym): number {
  const before = weights.get(value);
  if (before !== undefined) return before;
  const weight = 1 + partsWeight(value);
  weights.set(value, weight);
  return weight;
}

const total = (parts: Iterable<Sym>): number => [...parts].reduce((sum, part) => sum + weightOf(part), 0);

function partsWeight(value: Sym): number {
  switch (value.is) {
    case 'known':
      return fixedWeight(value.value);
    case 'atom':
      return value.key.length / LIGHT_TEXT;
    case 'linear':
      return total(value.terms.map(({ atom }) => atom));
    case 'record':
      return total(value.fields.values());
    case 'list':
      return total(value.items);
    case 'text':
      return total(value.parts.map((part) => (typeof part === 'string' ? known(part) : part)));
    case 'test':
      return total([...referencesIn(value.expression)].flatMap(({ root }) => find(value.variables, root) ?? []));
  }
}

function fixedWeight(value: Value): number {
  if (typeof value === 'string') return value.length / LIGHT_TEXT;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, part) => sum + 1 + fixedWeight(part), 0);
}

/** Without the dust of binary fractions, as a run calculates. Most numbers are whole, and have none. */
export const exact = (value: number): number =>
  !Number.isFinite(value) || (value % 1 === 0 && Math.abs(value) < 1e15) ? value + 0 : Number(value.toPrecision(15));

interface Linear {
  readonly constant: number;
  readonly terms: readonly Term[];
}

/** As a sum; `undefined` for what can't be a number. */
export function linearOf(value: Sym): Linear | undefined {
  if (value.is === 'linear') return value;
  if (value.is === 'known') return typeof value.value === 'number' ? { constant: value.value, terms: [] } : undefined;
  return value.is === 'atom' ? { constant: 0, terms: [{ atom: value, factor: 1 }] } : undefined;
}

export function add(one: Linear, other: Linear, factor = 1): Linear {
  const terms = new Map<string, Term>(one.terms.map((term) => [term.atom.key, term]));
  for (const { atom, factor: own } of other.terms) {
    const sum = exact((terms.get(atom.key)?.factor ?? 0) + own * factor);
    if (sum === 0) terms.delete(atom.key);
    else terms.set(atom.key, { atom, factor: sum });
  }
  const sorted = [...terms.values()].sort((a, b) => (a.atom.key < b.atom.key ? -1 : 1));
  return { constant: exact(one.constant + other.constant * factor), terms: sorted };
}

export const scale = ({ constant, terms }: Linear, factor: number): Linear => ({
  constant: exact(constant * factor),
  terms: factor === 0 ? [] : terms.map((term) => ({ ...term, factor: exact(term.factor * factor) })),
});

/** The value of a sum: a fixed one if it has no terms. */
export const sumValue = ({ constant, terms }: Linear): Sym =>
  terms.length === 0 ? known(constant) : { is: 'linear', constant, terms };

/** Whether a value is the same in every run. */
export function isFixed(value: Sym): boolean {
  if (value.is === 'known') return true;
  if (value.is === 'list') return value.items.every(isFixed);
  if (value.is === 'record') return [...value.fields.values()].every(isFixed);
  return value.is === 'text' && value.parts.every((part) => typeof part === 'string' || isFixed(part));
}
