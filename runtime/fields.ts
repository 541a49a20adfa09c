// Reading and setting fields, and lists for loops and `add`: own data only, never a prototype. Its own file, because the safety
// of `a.b.c` rests on it.
import { cannotSetField, noFields, notAListToAddTo, notAListToLoop } from './complaints.js';
import { setOwn } from './record.js';
import type { Place, Value, WfRecord } from './types.js';

export { assertPlain, PROTOTYPE_KEYS } from './prototypes.js';
export { record } from './record.js';

/**
 * One step of `a.b` (language.md 3): the own field of a record, an item of a list, `count` of a list or text; `empty` for what
 * is not there. The place's operand is the whole path as written, the same for each of its steps.
 * @throws WfError for a number, a boolean, and any field of a text but `count`.
 */
export function field(value: Value, key: string, place?: Place): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object') {
    if (!Array.isArray(value)) return Object.hasOwn(value, key) ? value[key] : null;
    if (key === 'count') return value.length;
    const index = listIndex(key);
    return index === undefined ? null : value[index];
  }
  if (typeof value === 'string' && key === 'count') return characterCount(value);
  throw noFields(value, key, ownerText(place?.[3], key), place);
}

/** `0`, `1`, `2` …; not `01`, which is nobody's index. */
export function listIndex(key: string): number | undefined {
  return /^(0|[1-9]\d{0,9})$/.test(key) ? Number(key) : undefined;
}

/** Characters of a text as code points: a pair of surrogates is one. */
export function characterCount(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index++) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) {
      count--;
      index++;
    }
  }
  return count;
}

/** `request.a.b` and `b` → `request.a`: what stands before the key in a path. */
function ownerText(path: string | undefined, key: string): string | undefined {
  if (path === undefined) return undefined;
  const end = `${path}.`.indexOf(`.${key}.`);
  return end > 0 ? path.slice(0, end) : path;
}

/**
 * A new root in which the field at the end of the path has the value; what stands on the way is copied, everything else shared,
 * the old root unchanged. Records that are missing on the way are made. The place's operand is the whole path as written.
 * @throws WfError where the way leads through a value that is neither record nor `empty`.
 */
export function setField(root: Value, keys: readonly string[], value: Value, place?: Place): Value {
  return withField(root, keys, 0, value, place);
}

function withField(owner: Value, keys: readonly string[], step: number, value: Value, place: Place | undefined): Value {
  const key = keys[step];
  if (key === undefined) return value;
  if (owner !== null && owner !== undefined && (typeof owner !== 'object' || Array.isArray(owner))) {
    throw cannotSetField(owner, key, ownerText(place?.[3], key), place);
  }
  const copy: WfRecord = { ...owner };
  const old = Object.hasOwn(copy, key) ? copy[key] : null;
  setOwn(copy, key, withField(old, keys, step + 1, value, place));
  return copy;
}

/** A list that `add` may push to: a fresh copy, empty for `empty`. @throws WfError for anything but a list. */
export function ownList(value: Value, place?: Place): Value[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw notAListToAddTo(value, place);
  return value.slice();
}

/** What `for each` goes through: the list itself, nothing for `empty`. @throws WfError for anything else. */
export function items(value: Value, place?: Place): readonly Value[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw notAListToLoop(value, place);
  return value;
}
