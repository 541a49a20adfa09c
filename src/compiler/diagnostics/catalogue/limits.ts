// Diagnostics for expressions longer than anyone writes. The later phases, and JavaScript itself, could not handle them.
import type { Diagnostic, Span } from '../diagnostic.js';
import { error } from './make.js';

export const tooManyPrefixes = (span: Span, limit: number): Diagnostic =>
  error('WF064', span, `More than ${limit} words such as "not" or "count of" come before a single value here.`, {
    hint: 'Name part of this expression with "set", then use that name here.',
  });

export const pathTooLong = (span: Span, limit: number): Diagnostic =>
  error('WF064', span, `This name contains more than ${limit} dots.`, {
    hint: 'Name the first part with "set", then continue from that name.',
  });

export const tooManyBranches = (span: Span, limit: number): Diagnostic =>
  error('WF064', span, `This "if" has more than ${limit.toLocaleString('en')} conditions.`, {
    hint: 'Start another "if" for the rest, after cases that end with "skip" or "complete with". Or put the cases into a list and loop over it.',
  });

export const tooManyValues = (span: Span, limit: number): Diagnostic =>
  error('WF064', span, `This text contains more than ${limit} values in braces.`, {
    hint: 'Build part of the text with "set" first, then use that name here.',
  });
