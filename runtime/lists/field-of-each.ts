// `sum of rows.amount`, `sorted by`, `grouped by`: reads the field at the end of a path from each item of a list.
import { atOnce, type Steps } from '../in-turns.js';
import type { SourceLocation, Value } from '../types.js';
import { field, listIndex } from '../values/fields.js';
import { isOnPrototype } from '../values/prototype-guard.js';
import { work, workload } from '../workload.js';

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
