// `sorted`, `sorted by price`, `descending`: a stable order of numbers, or of text by code point.
import { atOnce, inChunks, type Steps } from '../in-turns.js';
import type { SourceLocation, Value } from '../types.js';
import { textOrder } from '../values/comparison.js';
import { withoutNoise } from '../values/number-format.js';
import { work, workload, workOnText } from '../workload.js';
import { listOf, noCommonOrder } from './list-operand.js';
import { fieldReader } from './list-operations.js';

/**
 * Returns a new list in ascending order, or descending. Items that compare equal keep their order. With `keys`, orders records by the field
 * at the end of that path. `empty` counts as an empty list. The location's operand is the list.
 * @throws WfError for anything but a list, and for items that are not all numbers or all text
 */
export function sorted(value: Value, keys: readonly string[], isDescending: boolean, location?: SourceLocation): Value[] {
  return atOnce(sortedSteps(value, keys, isDescending, location));
}

/** As `sorted`, in turns. */
export function* sortedSteps(
  value: Value,
  keys: readonly string[],
  isDescending: boolean,
  location?: SourceLocation,
): Steps<Value[]> {
  const word = keys.length === 0 ? 'sorted' : 'sorted by';
  const list = listOf(word, value, location);
  // Each item is compared several times.
  work(10 * list.length);
  const compared = keys.length === 0 ? list : yield* mapped(list, fieldReader(keys, location));
  const [first] = compared;
  if (list.length === 0) return [];
  const field = keys.join('.');
  const fault = (index: number): never => {
    const item = { index, value: compared[index] };
    const isComparable = typeof first === 'number' || typeof first === 'string';
    throw isComparable
      ? noCommonOrder(word, field, { index: 0, value: first }, item, location)
      : noCommonOrder(word, field, { index: 0, value: first }, otherKind(compared, first), location);
  };
  const order = yield* typeof first === 'number'
    ? byNumber(compared, isDescending, fault)
    : byText(compared, isDescending, fault);
  return yield* mapped(order, (index) => list[index]);
}

/** Items between two looks at the clock. */
const inOneTurn = 8_192;

function* mapped<T>(list: ArrayLike<T>, make: (item: T, index: number) => Value): Steps<Value[]> {
  const made: Value[] = new Array(list.length);
  for (let start = 0; start < list.length; start += inOneTurn) {
    if (start > 0) yield;
    const end = Math.min(start + inOneTurn, list.length);
    for (let index = start; index < end; index++) made[index] = make(list[index] as T, index); // a position within the list
  }
  return made;
}

/** The first item whose kind differs from the first one's, which has no order itself. */
function otherKind(values: readonly Value[], first: Value): { index: number; value: Value } | undefined {
  const index = values.findIndex((value) => typeof value !== typeof first && value !== null && value !== undefined);
  return index === -1 ? undefined : { index, value: values[index] };
}

/** Positions, ordered by their numbers. */
function* byNumber(values: readonly Value[], isDescending: boolean, fault: (index: number) => never): Steps<Uint32Array> {
  const numbers = new Float64Array(values.length);
  for (let start = 0; start < values.length; start += inOneTurn) {
    if (start > 0) yield;
    readNumbers(values, start, numbers, isDescending, fault);
  }
  return yield* merged(numbers.length, (merge) => mergeNumbers(numbers, merge), inOneTurn);
}

function readNumbers(
  values: readonly Value[],
  start: number,
  numbers: Float64Array,
  isDescending: boolean,
  fault: (index: number) => never,
): void {
  const end = Math.min(start + inOneTurn, values.length);
  for (let index = start; index < end; index++) {
    const value = values[index];
    const number = typeof value === 'number' ? value : fault(index);
    // Drop the sign of -0.
    numbers[index] = (isDescending ? -withoutNoise(number) : withoutNoise(number)) + 0;
  }
}

/** Two neighbouring runs of positions that become one: `left` to `middle`, and `right` to `end`. */
interface Merge {
  from: Uint32Array;
  to: Uint32Array;
  left: number;
  middle: number;
  right: number;
  end: number;
  /** The next place, and the one before which to stop. */
  at: number;
  stop: number;
}

/**
 * A bottom-up merge sort.
 * @param mergeOn merges until `stop`. Without a callback for each comparison of numbers, it takes a third of the time.
 * @param most comparisons between two looks at the clock
 */
