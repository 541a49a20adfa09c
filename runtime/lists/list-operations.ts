// `highest of`, `lowest of`, `average of`, for which empty items don't count; `first 3 of`, `last 3 of`, `reversed`, `position of … in …`,
// `fields of`; and the field at the end of a path of each item, as in `sum of rows.amount`, `sorted by` and `grouped by`.
import { atOnce, inChunks, type Steps } from '../in-turns.js';
import type { SourceLocation, Value, WfRecord } from '../types.js';
import { sumOf } from '../values/builtins.js';
import { numberOrder, positionSteps, textOrder } from '../values/comparison.js';
import { equal } from '../values/equal.js';
import { field, isOnPrototype, listIndex } from '../values/fields.js';
import { mostText } from '../values/json.js';
import { withoutNoise } from '../values/number-format.js';
import { tooMuchText } from '../values/output.js';
import { work, workload, workOnText } from '../workload.js';
import { countFor, listOf, needsRecord, noCommonOrder, notAverageable } from './list-operand.js';

/** The largest number, or the text that sorts last; `empty` if there is none. @throws WfError for items of different kinds */
export function highestOf(value: Value, location?: SourceLocation): Value {
  return atOnce(extreme('highest of', 1, value, location));
}

/** As `highestOf`, in turns. */
export const highestSteps = (value: Value, location?: SourceLocation): Steps<Value> => extreme('highest of', 1, value, location);

/** The smallest number, or the text that sorts first, as `highestOf`. */
export function lowestOf(value: Value, location?: SourceLocation): Value {
  return atOnce(extreme('lowest of', -1, value, location));
}

/** As `lowestOf`, in turns. */
export const lowestSteps = (value: Value, location?: SourceLocation): Steps<Value> => extreme('lowest of', -1, value, location);

function* extreme(word: string, sign: 1 | -1, value: Value, location: SourceLocation | undefined): Steps<Value> {
  const list = listOf(word, value, location);
  let best: string | number | undefined;
  let bestIndex = 0;
  for (let index = 0; index < list.length; index++) {
    const item = list[index];
    if (item === null || item === undefined) continue;
    if (best === undefined && (typeof item === 'number' || typeof item === 'string')) [best, bestIndex] = [item, index];
    else if (typeof item === 'number' && typeof best === 'number') {
      if (numberOrder(item, best) * sign > 0) [best, bestIndex] = [item, index];
    } else if (typeof item === 'string' && typeof best === 'string') {
      if (textOrder(item, best) * sign > 0) [best, bestIndex] = [item, index];
    } else {
      const before = best === undefined ? undefined : { index: bestIndex, value: best };
      const here = { index, value: item };
      throw noCommonOrder(word, '', before ?? here, before === undefined ? undefined : here, location);
    }
    if (index % 4_096 === 4_095 || workload.isDue) yield;
  }
  return best ?? null;
}

/** The sum divided by the number of items that are not empty; `empty` if there are none. @throws WfError for an item that is not a number */
export function averageOf(value: Value, location?: SourceLocation): Value {
  const list = listOf('average of', value, location);
  let count = 0;
  for (let index = 0; index < list.length; index++) {
    const item = list[index];
    if (item === null || item === undefined) continue;
    if (typeof item !== 'number') throw notAverageable(item, index, location);
    count++;
  }
  return count === 0 ? null : sumOf(list as Value[], location) / count; // only read
}

/** `first N of list`; the location has the texts of the list and of N. @throws WfError for anything but a list and a whole number */
export function firstItems(count: Value, value: Value, location?: SourceLocation): Value[] {
  const list = listOf('first … of', value, location);
  return list.slice(0, countFor('items', count, 0, location, 4));
}

/** `last N of list`, as `firstItems`. */
export function lastItems(count: Value, value: Value, location?: SourceLocation): Value[] {
  const list = listOf('last … of', value, location);
  return list.slice(Math.max(0, list.length - countFor('items', count, 0, location, 4)));
}

/** @throws WfError for anything but a list */
export function reversed(value: Value, location?: SourceLocation): Value[] {
  return [...listOf('reversed', value, location)].reverse();
}

