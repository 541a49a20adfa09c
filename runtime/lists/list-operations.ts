// `highest of`, `lowest of`, `average of`, for which empty items don't count; `first 3 of`, `last 3 of`, `reversed`, `position of … in …`,
// `fields of`.
import { atOnce, type Steps } from '../in-turns.js';
import type { SourceLocation, Value } from '../types.js';
import { sumOf } from '../values/builtins.js';
import { numberOrder, positionSteps, textOrder } from '../values/comparison.js';
import { equal } from '../values/equal.js';
import { work, workload } from '../workload.js';
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