function* merged(size: number, mergeOn: (merge: Merge) => void, most: number): Steps<Uint32Array> {
  // Not `from`, which takes 30 times as long.
  const from = new Uint32Array(size);
  for (let index = 0; index < size; index++) from[index] = index;
  const merge: Merge = { from, to: new Uint32Array(size), left: 0, middle: 0, right: 0, end: 0, at: 0, stop: 0 };
  let left = most;
  for (let width = 1; width < size; width *= 2) {
    for (let start = 0; start < size; start += 2 * width) {
      merge.left = start;
      merge.middle = Math.min(start + width, size);
      merge.right = merge.middle;
      merge.end = Math.min(start + 2 * width, size);
      for (merge.at = start; merge.at < merge.end; ) {
        merge.stop = Math.min(merge.end, merge.at + left);
        left -= merge.stop - merge.at;
        mergeOn(merge);
        if (left > 0) continue;
        yield;
        left = most;
      }
    }
    [merge.from, merge.to] = [merge.to, merge.from];
  }
  return merge.from;
}

function mergeNumbers(numbers: Float64Array, merge: Merge): void {
  const { from, to, middle, end, stop } = merge;
  let { left, right, at } = merge;
  for (; at < stop; at++) {
    const one = from[left] ?? 0;
    const other = from[right] ?? 0;
    if (left < middle && (right >= end || (numbers[one] ?? 0) <= (numbers[other] ?? 0))) {
      to[at] = one;
      left++;
    } else {
      to[at] = other;
      right++;
    }
  }
  merge.left = left;
  merge.right = right;
  merge.at = at;
}

/** Positions, ordered by their texts. */
function* byText(values: readonly Value[], isDescending: boolean, fault: (index: number) => never): Steps<Uint32Array> {
  const texts: string[] = new Array(values.length);
  let [isPlain, isLatin, longest] = [true, true, 0];
  yield* inChunks(values.length, (start, end) => {
    let index = start;
    do {
      const value = values[index];
      if (typeof value !== 'string') return fault(index);
      texts[index++] = value;
      isPlain &&= !BEYOND.test(value);
      isLatin &&= !BEYOND_LATIN.test(value);
      longest = Math.max(longest, value.length);
      workOnText(value.length);
    } while (index < end && !workload.isDue);
    return index;
  });
  const sign = isDescending ? -1 : 1;
  // Below the surrogates, JavaScript compares by code point.
  const order = isPlain ? (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0) : textOrder;
  const compare = (one: number, other: number): number => sign * order(texts[one] ?? '', texts[other] ?? '');
  const keys = new Float64Array(texts.length);
  if (isPlain) yield* readKeys(texts, isLatin ? 8 : 16, sign, keys);
  // Texts may differ only at their end.
  const most = Math.max(1, Math.floor(inOneTurn / (1 + longest / 64)));
  return yield* merged(texts.length, (merge) => mergeTexts(keys, compare, merge), most);
}

/** Fills `keys` with what follows the common beginning, as a number of 48 bits: most texts differ there. */
function* readKeys(texts: readonly string[], bits: 8 | 16, sign: number, keys: Float64Array): Steps<void> {
  const [first = ''] = texts;
  let shared = first.length;
  yield* inChunks(texts.length, (start, end) => {
    for (let index = start; index < end; index++) {
      const text = texts[index] ?? '';
      let same = 0;
      while (same < shared && text.charCodeAt(same) === first.charCodeAt(same)) same++;
      shared = same;
    }
    return end;
  });
  yield* inChunks(texts.length, (start, end) => {
    for (let index = start; index < end; index++) keys[index] = sign * keyOf(texts[index] ?? '', shared, bits);
    return end;
  });
}

/** A character counts one more than its code, so that the end of the text comes before all. */
function keyOf(text: string, start: number, bits: 8 | 16): number {
  const base = 2 ** bits;
  let key = 0;
  for (let index = start; index < start + 48 / bits; index++)
    key = key * base + (index < text.length ? text.charCodeAt(index) + 1 : 0);
  return key;
}

function mergeTexts(keys: Float64Array, compare: (one: number, other: number) => number, merge: Merge): void {
  const { from, to, middle, end, stop } = merge;
  let { left, right, at } = merge;
  for (; at < stop; at++) {
    const one = from[left] ?? 0;
    const other = from[right] ?? 0;
    const apart = (keys[one] ?? 0) - (keys[other] ?? 0);
    if (left < middle && (right >= end || apart < 0 || (apart === 0 && compare(one, other) <= 0))) {
      to[at] = one;
      left++;
    } else {
      to[at] = other;
      right++;
    }
  }
  merge.left = left;
  merge.right = right;
  merge.at = at;
}

const BEYOND = /[\ud800-\uffff]/;
/** A code of 255 plus one needs nine bits. */
const BEYOND_LATIN = /[\u00ff-\uffff]/;
