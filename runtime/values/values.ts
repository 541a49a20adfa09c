// Basic questions about values: type, text, truth, emptiness, existence, equality. The rest of the runtime imports them from
// here.

import type { SourceLocation, Value } from '../types.js';
import { work } from '../workload.js';
import { numberText } from './number-format.js';
import { output } from './output.js';
import { textThatSaysNo, tooLarge } from './value-errors.js';

export { equal } from './equal.js';
export { plain } from './from-host-value.js';
export { withoutNoise } from './number-format.js';
export { output, outputs, textToPutOut } from './output.js';
export { type TypeName, typeName } from './type-name.js';

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

function compactJson(value: Value): string {
  const data = output(value);
  try {
    const json = JSON.stringify(data);
    work(json.length);
    return json;
  } catch (error) {
    // The depth has been checked, so the text must exceed the engine's limit.
    if (error instanceof RangeError) throw tooLarge('a list or record this large as text');
    throw error;
  }
}

/** Texts that say no, as spreadsheets and forms write it. Counting them as true would turn their meaning around. */
const negative: ReadonlySet<string> = new Set(['no', 'false', 'n', 'off', '0']);

/**
 * Whether a value counts as true: `true`, a number other than 0, non-empty text, a non-empty list or record.
 * @throws WfError for a text that says no
 */
export function truthy(value: Value, location?: SourceLocation): boolean {
  if (typeof value === 'string' && value.length <= 5 && negative.has(value.toLowerCase())) throw textThatSaysNo(value, location);
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
