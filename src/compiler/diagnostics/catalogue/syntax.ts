// What the parser finds: words that do not fit, and lines in the wrong place.
import type { Diagnostic, Span } from '../diagnostic.js';
import { error } from './make.js';

/** A list in words: `a, b or c`. */
export const oneOf = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;

const formOf = (form: string | undefined): string | undefined =>
  form === undefined ? undefined : `It is written like this:\n    ${form.replaceAll('\n', '\n    ')}`;

export const unexpected = (
  span: Span,
  found: string,
  expected: readonly string[],
  suggestion: string | undefined,
  form: string | undefined,
): Diagnostic =>
  error(
    'WF040',
    span,
    `I did not expect ${found} here.${expected.length === 0 ? '' : ` I was looking for ${oneOf(expected)}.`}`,
    {
      suggestion,
      hint: formOf(form),
    },
  );

export const opposite = (span: Span, words: string, suggestion: string | undefined): Diagnostic =>
  error('WF040', span, `I don't know the comparison "${words}".`, {
    suggestion,
    hint: 'The opposite of any comparison has "not" in front of all of it:\n    if not total is between 1 and 100:',
  });

export const besideBlock = (span: Span): Diagnostic =>
  error('WF040', span, 'Nothing can stand behind the colon that opens a block.', {
    hint: 'Put it on the next line, indented by 4 spaces more.',
  });

export const signForMinus = (span: Span, number: string): Diagnostic =>
  error('WF040', span, `I did not expect ${number} here: two values stand side by side.`, {
    hint: `To subtract, write "minus": minus ${number.slice(1)}`,
  });

export const bracketForField = (span: Span): Diagnostic =>
  error('WF040', span, 'I did not expect "[" here: brackets only make a list.', {
    hint: 'To read a field, or an item by its position from 0, write a dot: request.rows.0',
  });

export const unknownStatement = (
  span: Span,
  word: string,
  suggestion: string | undefined,
  form: string | undefined,
): Diagnostic =>
  error(
    'WF041',
    span,
    `I don't know what to do with this line: no statement starts with "${word}", and there is no "using" that would make it a service call.`,
    {
      suggestion,
      hint: formOf(form) ?? 'A service call is written like this:\n    get profile using GitHub at "/users/ada"',
    },
  );

export const wrongCase = (span: Span, found: string, keyword: string): Diagnostic =>
  error('WF042', span, `"${found}" must be written "${keyword}": capital and small letters are not the same here.`, {
    suggestion: keyword,
  });

export const missingColon = (span: Span): Diagnostic =>
  error('WF043', span, 'A colon (:) is missing at the end of this line.', {
    hint: 'A line that opens a block ends with a colon.',
  });

export const emptyBlock = (span: Span, deeper: number): Diagnostic =>
  error('WF044', span, 'Nothing stands under this line, but it opens a block.', {
    hint: `Put at least one line under it, indented by ${deeper} spaces.`,
  });

export const indentedUnderNothing = (span: Span, spaces: number): Diagnostic =>
  error('WF045', span, 'This line is indented, but the line above it opens no block.', {
    hint: `Indent it by ${spaces} ${spaces === 1 ? 'space' : 'spaces'}, like the line above.`,
  });

export const strayOtherwise = (span: Span): Diagnostic =>
  error('WF046', span, 'This "otherwise" belongs to no "if".', {
    hint: 'It stands directly after the block of an "if" and is indented as far as that "if". "otherwise:" comes last, and only once.',
  });

export const strayRetry = (span: Span, what: string): Diagnostic =>
  error('WF047', span, `"${what}" can only stand under "on failure:".`, {
    hint: 'It is written like this:\n    get profile using GitHub at "/users/ada"\n        on failure:\n            retry 3 times waiting 5 seconds\n            if still failing:\n                reject with "GitHub is not available"',
  });

export const retryNotFirst = (span: Span): Diagnostic =>
  error('WF047', span, '"retry" must be the first line under "on failure:", and there can be only one.');

export const outsideLoop = (span: Span, what: string): Diagnostic =>
  error('WF048', span, `"${what}" can only stand inside a "for each" loop.`, {
    hint: 'To end the whole run, write "complete" or "reject with …".',
  });

export const strayCallOption = (span: Span, what: string): Diagnostic =>
  error('WF049', span, `"${what}" can only stand under a service call or an "ask".`, {
    hint: 'Indent it by 4 spaces more than the call that it belongs to:\n    get profile using GitHub at "/users/ada"\n        save the result as profile',
  });

export const notACallOption = (span: Span, suggestion: string | undefined): Diagnostic =>
  error('WF050', span, 'This line does not belong under a service call.', {
    suggestion,
    hint: 'Under a call there can be:\n    save the result as <name>\n    save the status as <name>\n    save the response headers as <name>\n    save the confidence as <name>\n    on failure:',
  });

export const repeatedCallOption = (span: Span, what: string): Diagnostic =>
  error('WF051', span, `"${what}" stands twice under this call.`, {
    hint: 'Each of these lines can stand there once. Delete one of them.',
  });

export const badInterpolation = (span: Span, content: string, nameHint: string | undefined): Diagnostic =>
  error('WF052', span, content.trim() === '' ? 'These braces are empty.' : `Only a name can stand in braces, not "${content}".`, {
    hint:
      nameHint ??
      'Give the value a name first, and use that name:\n    set total to 1 plus 2\n    log "the total is {total}"\nA brace that is meant as a brace is written twice: {{ or }}.',
  });

export const loneBrace = (span: Span, brace: string): Diagnostic =>
  error('WF052', span, `This ${brace} has no partner.`, {
    hint: `A value in a text is written {name}. A brace that is meant as a brace is written twice: ${brace}${brace}.`,
  });

export const negativeTime = (span: Span): Diagnostic =>
  error('WF062', span, 'The time to wait must be 0 or more.', { hint: 'It is written like this: 5 seconds' });

export const outOfRange = (span: Span, what: string, low: number, high: number): Diagnostic =>
  error('WF062', span, `${what} must be a whole number from ${low} to ${high}.`);

export const expressionTooLong = (span: Span, limit: number): Diagnostic =>
  error('WF064', span, `This expression has more than ${limit.toLocaleString('en')} parts.`, {
    hint: 'Use "set" to give a part of it a name first, and go on with that name.',
  });

export const besideStillFailing = (span: Span): Diagnostic =>
  error('WF065', span, 'Where "if still failing:" stands, no other statement can stand beside it under "on failure:".', {
    hint: 'Move this line into the block of "if still failing:".',
  });
