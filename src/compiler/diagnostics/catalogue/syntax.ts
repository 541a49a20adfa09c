// Diagnostics of the parser: words that don't fit, and lines in the wrong place.

import { sameInOneWord } from '../../vocabulary/field-names.js';
import { type Diagnostic, END_OF_LINE, type Span } from '../diagnostic.js';
import { likeThis, why, writeInstead, writeLines, writeOnOneLine } from '../hint-marks.js';
import { error } from './make.js';

/** A list in words: `a, b or c`. */
const oneOf = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;

/** Says what was expected and what was found instead. `expected` is empty if nothing in particular was. */
export function mismatch(found: string, expected: readonly string[]): string {
  if (expected.length === 0) return `I didn't expect ${found} here.`;
  return `I expected ${oneOf(expected)} here, but ${found === END_OF_LINE ? 'the line ends' : `found ${found}`}.`;
}

const formOf = (form: string | undefined): string | undefined =>
  form === undefined ? undefined : likeThis(form.replaceAll('\n', '\n    '));

export const unexpected = (
  span: Span,
  found: string,
  expected: readonly string[],
  suggestion: string | undefined,
  form: string | undefined,
): Diagnostic =>
  error('WF040', span, mismatch(found, expected), {
    suggestion,
    hint: formOf(form),
  });

/** Everyday or foreign words for something that the language says differently, or lacks. */
export const otherWords = (span: Span, words: string, suggestion: string | undefined, hint: string | undefined): Diagnostic =>
  error('WF040', span, `I don't know "${words}" here.`, { suggestion, hint });

/** A line that starts like no statement. */
export const otherStatement = (span: Span, words: string, suggestion: string | undefined, hint: string | undefined): Diagnostic =>
  error('WF041', span, `I don't know "${words}" here.`, { suggestion, hint });

/** A line under a call in other words. */
export const otherOption = (span: Span, words: string, suggestion: string | undefined, hint: string | undefined): Diagnostic =>
  error('WF050', span, `I don't know "${words}" here.`, { suggestion, hint });

export const notASetting = (span: Span, examples: string): Diagnostic =>
  error('WF040', span, 'This line is not a setting.', { hint: formOf(examples) });

export const opposite = (span: Span, words: string, suggestion: string | undefined): Diagnostic =>
  error('WF040', span, `I don't know the comparison "${words}".`, {
    suggestion,
    hint: 'To negate a comparison, put "not" in front of it:\n    if not total is between 1 and 100:',
  });

export const besideBlock = (span: Span): Diagnostic =>
  error('WF040', span, 'Nothing can follow the colon that opens a block.', {
    hint: 'Put it on the next line, indented by 4 more spaces.',
  });

export const signForMinus = (span: Span, number: string): Diagnostic =>
  error('WF040', span, `I didn't expect ${number} here: no operator connects it to the value before it.`, {
    hint: `To subtract, write "minus": minus ${number.slice(1)}`,
  });

export const bracketForField = (span: Span): Diagnostic =>
  error('WF040', span, 'I didn\'t expect "[" here: brackets only make a list.', {
    hint: 'To read a field or an item, write a dot. Positions count from 0: request.rows.0',
  });

export const unknownStatement = (span: Span, word: string, suggestion: string | undefined): Diagnostic =>
  error(
    'WF041',
    span,
    `I don't know what to do with this line: no statement starts with "${word}", and a service call needs "using".`,
    { suggestion },
  );

export const wrongCase = (span: Span, found: string, keyword: string): Diagnostic =>
  error('WF042', span, `Write "${keyword}" instead of "${found}": capital letters matter.`, {
    suggestion: keyword,
  });

export const missingColon = (span: Span): Diagnostic =>
  error('WF043', span, 'This line needs a colon (:) at the end.', {
    hint: why('A line that opens a block ends with a colon.'),
  });

/** @param shown the line with one below it @param what the lines below it are */
export const emptyBlock = (span: Span, deeper: number, shown: string, what = 'of the block'): Diagnostic =>
  error('WF044', span, 'This line opens a block, but the block is empty.', {
    hint: `Indent the lines ${what} by ${deeper} spaces, 4 more than this line:\n    ${shown.replaceAll('\n', '\n    ')}`,
  });

export const indentedUnderNothing = (span: Span, spaces: number): Diagnostic =>
  error('WF045', span, "This line is indented, but the line above it doesn't open a block.", {
    hint: `Indent it by ${spaces} ${spaces === 1 ? 'space' : 'spaces'}, like the line above.`,
  });

