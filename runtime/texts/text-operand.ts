// Reads an operand that must be text.
import type { SourceLocation, Value } from '../types.js';
import { notAText } from '../values/value-errors.js';
import { show } from '../values/values.js';
import { workOnText } from '../workload.js';

/** The text that an operation works on; `undefined` for `empty`. @throws WfError for anything else */
export function subjectText(word: string, value: Value, location: SourceLocation | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'string') throw notAText(word, value, location?.[3], 'the value', location);
  workOnText(value.length);
  return value;
}

/**
 * A further text operand. A number or boolean counts as shown.
 * @param at index of its source text in the location
 * @throws WfError for `empty`, a list and a record
 */
export function givenText(word: string, value: Value, location: SourceLocation | undefined, at: 4 | 5, role: string): string {
  if (value === null || value === undefined || typeof value === 'object')
    throw notAText(word, value, location?.[at], role, location);
  return show(value);
}
