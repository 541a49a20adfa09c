// Run-time errors that only operations on text have.
import { WfError } from '../errors.js';
import { operandText, textHint } from '../operand-text.js';
import type { SourceLocation, Value } from '../types.js';

/** @param word the operation as written; `source` is the text of the operand at fault */
export function needsText(
  word: string,
  value: Value,
  source: string | undefined,
  role: string,
  location: SourceLocation | undefined,
): WfError {
  const fault = operandText(value, source, role);
  return new WfError('WF617', `I can't apply "${word}": ${fault}, but it must be text.${textHint(value, source)}`, location);
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
