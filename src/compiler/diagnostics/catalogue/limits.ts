// What is longer than anything that a person writes, and more than the later phases or JavaScript itself could read.
import type { Diagnostic, Span } from '../diagnostic.js';
import { error } from './make.js';

export const tooManyPrefixes = (span: Span, limit: number): Diagnostic =>
  error('WF064', span, `More than ${limit} words such as "not" or "count of" stand in front of one value.`, {
    hint: 'Use "set" to give a part of this expression a name first.',
  });

export const pathTooLong = (span: Span, limit: number): Diagnostic =>
  error('WF064', span, `This name has more than ${limit} dots in it.`, {
    hint: 'Use "set" to give the first part of it a name, and go on from there.',
  });

export const tooManyValues = (span: Span, limit: number): Diagnostic =>
  error('WF064', span, `This text has more than ${limit} values in braces.`, {
    hint: 'Use "set" to put a part of it together first, and use that name.',
  });
