// Basic questions about values: type, text, truth, emptiness, existence, equality. The rest of the runtime imports them from
// here.
import { atOnce, type Steps } from '../in-turns.js';
import type { SourceLocation, Value, WfRecord } from '../values/value-types.js';
import { longWork, postponed, work } from '../workload.js';
import { locatedAt, WfError } from './errors.js';
import { numberText } from './number-format.js';
import { deepestValue, longOutput, shortOutputs } from './output.js';
import { setOwn } from './record.js';
import { textThatSaysNo, tooDeep, unreadable } from './value-errors.js';

export { equal } from './equal.js';
export { withoutNoise } from './number-format.js';
export { type TypeName, typeName } from './operand-text.js';
export { output, outputs, textToPutOut } from './output.js';

/**
 * A value as text: text as it is, numbers in decimal without noise, `empty` as nothing, lists and records as compact JSON of
 * their own fields.
 * @throws WfError for a list or record that is nested more than 1,000 levels deep or too large
 */
export function show(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  if (value === null || value === undefined) return '';
  return typeof value === 'boolean' ? String(value) : compactJson(value);
}

function compactJson(value: Value[] | WfRecord): string {
  const json = shortJson(value);
  if (json !== postponed) return json;
  longWork();
  return atOnce(longOutput(value, 1)).json;
}

/** `postponed` if writing it takes longer than a few milliseconds. */
function shortJson(value: Value[] | WfRecord): string | typeof postponed {
  const put = shortOutputs([value]);
  if (put === postponed) return postponed;
  const json = JSON.stringify(put[0]);
  work(json.length);
  return json;
}

/** As `show`; `postponed` if that takes longer than a few milliseconds, or fails. */
export function shown(value: Value): string | typeof postponed {
  if (typeof value !== 'object' || value === null) return show(value);
  try {
    return shortJson(value);
  } catch {
    return postponed;
  }
}

/** As `show`, in turns. @throws WfError with the line */
export function* showSteps(value: Value, line: number): Steps<string> {
  if (typeof value !== 'object' || value === null) return show(value);
  try {
    return (yield* longOutput(value, 1)).json;
  } catch (error) {
    throw locatedAt(error, [line]);
  }
}

/** Texts that say no, as spreadsheets and forms write it. Counting them as true would turn their meaning around. */
const negative: ReadonlySet<string> = new Set(['no', 'false', 'n', 'off', '0']);

/**
 * Whether a value counts as true: `true`, a number other than 0, non-empty text, a non-empty list or record.
 * @throws WfError for a text that says no
 */
export function truthy(value: Value, location?: SourceLocation): boolean {
  if (typeof value === 'string' && value.length < 9 && negative.has(value.trim().toLowerCase()))
    throw textThatSaysNo(value, location);
  // No number except 0 becomes 0 without noise: 15 significant digits of anything else are not all zeros.
  if (typeof value === 'number') return value !== 0 && !Number.isNaN(value);
  return typeof value === 'boolean' ? value : !isEmpty(value);
}

/** `is empty`: `empty`, `""`, a list without items, a record without fields. 0 and `false` are not empty. */
export function isEmpty(value: Value): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length === 0;
  const fields = Object.keys(value).length;
  work(fields);
  return fields === 0;
}

/** `exists`: anything except `empty`. */
export function exists(value: Value): boolean {
  return value !== null && value !== undefined;
}

/**
 * A plain copy of foreign data. Functions, symbols, `undefined`, NaN and infinities become `empty`. A Date, or anything else
 * with `toJSON`, becomes what that returns; a Map becomes a record of its entries; a Set a list; other objects their own
 * enumerable fields; a bigint a number if that has the same digits, otherwise text.
 * @throws WfError for a cycle, more than 1,000 levels, or a getter or `toJSON` that throws
 */
export function plain(foreign: unknown): Value {
  try {
    return plainOf(foreign, new Set());
  } catch (error) {
    if (error instanceof WfError) throw error;
    throw unreadable(error instanceof Error ? error.message : 'reading one of its fields failed');
  }
}

/** `around`: the objects that contain this one. A value may occur twice, but not inside itself. */
function plainOf(foreign: unknown, around: Set<object>): Value {
  switch (typeof foreign) {
    case 'string':
    case 'boolean':
      return foreign;
    case 'number':
      return Number.isFinite(foreign) ? foreign : null;
    case 'bigint':
      return String(Number(foreign)) === String(foreign) ? Number(foreign) : String(foreign);
    case 'object':
      return foreign === null ? null : plainObject(foreign, around);
    default:
      return null;
  }
}

function plainObject(foreign: object, around: Set<object>): Value {
  if (around.has(foreign)) throw unreadable('a value contains itself');
  if (around.size >= deepestValue) throw tooDeep(deepestValue);
  around.add(foreign);
  const value = contents(foreign, around);
  around.delete(foreign);
  return value;
}

function contents(foreign: object, around: Set<object>): Value {
  if ('toJSON' in foreign && typeof foreign.toJSON === 'function') return plainOf(foreign.toJSON(), around);
  if (Array.isArray(foreign)) return Array.from(foreign, (item: unknown) => plainOf(item, around));
  if (foreign instanceof Set) return Array.from(foreign, (item: unknown) => plainOf(item, around));
  const record: WfRecord = {};
  const entries = foreign instanceof Map ? foreign : Object.entries(foreign);
  for (const [key, item] of entries) {
    // Keys that are objects or symbols have no name in the language.
    if (typeof key === 'string' || typeof key === 'number') setOwn(record, String(key), plainOf(item, around));
  }
  return record;
}
