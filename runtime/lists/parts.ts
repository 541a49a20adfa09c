// `first 3 of`, `last 3 of`, `reversed`, `position of … in …`, `fields of`.

import type { Steps } from '../in-turns.js';
import type { SourceLocation, Value } from '../types.js';
import { positionSteps } from '../values/comparison.js';
import { equal } from '../values/equal.js';
import { work } from '../workload.js';
import { countFor, listOf, needsRecord } from './list-operand.js';

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
