// The `is` comparison, which membership and `contains` use, too. Values that share parts are compared in proportion to what they hold in
// memory, not to what they would be as text.
import { atOnce, type Steps } from '../in-turns.js';
import type { Value, WfRecord } from '../values/value-types.js';
import { work, workOnText } from '../workload.js';
import { withoutNoise } from './number-format.js';
import { deepestValue } from './output.js';
import { tooDeep } from './value-errors.js';

/** Pairs of items that are compared before it matters that they may share parts. */
const fewPairs = 2_000;
/** Texts of this length take noticeable time. */
const longText = 1_000;
let pairsLeft = 0;

/**
 * Deep equality. Values of different types are never equal; numbers are compared without noise; `null` and a missing value are
 * both `empty`, so `{"a": empty}` equals `{}`. The order of fields doesn't matter.
 * @throws WfError if both values are nested more than 1,000 levels deep
 */
export function equal(left: Value, right: Value): boolean {
  if (!isCompound(left) || !isCompound(right)) return equalScalars(left, right);
  pairsLeft = fewPairs;
  return equalAt(left, right, 1) ?? atOnce(equalSteps(left, right));
}

/** As `equal`, in turns. */
export function* equalSteps(left: Value, right: Value): Steps<boolean> {
  if (!isCompound(left) || !isCompound(right)) return equalScalars(left, right);
  return yield* equalParts(left, right);
}

type Compound = Value[] | WfRecord;

const isCompound = (value: Value): value is Compound => typeof value === 'object' && value !== null;

function equalScalars(left: Value, right: Value): boolean {
  if (typeof left === 'string') {
    if (typeof right !== 'string' || left.length !== right.length) return false;
    if (left.length > longText) workOnText(left.length >> 3);
  }
  if (left === right) return true;
  if (typeof left === 'number') return typeof right === 'number' && withoutNoise(left) === withoutNoise(right);
  return (left === null || left === undefined) && (right === null || right === undefined);
}

/** Undefined if there are more pairs than a few. */
function equalAt(left: Value, right: Value, depth: number): boolean | undefined {
  if (left === right) return true;
  if (!isCompound(left) || !isCompound(right)) return equalScalars(left, right);
  if (depth > deepestValue) throw tooDeep(deepestValue);
  const pairs = pairsOf(left, right);
  if (pairs === undefined) return false;
  const { keys, length } = pairs;
  pairsLeft -= length;
  if (pairsLeft < 0) return undefined;
  for (let index = 0; index < length; index++) {
    const same = equalAt(itemAt(left, keys, index), itemAt(right, keys, index), depth + 1);
    if (same !== true) return same;
  }
  return true;
}

/** The parts of two values to compare: their items, or the fields with these names. */
interface Pairs {
  readonly keys: readonly string[] | undefined;
  readonly length: number;
}

/** Undefined for a list and a record, and for two that differ in size: they are never equal. */
function pairsOf(left: Compound, right: Compound): Pairs | undefined {
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return undefined;
    work(left.length);
    return { keys: undefined, length: left.length };
  }
  if (Array.isArray(right)) return undefined;
  const keys = Object.keys(left);
  work(2 * keys.length);
  for (const key of Object.keys(right))
    if (right[key] !== null && right[key] !== undefined && !Object.hasOwn(left, key)) return undefined;
  return { keys, length: keys.length };
}

function itemAt(value: Compound, keys: readonly string[] | undefined, index: number): Value {
  if (Array.isArray(value)) return value[index];
  const key = keys?.[index] ?? '';
  return Object.hasOwn(value, key) ? value[key] : null;
}

interface Open extends Pairs {
  readonly left: Compound;
  readonly right: Compound;
  at: number;
}

/** Pairs between two looks at the clock. */
const inOneTurn = 4_096;

/** Two parts that are compared once count as equal from then on: if they are not, nothing that follows matters. */
function* equalParts(left: Compound, right: Compound): Steps<boolean> {
  const classes = new Classes();
  const open: Open[] = [];
  const enter = (one: Compound, other: Compound): boolean => {
    if (one === other || !classes.join(one, other)) return true;
    if (open.length >= deepestValue) throw tooDeep(deepestValue);
    const pairs = pairsOf(one, other);
    if (pairs !== undefined) open.push({ ...pairs, left: one, right: other, at: 0 });
    return pairs !== undefined;
  };
  if (!enter(left, right)) return false;
  let count = 0;
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    if (last.at === last.length) {
      open.pop();
      continue;
    }
    const index = last.at++;
    const [one, other] = [itemAt(last.left, last.keys, index), itemAt(last.right, last.keys, index)];
    if (!(isCompound(one) && isCompound(other) ? enter(one, other) : equalScalars(one, other))) return false;
    if (++count % inOneTurn === 0) yield;
  }
  return true;
}

/** Which parts count as equal. */
class Classes {
  readonly #parents = new Map<Compound, Compound>();

  /** False if they were in one class already. */
  join(one: Compound, other: Compound): boolean {
    const [first, second] = [this.#of(one), this.#of(other)];
    if (first === second) return false;
    this.#parents.set(first, second);
    return true;
  }

  #of(part: Compound): Compound {
    let last = part;
    for (let next = this.#parents.get(last); next !== undefined; next = this.#parents.get(last)) last = next;
    // Later searches take one step.
    for (let at = part; at !== last; ) {
      const next = this.#parents.get(at) ?? last;
      this.#parents.set(at, last);
      at = next;
    }
    return last;
  }
}