export const strayOtherwise = (span: Span): Diagnostic =>
  error('WF046', span, 'This "otherwise" has no "if".', {
    hint: 'Put it directly after the block of an "if", with the same indentation as the "if". "otherwise:" comes last, and only once.',
  });

/** @param written the line itself */
export const strayRetry = (span: Span, what: string, written: string): Diagnostic =>
  error('WF047', span, `"${what}" is only allowed under "on failure:".`, {
    // `if that fails:`
    hint: /^if (?!still)/.test(written)
      ? writeInstead('on failure:')
      : why(`Put it below the call that may fail:\n    on failure:\n        ${written}`),
  });

export const retryNotFirst = (span: Span): Diagnostic =>
  error('WF047', span, '"retry" must be the first line under "on failure:", and can appear only once.');

export const outsideLoop = (span: Span, what: string): Diagnostic =>
  error('WF048', span, `"${what}" is only allowed inside a loop.`, {
    hint: 'To end the whole run, write "complete" or "reject with …".',
  });

export const strayCallOption = (span: Span, what: string): Diagnostic =>
  error('WF049', span, `"${what}" is only allowed under a service call or an "ask".`, {
    hint: 'Put it below its call or question, indented by 4 more spaces.',
  });

export const notACallOption = (span: Span, suggestion: string | undefined): Diagnostic =>
  error('WF050', span, 'This line is not allowed under a service call.', {
    suggestion,
    hint: 'Under a call, you can write:\n    save the result as <name>\n    save the status as <name>\n    save the response headers as <name>\n    save the confidence as <name>\n    with headers:\n    send <value> as the body\n    sent as PUT\n    at most once\n    on failure:',
  });

export const otherwiseOfCall = (span: Span): Diagnostic =>
  error('WF050', span, 'A service call has no "otherwise".', {
    hint: 'If the call succeeds, the lines below it run. If they must not run after a failure, end the run there:\n    on failure:\n        reject with "No answer: {failure.message}"',
  });

/** @param written the line itself */
export const optionOfService = (span: Span, written: string): Diagnostic =>
  error('WF050', span, 'This line is not allowed under a service call: it applies to all calls of a service.', {
    hint: `Move it below the declaration of the service, at the top of the file:\n    Api is an API at "{env.API_URL}"\n        ${written}`,
  });

/** @param line the line of the call, with all pairs */
export const pairsBelowCall = (span: Span, line: string): Diagnostic =>
  error('WF050', span, 'The pairs of a call go on its line, joined with "and", not below it.', { hint: writeOnOneLine(line) });

export const repeatedCallOption = (span: Span, what: string): Diagnostic =>
  error('WF051', span, `"${what}" appears twice under this call.`, {
    hint: 'Use each of these lines once. Delete one of the two.',
  });

/** Words of an expression, which only has to be moved. */
const EXPRESSION = /\s(?:plus|minus|times|divided by|of|from|written as|rounded to|sorted by|joined with)\s/;

/** A name with spaces: `request.first name`. Prepared on demand, as V8 takes a millisecond for it. */
const spacedName = (): RegExp =>
  /^(?!(?:trimmed|reversed|not|each|count|sum|uppercase|lowercase|number|text|if|for|the|an?|my|our) )[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*(?: [\p{L}_][\p{L}\p{N}_]*){1,2}$/u;

/** The line around braces. */
interface AroundBraces {
  readonly before: string;
  readonly after: string;
}

/** What braces contain, on a line of its own before the one that inserts it. */
function setBefore(content: string, around: AroundBraces | undefined): string {
  const advice = 'First set a variable on a line of its own, then use its name.';
  if (around === undefined) return advice;
  const [, quoted, plain] = /\.(?:"([^"]+)"|([\p{L}_][\p{L}\p{N}_-]*)(?![\p{L}\p{N}_.-]))/u.exec(content) ?? [];
  const field = (quoted ?? plain)?.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');
  const name = field === undefined ? 'shown' : `shown-${field}`;
  const value = content.replaceAll("'", '"').replace(/^(?!(?:text|number|date|time) of )(?=.* written as )/, 'text of ');
  return `${advice}\n${writeLines(`set ${name} to ${value}\n    ${around.before}{${name}}${around.after}`)}`;
}

