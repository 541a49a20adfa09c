// Diagnostics about the fields declared under `inputs:`, and about reading others.
import type { Diagnostic, Span } from '../diagnostic.js';
import { error } from './make.js';
import { mismatch } from './syntax.js';

const forms = `Write one field per line, such as:
    customer is a text
    email is an email address
    quantity is a whole number at least 1
    express is yes or no, otherwise no
    country is one of "DE", "AT", "CH"
    due is a date, optional
    tags is a list of texts, optional
    address is a record:
        street is a text`;

/** @param example the corrected line */
export const badInput = (
  span: Span,
  found: string,
  expected: readonly string[],
  suggestion: string | undefined,
  example: string | undefined,
): Diagnostic =>
  error('WF093', span, `I can't read this field. ${mismatch(found, expected)}`, {
    suggestion,
    hint: example !== undefined ? `Write it like this:\n    ${example}` : suggestion === undefined ? forms : undefined,
  });

export const requiredInput = (span: Span, word: string): Diagnostic =>
  error('WF093', span, `"${word}" is not needed: every field is required unless its line ends in ", optional".`, {
    hint: 'Delete the word.',
  });

export const recordOnOneLine = (span: Span, example: string): Diagnostic =>
  error('WF093', span, "I can't read this field. The fields of a record go below it, one per line.", {
    hint: `Write it like this:\n    ${example}`,
  });

export const listOfLists = (span: Span, name: string): Diagnostic =>
  error('WF093', span, "I can't read this field. The items of a list can't be lists themselves.", {
    hint: `Make them records with a list inside, or leave their kind open:\n    ${name} is a list of records:\n        values is a list of numbers\n    ${name} is anything`,
  });

export const inputTwice = (span: Span, name: string): Diagnostic =>
  error('WF094', span, `The field "${name}" is declared twice.`, { hint: 'Rename or delete one of the two.' });

/** @param kind what can't have this limit: `a number` */
export const limitOnOtherKind = (span: Span, kind: string, hint: string): Diagnostic =>
  error('WF095', span, `This is not a limit of ${kind}.`, { hint });

export const limitOfOtherKind = (span: Span, found: string, need: string): Diagnostic =>
  error('WF095', span, `This limit must be ${need}, but it is ${found}.`);

export const limitIsNoDate = (span: Span, written: string, form: 'date' | 'time', why: string | undefined): Diagnostic =>
  error('WF095', span, `"${written}" is not a ${form}${why === undefined ? '' : `: ${why}`}.`, {
    hint: `Write ${form === 'date' ? 'dates as year-month-day: "2026-03-01"' : 'times as in "2026-03-01T09:30"'}`,
  });

export const limitsCross = (span: Span, low: string, high: string): Diagnostic =>
  error('WF095', span, `Nothing is between ${low} and ${high}: ${low} is more than ${high}.`, {
    hint: 'Put the smaller value first.',
  });

/** @param what `value`, `whole number` */
export const emptyRange = (span: Span, what: string, limits: string): Diagnostic =>
  error('WF095', span, `No ${what} can be ${limits}.`, { hint: 'Change one of the limits.' });

export const limitTwice = (span: Span): Diagnostic =>
  error('WF095', span, 'This field already has this limit.', { hint: 'Delete one of the two.' });

export const badCount = (span: Span, written: string): Diagnostic =>
  error('WF095', span, `A count must be a whole number from 0 to 1,000,000,000, but it is ${written}.`);

export const limitHasValue = (span: Span, name: string): Diagnostic =>
  error('WF095', span, `A limit is fixed: it can't contain {${name}}.`, {
    hint: 'To compare with a value of the run, use if and reject in the workflow.',
  });

export const mixedChoices = (span: Span): Diagnostic =>
  error('WF095', span, 'The values after "one of" must be texts in quotes, or numbers.', {
    hint: 'Write them like this:\n    country is one of "DE", "AT", "CH"',
  });

export const choiceTwice = (span: Span, value: string): Diagnostic =>
  error('WF095', span, `${value} is listed twice.`, { hint: 'Delete one of the two.' });

/** @param problem completes "It …" */
export const badDefault = (span: Span, problem: string, hint: string | undefined): Diagnostic =>
  error('WF096', span, `The value after "otherwise" does not fit this field: it ${problem}.`, { hint });

function dayOfTheRun(declaration: string, value: string): string {
  const name = declaration.split(' ', 1)[0] ?? 'day';
  return `Make the field optional, and set the value in the workflow:\n    ${declaration}, optional\nand:\n    set ${name} to request.${name}\n    if ${name} is empty:\n        set ${name} to ${value}`;
}

/** @param declaration the line up to "otherwise" */
export const defaultNotFixed = (span: Span, found: string, declaration: string): Diagnostic =>
  error('WF096', span, `The value after "otherwise" must be fixed, but I found ${found}.`, {
    hint: /^"(?:today|now)"$/.test(found)
      ? dayOfTheRun(declaration, found.slice(1, -1))
      : 'Write a text in quotes, a number, yes, no, or [] for an empty list. Put a date in quotes.',
  });

export const defaultHasValue = (span: Span, name: string): Diagnostic =>
  error('WF096', span, `The value after "otherwise" is fixed: it can't contain {${name}}.`, {
    hint: `Make the field optional, and set the value in the workflow:\n    if request.note is empty:\n        set note to "{${name}}"`,
  });

export const noDefaultForRecord = (span: Span): Diagnostic =>
  error('WF096', span, 'A record takes no "otherwise".', {
    hint: 'Write ", optional" here, or give its fields an "otherwise".',
  });

/** @param owner what the field is read from: `request.address` @param names of the declared fields */
export const undeclaredField = (
  span: Span,
  owner: string,
  field: string,
  suggestion: string | undefined,
  names: readonly string[],
): Diagnostic =>
  error('WF097', span, `"${owner}" has no field "${field}": inputs: does not declare it.`, {
    suggestion,
    hint:
      suggestion !== undefined
        ? undefined
        : `${names.length === 0 ? 'Declare it' : `The fields are ${names.join(', ')}. If the workflow needs another one, declare it`} under inputs:\n    ${field} is a text`,
  });

/** `set line.total to …` in one loop, `line.total` in another. */
export const fieldOfEarlierRound = (span: Span, owner: string, field: string): Diagnostic =>
  error(
    'WF097',
    span,
    `"${owner}" has no field "${field}" here: it was set on the item of another loop, whose changes end with its round.`,
    {
      hint: `To keep them, add each item to a list, and use that list below:\n    add ${owner} to ${owner}s`,
    },
  );

export const recordWithoutFields = (span: Span, name: string, isList: boolean): Diagnostic =>
  error('WF098', span, `The fields of "${name}" are missing.`, {
    hint: `Put a colon at the end of the line, and the fields below it, indented by 4 more spaces:\n    ${name} is ${isList ? 'a list of records' : 'a record'}:\n        street is a text`,
  });

export const fieldsOfOtherKind = (span: Span, name: string): Diagnostic =>
  error('WF098', span, `Only a record, or a list of records, has fields below it, but "${name}" is neither.`, {
    hint: `Write "${name} is a record:" or "${name} is a list of records:", or delete the lines below.`,
  });
