// Diagnostics about workflows that call other workflows.
import type { Diagnostic, Span } from '../diagnostic.js';
import { error } from './make.js';

const form = 'Discounts is a workflow at "./discounts.wf"';

/** @param why a clause: `the file does not exist` */
export const unreadableWorkflow = (span: Span, target: string, why: string): Diagnostic =>
  error('WF260', span, `The workflow "${target}" can't be read: ${why}.`, {
    hint: 'The path starts from the folder of this file.',
  });

/** @param target not the path of a .wf file */
export const badWorkflowPath = (span: Span, name: string, target: string): Diagnostic =>
  error('WF260', span, 'A called workflow needs the path of a .wf file.', {
    hint: /\.(?:csv|xlsx)$/i.test(target)
      ? `A file with rows is a table. Declare it after the services:\n    tables:\n        ${name} is a table at "${target}"`
      : /\.[cm]?[jt]s$/i.test(target)
        ? `A file with code is a plugin:\n    ${name} is a plugin "${target}"`
        : `Write it like this:\n    ${form}`,
  });

export const fixedWorkflowPath = (span: Span): Diagnostic =>
  error('WF260', span, "The path of a called workflow is fixed: it can't contain {…}.", {
    hint: `It is compiled with this file. Write out the path:\n    ${form}`,
  });

export const workflowWithErrors = (span: Span, target: string): Diagnostic =>
  error('WF261', span, `The workflow "${target}" has errors.`, { hint: 'Fix them first. They are listed with this one.' });

export const workflowCircle = (span: Span, files: readonly string[]): Diagnostic =>
  error('WF262', span, `These workflows call each other in a circle: ${files.join(' → ')}.`, {
    hint: 'Move what both need into a third workflow, and call that one.',
  });

export const tooManyLevels = (span: Span, most: number): Diagnostic =>
  error('WF263', span, `Workflows call each other more than ${most} levels deep here.`, {
    hint: 'Let one workflow call several others in turn.',
  });

export const unknownInput = (
  span: Span,
  key: string,
  service: string,
  suggestion: string | undefined,
  names: readonly string[],
): Diagnostic =>
  error('WF264', span, `${service} declares no input "${key}".`, {
    suggestion,
    hint:
      suggestion !== undefined ? undefined : names.length === 0 ? 'It takes no inputs.' : `Its inputs are ${names.join(', ')}.`,
  });

/** @param what completes "… must be": `a text` */
export const missingInput = (span: Span, name: string, service: string, what: string): Diagnostic =>
  error('WF264', span, `The input "${name}" of ${service} is missing. It must be ${what}.`, {
    hint: `Add it to the pairs: with ${name} …`,
  });

/** @param owner the variable that has the result @param outputs of the workflow */
export const noSuchOutput = (
  span: Span,
  owner: string,
  field: string,
  service: string,
  suggestion: string | undefined,
  outputs: readonly string[],
): Diagnostic =>
  error('WF097', span, `"${owner}" has no field "${field}": ${service} doesn't complete with it.`, {
    suggestion,
    hint: suggestion !== undefined ? undefined : `It completes with ${outputs.join(', ')}.`,
  });

/** @param problem `must be a text, and is 5` */
export const wrongInput = (span: Span, name: string, service: string, problem: string): Diagnostic =>
  error('WF264', span, `The input "${name}" of ${service} ${problem}.`);

/** Diagnostics for expressions longer than anyone writes. The later phases, and JavaScript itself, could not handle them. */
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
