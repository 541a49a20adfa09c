// The field at the end of a path, read from each item of a list.

import type { SourceLocation, Value } from '../types.js';
import { field } from '../values/fields.js';
import { isOnPrototype } from '../values/prototype-guard.js';

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
