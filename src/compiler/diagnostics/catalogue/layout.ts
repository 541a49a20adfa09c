// Diagnostics of the layout pass: encoding, indentation, and the tokens of a line.
import type { Diagnostic, Span } from '../diagnostic.js';
import { error } from './make.js';

export const notUtf8 = (span: Span): Diagnostic =>
  error('WF001', span, 'This line contains bytes that are not valid UTF-8.', {
    hint: 'Save the file as UTF-8 in your editor, then check it again.',
  });

export const controlCharacter = (span: Span, code: number): Diagnostic =>
  code === 13
    ? error('WF002', span, 'The lines of this file end with a lone carriage return (CR).', {
        hint: 'Save the file with LF or CRLF line endings. Most editors show the setting at the bottom of the window.',
      })
    : error('WF002', span, `This line contains a control character (code ${code}).`, {
        hint: 'Delete the line and retype it. If there are many of these, this is probably not a text file.',
      });

export const notTextFile = (span: Span): Diagnostic =>
  error('WF002', span, 'This is not a text file: it contains NUL characters.', {
    hint: 'Is this the right file? A workflow is plain text, saved as UTF-8.',
  });

export const tabIndentation = (span: Span): Diagnostic =>
  error('WF003', span, 'This line is indented with a tab.', {
    hint: 'Indent with 4 spaces per level. Most editors can insert spaces when you press Tab.',
  });

/** `expected`: one or two possible numbers of spaces. */
export const oddIndentation = (span: Span, found: number, expected: readonly number[]): Diagnostic =>
  error(
    'WF004',
    span,
    `This line is indented by ${found} ${found === 1 ? 'space' : 'spaces'}, but every level is exactly 4 spaces deep.`,
    { hint: `Indent it by ${expected.join(' or ')} spaces.` },
  );

export const deepIndentation = (span: Span, found: number, expected: number): Diagnostic =>
  error('WF005', span, `This line is indented too far: by ${found} spaces.`, {
    hint: expected === 0 ? 'Start it at the margin.' : `One level below the line above is ${expected} spaces.`,
  });

export const blocksTooDeep = (span: Span, limit: number): Diagnostic =>
  error('WF006', span, `Blocks are nested more than ${limit} levels deep here.`, {
    hint: 'Split the workflow. Fewer levels also make it easier to read.',
  });

export const parenthesesTooDeep = (span: Span, limit: number): Diagnostic =>
  error('WF007', span, `Parentheses and brackets are nested more than ${limit} levels deep here.`, {
    hint: 'Name part of this expression with "set", then use that name here.',
  });

/** @param hasCurly whether a curly quote follows it */
export const unclosedQuote = (span: Span, hasCurly: boolean): Diagnostic =>
  error('WF008', span, 'This text has no closing quote. It must end on the line where it starts.', {
    hint: hasCurly
      ? 'It starts with a straight quote and ends with a curly one. Write straight quotes on both sides: "like this".'
      : 'Add a " at the end. For a quote inside the text, write \\".',
  });

/** @param name the variable that the text is for */
export const textOfSeveralLines = (span: Span, name: string): Diagnostic =>
  error('WF008', span, 'A text in quotes must end on the line where it starts, but this one has several lines.', {
    hint: `Write the lines without quotes, indented by 4 more spaces, under:\n    set ${name} to text:`,
  });

export const badFieldName = (span: Span): Diagnostic =>
  error('WF010', span, 'These braces can only contain a name, whose value says which field to read.', {
    hint: 'For example: prices.{country} or prices.{request.country}',
  });

export const strayCharacter = (span: Span, character: string, hint: string): Diagnostic =>
  error('WF009', span, `I can't read "${character}" here.`, { hint });

export const badName = (span: Span, name: string, hint: string): Diagnostic =>
  error('WF010', span, `"${name}" is not a valid name.`, { hint });

export const badNumber = (span: Span, text: string, hint: string): Diagnostic =>
  error('WF011', span, `"${text}" is not a valid number.`, { hint });

export const tooManyTokens = (span: Span, limit: number): Diagnostic =>
  error('WF012', span, `This line has more than ${limit.toLocaleString('en')} words.`, {
    hint: 'Split it into several lines with "set". Pass large lists as input instead of writing them into the workflow.',
  });

export const tooManyErrors = (span: Span, limit: number): Diagnostic =>
  error('WF013', span, `I stopped reading here, after more than ${limit.toLocaleString('en')} lines with errors.`, {
    hint: 'Is this the right file? If it is, fix the first errors and check it again.',
  });
