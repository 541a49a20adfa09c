// Run-time errors that only operations on text have.

import type { SourceLocation } from '../types.js';
import { WfError } from '../values/errors.js';

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
