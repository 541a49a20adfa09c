// Reads an operand that must be a list or a whole number, and has the run-time errors of operations on lists and records.
import type { SourceLocation, Value } from '../types.js';
import { WfError } from '../values/errors.js';
import { withoutNoise } from '../values/number-format.js';
import { named, operandText, typeName, what } from '../values/operand-text.js';
import { work } from '../workload.js';

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

/** @param word the operation as written: `sorted`, `unique of` */
function needsList(word: string, value: Value, location: SourceLocation | undefined): WfError {
  return new WfError(
    'WF629',
    `I can't apply "${word}": ${operandText(value, location?.[3], 'the value')}, but it needs a list.`,
    location,
  );
}

/** @param aim what failed: `list its fields` */
export function needsRecord(aim: string, value: Value, location: SourceLocation | undefined): WfError {
  return new WfError(
    'WF637',
    `I can't ${aim}: ${operandText(value, location?.[3], 'the value')}, but only a record has fields.`,
    location,
  );
}

/** A position in the list and the value compared there: the item itself, or one of its fields. */
export interface Compared {
  readonly index: number;
  readonly value: Value;
}

/**
 * Items that have no common order.
 * @param field its path, if the items are compared by a field
 * @param second absent if the first one can't be compared with anything
 */
export function noCommonOrder(
  word: string,
  field: string,
  first: Compared,
  second: Compared | undefined,
  location: SourceLocation | undefined,
): WfError {
  const describe = ({ index, value }: Compared): string =>
    field === '' ? `item ${index} ${what(value)}` : `"${field}" of item ${index} ${what(value)}`;
  const needs = second === undefined ? 'needs numbers or text' : 'needs values of one kind';
  const both = second === undefined ? describe(first) : `${describe(first)} and ${describe(second)}`;
  const way = typeName(first.value) === 'empty' || (second !== undefined && typeName(second.value) === 'empty') ? emptyHint : '';
  return new WfError(
    'WF628',
    `I can't compare the items of ${named(location?.[3], 'the list')}: ${both}, but "${word}" ${needs}. (Positions count from 0.)${way}`,
    location,
  );
}

const emptyHint = ' To leave out the empty ones, write: each … in … where … exists.';

/** An item that is not a number, for `average of`. */
export function notAverageable(item: Value, index: number, location: SourceLocation | undefined): WfError {
  const list = named(location?.[3], 'the list');
  return new WfError(
    'WF615',
    `I can't take the average of ${list}: item ${index} ${what(item)}, but "average of" needs numbers. (Positions count from 0.)`,
    location,
  );
}

/**
 * @param thing what is counted: `items`, `characters`
 * @param source text of the number
 */
function wrongCount(
  thing: string,
  value: Value,
  least: number,
  source: string | undefined,
  location: SourceLocation | undefined,
): WfError {
  const fault = operandText(value, source, `the number of ${thing}`);
  return new WfError('WF638', `I can't count the ${thing}: ${fault}, but it must be a whole number from ${least}.`, location);
}

/** @throws WfError for anything but a whole number from 0 */
export const roundsOf = (most: Value, location?: SourceLocation): number => countFor('rounds', most, 0, location, 3);
