// Reads an operand that must be text, and has the run-time errors of operations on text.
import type { SourceLocation, Value } from '../types.js';
import { WfError } from '../values/errors.js';
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

export function nothingToReplace(location: SourceLocation | undefined): WfError {
  return new WfError(
    'WF639',
    `I can't apply "replaced by": the text to replace is empty, and that would be found everywhere.`,
    location,
  );
}

export function nothingToPadWith(location: SourceLocation | undefined): WfError {
  return new WfError('WF639', `I can't apply "padded to": the text to pad with is empty.`, location);
}

/** @param most maximum characters of a pattern */
export function patternTooLong(most: number, location: SourceLocation | undefined): WfError {
  return new WfError('WF639', `I can't apply "is like": a pattern can have up to ${most} characters.`, location);
}