function bracesHint(content: string, around: AroundBraces | undefined): string {
  const loop = /^for each ([\p{L}_][\p{L}\p{N}_-]*) in ([\p{L}_][\p{L}\p{N}_.-]*)$/u.exec(content);
  if (loop !== null)
    return `Make the lines first, and join them:\n    set rows to "- {${loop[1]}}" for each ${loop[1]} in ${loop[2]}\n    set list to rows joined with "\\n"\nThen use the name: {list}`;
  if (content.length <= 80 && spacedName().test(content) && (!EXPRESSION.test(content) || /^[^\s.]+\.\S+ of /.test(content)))
    return content.includes('.')
      ? `Set a variable first, then use its name:\n    set shown to ${sameInOneWord(content, '').name}\n    log "the value is {shown}"`
      : sameInOneWord(content, '').hint;
  const isExpression =
    content.length <= 80 &&
    (EXPRESSION.test(content) || /^[^\s"{}]+\."[^"]+"$/.test(content)) &&
    /^[\p{L}\p{N}\s_.,'"()-]+$/u.test(content);
  return isExpression
    ? setBefore(content, around)
    : 'Set a variable first, then use its name:\n    set total to 1 plus 2\n    log "the total is {total}"\nFor a literal brace, write {{ or }}.';
}

export const badInterpolation = (
  span: Span,
  content: string,
  hint: { readonly around: AroundBraces | undefined } | { readonly name: string },
): Diagnostic =>
  error('WF052', span, content.trim() === '' ? 'These braces are empty.' : `Braces can only contain a name, not "${content}".`, {
    hint: 'name' in hint ? hint.name : bracesHint(content.trim(), hint.around),
  });

export const loneBrace = (span: Span, brace: string): Diagnostic =>
  error('WF052', span, `This ${brace} has no matching ${brace === '{' ? '}' : '{'}.`, {
    hint: `To insert a value, write {name}. For a literal brace, write ${brace}${brace}.`,
  });

/** @param positive the amount without its sign, if it is a fixed one */
export const negativeTime = (span: Span, positive: string | undefined): Diagnostic =>
  error('WF062', span, "A waiting time can't be negative.", {
    hint: positive === undefined ? 'It is 0 or longer.' : writeLines(positive),
  });

export const outOfRange = (span: Span, what: string, low: number, high: number): Diagnostic =>
  error('WF062', span, `${what} must be a whole number from ${low} to ${high}.`);

export const tooSmallCount = (span: Span, what: string, least: number): Diagnostic =>
  error('WF062', span, `${what} must be a whole number of at least ${least}.`);

export const expressionTooLong = (span: Span, limit: number): Diagnostic =>
  error('WF064', span, `This expression has more than ${limit.toLocaleString('en')} parts.`, {
    hint: 'Name part of it with "set", then use that name here.',
  });

export const besideStillFailing = (span: Span): Diagnostic =>
  error('WF065', span, '"on failure:" takes either statements or "if still failing:", not both.', {
    hint: 'Move this line into the "if still failing:" block.',
  });

export const notAnAnswerLine = (span: Span): Diagnostic =>
  error('WF034', span, 'This line doesn\'t belong under "complete".', {
    hint: 'Only these lines are allowed there, for an answer of your own over HTTP:\n    status 201\n    answer text "created {request.id}"',
  });

export const answerStatus = (span: Span): Diagnostic =>
  error('WF034', span, 'The status of a completed run must be a whole number from 200 to 299.', {
    hint: 'To refuse a request, write "reject with …", and "status when rejected: 422" in config:.',
  });

export const notAMessageOption = (span: Span): Diagnostic =>
  error('WF080', span, 'This line doesn\'t belong under "wait for".', {
    hint: 'Only these lines are allowed there:\n    save the message as payment\n    if nothing comes:',
  });

/** Diagnostics of the layout pass: encoding, indentation, and the tokens of a line. */
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

/** @param spaces that belong there @param line without its indentation */
export const tabIndentation = (span: Span, spaces: number, line: string): Diagnostic =>
  error('WF003', span, 'This line is indented with a tab.', {
    hint: `Indent it by ${spaces} spaces. Most editors can insert spaces when you press Tab:\n    ${' '.repeat(spaces)}${line.slice(0, 100)}`,
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
      : why('Add a " at the end. For a quote inside the text, write \\".'),
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

/** @param value what a name in quotes has in its braces, if that is what is wrong with it */
export const badQuotedName = (span: Span, value: string | undefined): Diagnostic =>
  error('WF010', span, value === undefined ? 'There is no name in these quotes.' : 'A name in quotes can have no values in it.', {
    hint:
      value === undefined
        ? 'Write the name as the data has it: row."Unit price"'
        : `For the field that a value names, write braces without quotes: row.{${value}}\nFor a brace in a name, write it twice: {{`,
  });

/** @param suggestion the words for an operator */
export const strayCharacter = (span: Span, character: string, hint: string, suggestion?: string): Diagnostic =>
  error('WF009', span, `I can't read "${character}" here.`, { suggestion, hint });

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
