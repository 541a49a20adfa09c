// Reads an operand that must be a list or a whole number.

import type { SourceLocation, Value } from '../types.js';
import { withoutNoise } from '../values/number-format.js';
import { work } from '../workload.js';
import { needsList, wrongCount } from './list-errors.js';

/** The list; an empty one for `empty`. @throws WfError for anything else */
export function listOf(word: string, value: Value, location: SourceLocation | undefined): readonly Value[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw needsList(word, value, location);
  work(value.length);
  return value;
}

/**
 * A number of items or characters.
 * @param at index of its source text in the location
 * @throws WfError for anything but a whole number from `least` on
 */
export function countFor(
  thing: string,
  value: Value,
  least: number,
  location: SourceLocation | undefined,
  at: 3 | 4 | 5,
): number {
  const number = typeof value === 'number' ? withoutNoise(value) : Number.NaN;
  if (!Number.isInteger(number) || number < least) throw wrongCount(thing, value, least, location?.[at], location);
  return number;
}
