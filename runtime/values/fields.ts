// Reads and sets fields, and prepares lists for loops and `add`. Touches own data only, never a prototype: the safety of `a.b.c` depends on
// this, and on the guard that makes sure that prototypes have no other names than those known here.
import { hasMemoryFor } from '../run/run-memory.js';
import type { SourceLocation, Value, WfRecord } from '../types.js';
import { work, workOnText } from '../workload.js';
import { WfError } from './errors.js';
import { withoutNoise } from './number-format.js';
import { operandText } from './operand-text.js';
import { setOwn } from './record.js';
import { cannotSetField, noFields, noMemory, notAListToAddTo, notAListToLoop, notARecordToLoop } from './value-errors.js';

/**
 * One step of `a.b`: an own field of a record, an item of a list, or `count` of a list or text; `empty` if there is none. The
 * operand text in the location is the whole path as written, the same for each step.
 * @throws WfError for a number, a boolean, and any field of text except `count`
 */
export function field(value: Value, key: string, location?: SourceLocation): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object') {
    if (!Array.isArray(value)) return Object.hasOwn(value, key) ? value[key] : null;
    if (key === 'count') return value.length;
    const index = listIndex(key);
    return index === undefined ? null : value[index];
  }
  if (typeof value === 'string' && key === 'count') return characterCount(value);
  throw noFields(value, key, ownerText(location?.[3], key), location);
}

/** Accepts `0`, `1`, `2` …, but not `01`. */
export function listIndex(key: string): number | undefined {
  return /^(0|[1-9]\d{0,9})$/.test(key) ? Number(key) : undefined;
}

/** Characters of text as code points: a surrogate pair counts as one. */
export function characterCount(text: string): number {
  workOnText(text.length);
  let count = text.length;
  if (count > 10_000 && !/[\ud800-\udbff]/.test(text)) return count;
  for (let index = 0; index < text.length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) !== 0xd800 || (text.charCodeAt(index + 1) & 0xfc00) !== 0xdc00) continue;
    count--;
    index++;
  }
  return count;
}

/** `request.a.b` and `b` → `request.a`: what comes before the key in a path. */
function ownerText(path: string | undefined, key: string): string | undefined {
  if (path === undefined) return undefined;
  const end = `${path}.`.indexOf(`.${key}.`);
  return end > 0 ? path.slice(0, end) : path;
}

/**
 * Returns a new root in which the field at the end of the path has the value. Copies what is on the path, shares everything
 * else, and leaves the old root unchanged. Creates missing records along the way. The operand text in the location is the whole
 * path as written.
 * @throws WfError if the path leads through a value that is neither a record nor `empty`
 */
export function setField(root: Value, keys: readonly string[], value: Value, location?: SourceLocation): Value {
  return withField(root, keys, 0, value, location);
}

function withField(
  owner: Value,
  keys: readonly string[],
  step: number,
  value: Value,
  location: SourceLocation | undefined,
): Value {
  const key = keys[step];
  if (key === undefined) return value;
  if (owner !== null && owner !== undefined && (typeof owner !== 'object' || Array.isArray(owner))) {
    throw cannotSetField(owner, key, ownerText(location?.[3], key), location);
  }
  const copy = copyOf(owner);
  const old = Object.hasOwn(copy, key) ? copy[key] : null;
  setOwn(copy, key, withField(old, keys, step + 1, value, location));
  return copy;
}

/** Copies before fields are counted again; below 0, those that are all counted. */
let uncounted = 0;

/**
 * Counting fields takes as long as copying a small record, so small ones are counted only now and then: at random, or it might never be the
 * long one of several in a loop. A long one is copied twice as fast by name, and rarely comes alone.
 */
function copyOf(owner: WfRecord | null | undefined): WfRecord {
  if (uncounted > 1) {
    uncounted--;
    return { ...owner };
  }
  const keys = Object.keys(owner ?? {});
  work(8 * keys.length);
  if (keys.length < 1_000) {
    uncounted = uncounted < 0 ? uncounted + 1 : 8 * Math.random();
    return { ...owner };
  }
  uncounted = -1_000;
  const copy: WfRecord = {};
  for (const key of keys) setOwn(copy, key, owner?.[key]);
  return copy;
}

/** A list that `add` may push to: a fresh copy, or a new list for `empty`. @throws WfError for anything else, or without memory for it */
export function ownList(value: Value, location?: SourceLocation): Value[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw notAListToAddTo(value, location);
  work(value.length);
  if (!hasMemoryFor(8 * value.length)) throw noMemory('list', location);
  return value.slice();
}

/** The record whose fields `for each name and value` goes through; one without fields for `empty`. @throws WfError for anything else. */
export function recordToLoop(value: Value, location?: SourceLocation): WfRecord {
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw notARecordToLoop(value, location);
  return value;
}

/** The list that `for each` goes through: the list itself, nothing for `empty`. @throws WfError for anything else. */
export function items(value: Value, location?: SourceLocation): readonly Value[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw notAListToLoop(value, location);
  work(value.length);
  return value;
}

/**
 * Reads the field of a record with this name, or the item of a list at this position. An `empty` name gives `empty`.
 * @param location of the whole path; `named` is that of the name
 * @throws WfError for a name that is not text or a number, and as `field`
 */
export function fieldNamed(owner: Value, name: Value, location?: SourceLocation, named?: SourceLocation): Value {
  if (name === null || name === undefined) return null;
  return field(owner, fieldName(name, named), location);
}

/** The name of a field as text. @throws WfError for anything but text and a number */
export function fieldName(name: Value, location?: SourceLocation): string {
  if (typeof name === 'string') return name;
  if (typeof name === 'number') return String(withoutNoise(name));
  const fault = operandText(name, location?.[3], 'the value in braces');
  throw new WfError(
    'WF641',
    `I can't find that field: ${fault}, but a field is named by text, or by a position in a list.`,
    location,
  );
}

/** Names that newer versions of JavaScript add, so that a module built today also runs safely on those. */
const newerNames = [
  'at',
  'findLast',
  'findLastIndex',
  'flat',
  'flatMap',
  'group',
  'groupBy',
  'groupByToMap',
  'groupToMap',
  'lastIndex',
  'lastItem',
  'toReversed',
  'toSorted',
  'toSpliced',
  'uniqueBy',
  'with',
];

/**
 * Names that `value.name` could find on a prototype of a list or record. Emitted code reads these only through `field`. It may
 * read any other name directly, after `assertPlain`.
 */
export const PROTOTYPE_KEYS: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...Object.getOwnPropertyNames(Array.prototype),
  ...newerNames,
]);

/** Whether lists or records inherit this name, now: other code in the process may have added it. */
export const isOnPrototype = (key: string): boolean => key in Array.prototype;

/**
 * Runs at the start of each run, with the names that the module reads directly.
 * @throws Error if one of them is on a prototype, because other code in the process changed it, or this version of JavaScript
 * added a method with that name
 */
export function assertPlain(keys: readonly string[]): void {
  for (const key of keys) {
    // Lists inherit from Object.prototype, like records. Of text, numbers and booleans, emitted code only reads numbers.
    if (isOnPrototype(key) || isNumber(texts[key]) || isNumber(numbers[key]) || isNumber(booleans[key]))
      throw new Error(`A prototype of JavaScript has a property "${key}": this workflow cannot read its data safely.`);
  }
}

const isNumber = (value: unknown): boolean => typeof value === 'number';

type ByName = Readonly<Record<string, unknown>>;
// Read by any name.
const texts = String.prototype as unknown as ByName;
const numbers = Number.prototype as unknown as ByName;
const booleans = Boolean.prototype as unknown as ByName;
