// What the layout pass finds: bytes, indentation and the tokens of a line.
import type { Diagnostic, Span } from '../diagnostic.js';
import { error } from './make.js';

export const notUtf8 = (span: Span): Diagnostic =>
  error('WF001', span, 'This line holds bytes that are not UTF-8 text.', {
    hint: 'Save the file as UTF-8 in your editor and try again.',
  });

export const controlCharacter = (span: Span, code: number): Diagnostic =>
  code === 13
    ? error('WF002', span, 'The lines of this file do not end as lines do on any system of today (a CR alone).', {
        hint: 'Save the file with the line ends LF or CRLF: most editors show them at the bottom of the window.',
      })
    : error('WF002', span, `This line holds a control character (code ${code}) that no text file should have.`, {
        hint: 'Delete the line and type it again. If there are many of these, the file is not a text file.',
      });

export const notAText = (span: Span): Diagnostic =>
  error('WF002', span, 'This file is not a text file: it holds NUL characters.', {
    hint: 'Is this the right file? A workflow is plain text, saved as UTF-8.',
  });

export const tabIndentation = (span: Span): Diagnostic =>
  error('WF003', span, 'This line is indented with a tab.', {
    hint: 'Use 4 spaces for each level. Most editors can do that for you: "insert spaces for tabs".',
  });

export const oddIndentation = (span: Span, found: number, expected: readonly number[]): Diagnostic =>
  error('WF004', span, `This line is indented by ${found} ${found === 1 ? 'space' : 'spaces'}; each level is exactly 4.`, {
    hint: `Here I expected ${expected.join(' or ')} spaces.`,
  });

export const deepIndentation = (span: Span, found: number, expected: number): Diagnostic =>
  error('WF005', span, `This line is indented by ${found} spaces, which is more than one level at once.`, {
    hint: `One level under the line above is ${expected} spaces.`,
  });

export const blocksTooDeep = (span: Span, limit: number): Diagnostic =>
  error('WF006', span, `This block is nested more than ${limit} levels deep.`, {
    hint: 'Split the workflow: fewer levels are easier to read, too.',
  });

export const parenthesesTooDeep = (span: Span, limit: number): Diagnostic =>
  error('WF007', span, `Parentheses and brackets are nested more than ${limit} levels deep here.`, {
    hint: 'Use "set" to give a part of this expression a name first.',
  });

export const unclosedQuote = (span: Span): Diagnostic =>
  error('WF008', span, 'This text has no closing quote: a text ends on the line on which it began.', {
    hint: 'Add a " at the end of the text. A quote inside the text is written \\".',
  });

export const strayCharacter = (span: Span, character: string, hint: string): Diagnostic =>
  error('WF009', span, `I can't read "${character}" here.`, { hint });

export const badName = (span: Span, name: string, hint: string): Diagnostic =>
  error('WF010', span, `"${name}" can't be a name.`, { hint });

export const badNumber = (span: Span, text: string, hint: string): Diagnostic =>
  error('WF011', span, `"${text}" can't be read as a number.`, { hint });

export const tooManyTokens = (span: Span, limit: number): Diagnostic =>
  error('WF012', span, `This line has more than ${limit.toLocaleString('en')} words, which is more than I read.`, {
    hint: 'Split it into several lines with "set". Large lists belong in the input, not in the workflow.',
  });

export const tooManyErrors = (span: Span, limit: number): Diagnostic =>
  error('WF013', span, `I stopped reading here: more than ${limit.toLocaleString('en')} lines can't be read.`, {
    hint: 'Is this really a workflow? Mend the first errors and check again.',
  });
