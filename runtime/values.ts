// What every value can be asked: its type, its text, whether it counts as true, is empty, exists, equals another. The larger
// answers have files of their own; this one is where the rest of the runtime imports them from.
import { tooLarge } from './complaints.js';
import { output } from './output.js';
import { numberText } from './tidy.js';
import type { Value } from './types.js';

export { equal } from './equal.js';
export { output } from './output.js';
export { plain } from './plain.js';
export { tidy } from './tidy.js';
export { type TypeName, typeName } from './type-name.js';

/**
 * A value as text (language.md 3): text as it is, numbers tidied and decimal, `empty` as nothing, lists and records as compact
 * JSON of their own fields.
 * @throws WfError for a list or record nested deeper than 1,000 levels or too large for one text.
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
    return JSON.stringify(data);
  } catch (error) {
    // The depth has been checked: what is left is a text longer than the engine's limit.
    if (error instanceof RangeError) throw tooLarge('the text of a list or record');
    throw error;
  }
}

/** Whether a value counts as true (language.md 3): `true`, a number other than 0, a text, list or record that is not empty. */
export function truthy(value: Value): boolean {
  // No number but 0 itself tidies to 0: 15 significant digits of anything else are not all zeros.
  if (typeof value === 'number') return value !== 0 && !Number.isNaN(value);
  return typeof value === 'boolean' ? value : !isEmpty(value);
}

/** `is empty`: `empty`, `""`, a list without items, a record without fields. 0 and `false` are not empty. */
export function isEmpty(value: Value): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (typeof value !== 'object') return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

/** `exists`: anything but `empty`. */
export function exists(value: Value): boolean {
  return value !== null && value !== undefined;
}