/** `position of sought in list`: counts from 0; `empty` if not found. @throws WfError for anything but a list */
export function positionOf(sought: Value, value: Value, location?: SourceLocation): Value {
  const list = listOf('position of', value, location);
  for (let index = 0; index < list.length; index++) if (equal(list[index], sought)) return index;
  return null;
}

/** As `positionOf`, in turns. */
export function* positionOfSteps(sought: Value, value: Value, location?: SourceLocation): Steps<Value> {
  const position = yield* positionSteps(listOf('position of', value, location), sought);
  return position === -1 ? null : position;
}

/** `fields of record`: their names in order; none for `empty`. @throws WfError for anything but a record */
export function fieldsOf(value: Value, location?: SourceLocation): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object' || Array.isArray(value)) throw needsRecord('list its fields', value, location);
  const names = Object.keys(value);
  work(names.length);
  return names;
}

// `orders grouped by country` and `unique of …`. Finds equal values by key instead of comparing all pairs: values that are equal in the language
// have the same key.

/**
 * Records with `key` and `items`, in order of first appearance. Items without the field have the key `empty`.
 * @throws WfError for anything but a list, and for items without fields
 */
export function groupedBy(value: Value, keys: readonly string[], location?: SourceLocation): WfRecord[] {
  return atOnce(groupedSteps(value, keys, location));
}

/** As `groupedBy`, in turns. */
export function* groupedSteps(value: Value, keys: readonly string[], location?: SourceLocation): Steps<WfRecord[]> {
  const list = listOf('grouped by', value, location);
  const read = fieldReader(keys, location);
  const groups = new Map<unknown, Value[]>();
  const made: WfRecord[] = [];
  yield* inChunks(list.length, (start, end) => {
    let index = start;
    do {
      const item = list[index];
      const found = read(item, index);
      const key = valueKey(found);
      const items = groups.get(key);
      if (items !== undefined) items.push(item);
      else {
        const first: Value[] = [item];
        groups.set(key, first);
        made.push({ key: found ?? null, items: first });
      }
      index++;
    } while (index < end && !workload.isDue);
    return index;
  });
  return made;
}

/** The list without repeated values. Of equal values, the first is kept. @throws WfError for anything but a list */
export function uniqueOf(value: Value, location?: SourceLocation): Value[] {
  return atOnce(uniqueSteps(value, location));
}

/** As `uniqueOf`, in turns. */
export function* uniqueSteps(value: Value, location?: SourceLocation): Steps<Value[]> {
  const list = listOf('unique of', value, location);
  const seen = new Set<unknown>();
  const kept: Value[] = [];
  yield* inChunks(list.length, (start, end) => {
    let index = start;
    do {
      const item = list[index++];
      const key = valueKey(item);
      if (!seen.has(key)) {
        seen.add(key);
        kept.push(item);
      }
    } while (index < end && !workload.isDue);
    return index;
  });
  return kept;
}

/** Starts the key of a list or record. No text of a workflow contains it. */
const COMPOUND = '\ufdd2';

/**
 * The key of a value: numbers without noise, `empty` as null, lists and records by content. The order of fields and `empty` fields make no
 * difference.
 * @throws WfError for a list or record of more than 64 MB as text
 */
function valueKey(value: Value): string | number | boolean | null {
  if (typeof value === 'number') return withoutNoise(value);
  if (typeof value === 'object' && value !== null) return COMPOUND + contents(value, new Map());
  return value ?? null;
}

/** @param known the texts of parts, which others may share */
function contents(value: Value, known: Map<Value, string>): string {
  if (typeof value === 'number') return String(withoutNoise(value) + 0);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  let text = known.get(value);
  if (text !== undefined) return text;
  text = Array.isArray(value) ? `[${joined(value, (item) => contents(item, known))}]` : `{${contentsOfRecord(value, known)}}`;
  workOnText(4 * text.length);
  known.set(value, text);
  return text;
}

