// `sum of rows.amount`: the field at the end of a path, of each item of the list that the path comes to on its way.
import { field, listIndex } from '../fields.js';
import type { SourceLocation, Value } from '../types.js';

/**
 * Reads the keys one after the other from the root; from a list on, the rest of the path is read from each item, and the result is a list. A path that
 * comes to no list before its end gives what is there. The keys may be the whole path or only its end.
 * @throws WfError as `field`
 */
export function fieldOfEach(root: Value, keys: readonly string[], location?: SourceLocation): Value {
  let value = root;
  for (let step = 0; step < keys.length; step++) {
    const key = keys[step] ?? '';
    if (Array.isArray(value) && listIndex(key) === undefined) {
      const found: Value[] = [];
      collect(value, keys, step, found, location);
      return found;
    }
    value = field(value, key, location);
  }
  return value;
}

/** Appends what the rest of the path finds in each item, going into lists on the way. */
function collect(
  list: readonly Value[],
  keys: readonly string[],
  from: number,
  found: Value[],
  location: SourceLocation | undefined,
): void {
  for (let index = 0; index < list.length; index++) {
    let value = list[index];
    let step = from;
    while (step < keys.length && !Array.isArray(value)) {
      const key = keys[step++] ?? '';
      value = field(value, key, hasFields(value) ? location : placeOfItem(location, keys[from] ?? '', index));
    }
    if (Array.isArray(value) && step < keys.length) collect(value, keys, step, found, location);
    else found.push(value);
  }
}

const hasFields = (value: Value): boolean => value === null || value === undefined || typeof value === 'object';

/** The place of `rows.amount`, for the item of `rows` that is at fault: `rows.3.amount`. */
function placeOfItem(location: SourceLocation | undefined, key: string, index: number): SourceLocation | undefined {
  if (location === undefined) return undefined;
  const [line, column, length, path = '', ...rest] = location;
  return [line, column, length, `${path}.`.replace(`.${key}.`, `.${index}.${key}.`).slice(0, -1), ...rest];
}
