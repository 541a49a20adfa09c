// Warnings about the ways through a workflow: what is proved for every run, or for the one of an example.
import type { Diagnostic, Span } from '../diagnostic.js';
import { warning } from './make.js';

/** @param reason completes "Line 12 is never reached: …" */
export const lineNeverReached = (span: Span, line: number, reason: string): Diagnostic =>
  warning('WF150', span, `Line ${line} is never reached: ${reason}.`, {
    hint: 'Change the condition, or the order of the lines. The first one that fits counts.',
  });

/** @param tests `above 10`, in the order of the file */
export const boundaryWithoutLine = (span: Span, name: string, point: number, tests: readonly string[]): Diagnostic => {
  const [open = ''] = tests.filter((test) => /^(?:above|below) /.test(test) && Number(test.split(' ')[1]) === point);
  const meant = open.startsWith('above') ? 'at least' : 'at most';
  return warning(
    'WF151',
    span,
    `${/^[aeiou]/i.test(name) ? 'An' : 'A'} ${name} of exactly ${point} fits no line of this "if" (${tests.join(', ')}).`,
    { hint: `Did you mean "${meant}"? If it should fit none, say so:\n    otherwise:` },
  );
};

/** @param example `a weight of 101` */
export const wayWithoutResult = (span: Span, example: string): Diagnostic =>
  warning('WF152', span, `${example.charAt(0).toUpperCase()}${example.slice(1)} ends without a result, where others have one.`, {
    hint: 'End this way as well, with "complete" or "reject", or add:\n    otherwise:',
  });

export const silenceFails = (span: Span, service: string, name: string, line: number): Diagnostic =>
  warning('WF153', span, `Without an answer from ${service}, ${name} is empty, and line ${line} ends the run as error.`, {
    hint: `Ask first whether there is one:\n    if ${name} exists and …`,
  });