function contentsOfRecord(record: WfRecord, known: Map<Value, string>): string {
  const keys = Object.keys(record).filter((key) => record[key] !== null && record[key] !== undefined);
  return joined(keys.sort(), (key) => `${JSON.stringify(key)}:${contents(record[key], known)}`);
}

/** The texts with commas between them. @throws WfError for more than 64 MB */
function joined<T>(parts: readonly T[], textOf: (part: T) => string): string {
  let text = '';
  for (let index = 0; index < parts.length; index++) {
    // A position within the list.
    text += (index === 0 ? '' : ',') + textOf(parts[index] as T);
    if (text.length > mostText) throw tooMuchText();
  }
  return text;
}

/** Items between two looks at the clock. */
const inOneTurn = 8_192;

/**
 * Reads the keys in turn from the root. At a list, reads the rest of the path from each item, and returns a list. Without a list before its
 * end, the path returns its value. The keys may be the whole path or only its end.
 * @throws WfError as `field`
 */
export function fieldOfEach(root: Value, keys: readonly string[], location?: SourceLocation): Value {
  return atOnce(fieldOfEachSteps(root, keys, location));
}

/** As `fieldOfEach`, in turns. */
export function* fieldOfEachSteps(root: Value, keys: readonly string[], location?: SourceLocation): Steps<Value> {
  let value = root;
  for (let step = 0; step < keys.length; step++) {
    const key = keys[step] ?? '';
    if (Array.isArray(value) && listIndex(key) === undefined) {
      const found: Value[] = [];
      yield* collect(value, keys, step, found, location);
      return found;
    }
    value = field(value, key, location);
  }
  return value;
}

/** Appends the values that the rest of the path has in each item. Descends into lists. */
function* collect(
  list: readonly Value[],
  keys: readonly string[],
  from: number,
  found: Value[],
  location: SourceLocation | undefined,
): Steps<void> {
  work(list.length);
  const only = keys[from] ?? '';
  const isDirect = from === keys.length - 1 && !isOnPrototype(only);
  for (let index = 0; index < list.length; index++) {
    let value = list[index];
    // The usual case, without a function call for each item.
    if (isDirect && typeof value === 'object' && value !== null && !Array.isArray(value)) {
      found.push(value[only] ?? null);
      if (index % inOneTurn === inOneTurn - 1) yield;
      continue;
    }
    let step = from;
    while (step < keys.length && !Array.isArray(value)) {
      const key = keys[step++] ?? '';
      value = field(value, key, hasFields(value) ? location : placeOfItem(location, keys[from] ?? '', index));
    }
    if (Array.isArray(value) && step < keys.length) yield* collect(value, keys, step, found, location);
    else found.push(value);
    if (index % inOneTurn === inOneTurn - 1 || workload.isDue) yield;
  }
}

const hasFields = (value: Value): boolean => value === null || value === undefined || typeof value === 'object';

/** The path of the item at fault, for messages: `rows.amount` → `rows.3.amount`. */
function placeOfItem(location: SourceLocation | undefined, key: string, index: number): SourceLocation | undefined {
  if (location === undefined) return undefined;
  const [line, column, length, path = '', ...rest] = location;
  return [line, column, length, `${path}.`.replace(`.${key}.`, `.${index}.${key}.`).slice(0, -1), ...rest];
}

/** Reads the path from an item. `location` has the text of the list, which messages point to. */
export function fieldReader(
  keys: readonly string[],
  location: SourceLocation | undefined,
): (item: Value, index: number) => Value {
  const [key = ''] = keys;
  const isDirect = keys.length === 1 && !isOnPrototype(key);
  return (item, index) => {
    // Either the record's own or absent.
    if (isDirect && typeof item === 'object' && item !== null && !Array.isArray(item)) return item[key];
    return keys.reduce<Value>((value, step) => field(value, step, placeOf(location, index, keys)), item);
  };
}

/** The location with the text of one item's path. */
function placeOf(location: SourceLocation | undefined, index: number, keys: readonly string[]): SourceLocation | undefined {
  if (location === undefined) return undefined;
  const [line, column, length, list = ''] = location;
  return [line, column, length, `${list}.${index}.${keys.join('.')}`];
}
