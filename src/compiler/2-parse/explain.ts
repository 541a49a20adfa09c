// A line that its rule does not match → the one diagnostic that says what it most likely was meant to be.

import { methodOf } from '../../../runtime/verbs.js';
import { wordCharacter } from '../1-layout/alphabet.js';
import { type Line, lineSpan, tokenSpan, tokenText } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { closest } from '../diagnostics/suggest.js';
import { callForm, foreignOperators, foreignWords, fullKeyword, opposites, optionForms, statementForms } from './forms.js';
import type { LineRules } from './line-node.js';
import type { LineFailure } from './match-line.js';
import { respell } from './respell.js';

const USING = wordCharacter('using') ?? '';
const TO = wordCharacter('to') ?? '';
const statementWords = Object.keys(statementForms);

/** The text of a token as a message shows it. */
export function found(line: Line, text: string, token: number): string {
  const written = tokenText(line, text, token);
  return written === '' || token * 2 >= line.offsets.length
    ? 'the end of the line'
    : `"${written.length > 40 ? `${written.slice(0, 40)}…` : written.replace(/^"|"$/g, '')}"`;
}

const VALUE = ['a name', 'a number', 'a quoted text', '"("', '"["', '"true"', '"false"', '"empty"', '"not"', '"trimmed"'];
const OPERATOR = ['"plus"', '"minus"', '"times"', '"divided by"', '"rounded to"'];
const isOf = (text: string): boolean => / of"$/.test(text) && !text.startsWith('"is ');
const isTest = (text: string): boolean => /^"(is|contains|does not|exists|starts with|ends with)\b/.test(text);

/** What was expected, in words that fit into a sentence: the many words for values and operators become one each. */
export function inWords(expected: readonly string[]): string[] {
  let rest = [...expected];
  const groups: string[] = [];
  const fold = (belongs: (text: string) => boolean, name: string, atLeast: number): void => {
    if (rest.filter(belongs).length < atLeast) return;
    rest = rest.filter((text) => !belongs(text));
    groups.push(name);
  };
  if (rest.some(isOf)) fold((text) => VALUE.includes(text) || isOf(text), 'a value', 1);
  fold((text) => OPERATOR.includes(text), 'an operator such as plus', 2);
  fold(isTest, 'a comparison such as is above', 2);
  fold((text) => statementWords.includes(text.slice(1, -1)), 'the first word of a statement', 5);
  return [...groups, ...rest];
}

/** Words among what was expected: what a misspelt word may have meant. */
const expectedWords = (expected: readonly string[]): string[] =>
  expected.flatMap((text) => (/^"[A-Za-z ]+"$/.test(text) ? [text.slice(1, -1)] : []));

/** The token that does not fit `rule`, compared with what would have. */
export function unexpectedToken(
  rule: keyof LineRules,
  line: Line,
  text: string,
  failure: LineFailure,
  form: string | undefined,
): Diagnostic {
  const span = tokenSpan(line, failure.token);
  const written = failure.token * 2 < line.offsets.length ? tokenText(line, text, failure.token) : '';
  const words = expectedWords(failure.expected);
  const inCase = words.find(
    (word) => word.split(' ')[0] !== written && word.split(' ')[0]?.toLowerCase() === written.toLowerCase(),
  );
  if (inCase !== undefined) return catalogue.wrongCase(span, written, inCase.split(' ')[0] ?? inCase);
  const suggestion =
    written === ''
      ? undefined
      : closest(
          written,
          words.map((word) => word.split(' ')[0] ?? word),
        );
  if (line.shape.charAt(failure.token - 1) === ':' && openers.has(tokenText(line, text, 0))) return catalogue.besideBlock(span);
  if (suggestion === undefined) {
    const meant = respell(rule, line, text, failure);
    if (meant !== undefined) {
      const place = tokenSpan(line, meant.token);
      return meant.written.toLowerCase() === meant.word.toLowerCase()
        ? catalogue.wrongCase(place, meant.written, meant.word)
        : catalogue.unexpected(place, `"${meant.written}"`, [], meant.word, form);
    }
    const foreign = foreignOperator(line, text, failure);
    if (foreign !== undefined) return foreign;
  }
  return catalogue.unexpected(span, found(line, text, failure.token), inWords(failure.expected), suggestion, form);
}

/** A comparison with "not" inside that the language does not have. */
function oppositeOf(line: Line, text: string, token: number): Diagnostic | undefined {
  const last = token < line.shape.length && tokenText(line, text, token) === 'not' ? token + 1 : token - 1;
  const { end } = tokenSpan(line, last);
  const found = /\b(?:is not (?:above|below|at least|at most|between|in)|not (?:contains|in|empty))$/.exec(
    text.slice(line.start, end),
  );
  if (found === null) return undefined;
  return catalogue.opposite({ start: line.start + found.index, end }, found[0], opposites[found[0]]);
}

/** A word of the language in another case, where that is all that keeps `rule` from reading the line, or from reading it further. */
export function wrongCapitals(rule: keyof LineRules, line: Line, text: string, failure: LineFailure): Diagnostic | undefined {
  const meant = respell(rule, line, text, failure);
  return meant === undefined || meant.written.toLowerCase() !== meant.word.toLowerCase()
    ? undefined
    : catalogue.wrongCase(tokenSpan(line, meant.token), meant.written, meant.word);
}

/** An operator of other languages, at the place of the failure or read as a name just before it. */
function foreignOperator(line: Line, text: string, { token, expected }: LineFailure): Diagnostic | undefined {
  if (!inWords(expected).includes('an operator such as plus')) return undefined;
  const span = tokenSpan(line, token);
  const written = token < line.shape.length ? tokenText(line, text, token) : '';
  if (/^-\d/.test(written)) return catalogue.signForMinus(span, written);
  // Directly behind a name.
  if (written === '[' && line.offsets[2 * token - 1] === span.start) return catalogue.bracketForField(span);
  const opposite = oppositeOf(line, text, token);
  if (opposite !== undefined) return opposite;
  if (/^(above|below|between)$/.test(written)) return catalogue.unexpected(span, `"${written}"`, [], `is ${written}`, undefined);
  const before = token > 0 ? tokenText(line, text, token - 1) : '';
  // A ready-made value without its "of" is read as a variable.
  if (/^(count|sum|first|last|uppercase|lowercase|number|text)$/.test(before) && /^[^),:\]]/.test(written) && written !== 'of')
    return catalogue.unexpected(tokenSpan(line, token - 1), `"${before}"`, [], `${before} of`, undefined);
  for (const index of [token, token - 1]) {
    const word = index < 0 || index >= line.shape.length ? '' : tokenText(line, text, index);
    const meant = Object.hasOwn(foreignOperators, word) ? foreignOperators[word] : undefined;
    if (meant === undefined) continue;
    // "is greater than" as a whole stands for "is above".
    const first = meant.startsWith('is') && index > 0 && tokenText(line, text, index - 1) === 'is' ? index - 1 : index;
    const last = /^(than|to)$/.test(tokenText(line, text, index + 1)) ? index + 1 : index;
    const place = tokenSpan(line, first, last);
    return catalogue.unexpected(place, `"${text.slice(place.start, place.end)}"`, [], meant, undefined);
  }
  return undefined;
}

/** The first word of a statement that `written` stands for: itself, in another case, misspelt, or a word of another language. */
export function meantStatement(written: string): string | undefined {
  if (statementWords.includes(written)) return written;
  const foreign = written.toLowerCase();
  return closest(written, statementWords) ?? (Object.hasOwn(foreignWords, foreign) ? foreignWords[foreign] : undefined);
}

/** A line of the block of a step, a loop, … that is no statement. */
export function explainStatement(line: Line, text: string, failure: LineFailure): Diagnostic {
  const first = tokenText(line, text, 0);
  const firstSpan = tokenSpan(line, 0);
  const block = blockProblem(line, text, failure);
  if (/^retry$|^if still failing/.test(first) || /^if\s+still\s+failing\b/.test(text.slice(line.start, line.end))) {
    return catalogue.strayRetry(lineSpan(line), first === 'retry' ? 'retry' : 'if still failing');
  }
  if (first === 'save' || (first === 'on' && /^on\s+failure\b/.test(text.slice(line.start, line.end)))) {
    return catalogue.strayCallOption(lineSpan(line), first === 'on' ? 'on failure' : 'save');
  }
  if (statementWords.includes(first))
    return block ?? unexpectedToken('statementLine', line, text, failure, statementForms[first]);
  if (line.shape.includes(USING))
    return unexpectedToken('statementLine', line, text, failure, quotedPath(line, text, failure) ?? callForm);
  if (!/^[\p{L}_]/u.test(first))
    return catalogue.unexpected(firstSpan, found(line, text, 0), ['the first word of a statement'], undefined, undefined);
  const using = misspeltUsing(line, text);
  if (using !== undefined) return using;
  // "get x from GitHub" is a call without "using", and no slip of "set".
  const isVerb = methodOf('api', first) !== 'POST' && line.shape.charAt(2) !== TO;
  const meant = isVerb ? undefined : meantStatement(first);
  if (meant !== undefined && meant.toLowerCase() === first.toLowerCase()) return catalogue.wrongCase(firstSpan, first, meant);
  const isElseIf = meant === 'otherwise' && (/^el(se)?if$/i.test(first) || tokenText(line, text, 1) === 'if');
  return catalogue.unknownStatement(
    firstSpan,
    first,
    meant === undefined ? undefined : isElseIf && tokenText(line, text, 1) !== 'if' ? 'otherwise if' : fullKeyword(meant),
    meant === undefined ? undefined : isElseIf ? 'otherwise if total is above 10:' : statementForms[meant],
  );
}

/** How a call is written whose path is a name without quotes. */
function quotedPath(line: Line, text: string, { token }: LineFailure): string | undefined {
  if (token === 0 || token >= line.shape.length || tokenText(line, text, token - 1) !== 'at') return undefined;
  const written = tokenText(line, text, token);
  const { start } = tokenSpan(line, token);
  return start - line.start < 100 && /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(written)
    ? `${text.slice(line.start, start)}"/{${written}}"`
    : undefined;
}

/** A service call whose `using` is written wrongly. */
function misspeltUsing(line: Line, text: string): Diagnostic | undefined {
  for (let index = 1; 2 * index < line.offsets.length; index++) {
    const word = tokenText(line, text, index);
    if (closest(word, ['using']) === undefined) continue;
    return word.toLowerCase() === 'using'
      ? catalogue.wrongCase(tokenSpan(line, index), word, 'using')
      : catalogue.unexpected(tokenSpan(line, index), `"${word}"`, ['"using"'], 'using', callForm);
  }
  return undefined;
}

/** First words of the lines that open a block. */
const openers = new Set(['if', 'otherwise', 'for', 'step', 'on', 'with', 'config', 'services', 'workflow']);

/** A missing colon, or a block without lines. */
export function blockProblem(line: Line, text: string, failure: LineFailure): Diagnostic | undefined {
  if (failure.token * 2 < line.offsets.length || !openers.has(tokenText(line, text, 0))) return undefined;
  if (line.shape.endsWith(':') && line.children.length === 0) return catalogue.emptyBlock(lineSpan(line), 4 * (line.depth + 1));
  return failure.expected.includes('":"')
    ? catalogue.missingColon({ start: Math.max(line.start, line.end - 1), end: line.end })
    : undefined;
}

/** A line under a call, or under `on failure:`, that is none of those that belong there. */
export function explainOption(
  rule: 'callOptionLine' | 'failureLine',
  line: Line,
  text: string,
  failure: LineFailure,
): Diagnostic {
  const first = tokenText(line, text, 0);
  const block = blockProblem(line, text, failure);
  if (rule === 'callOptionLine' && (first === 'retry' || first === 'if'))
    return catalogue.strayRetry(lineSpan(line), first === 'retry' ? 'retry' : 'if still failing');
  if (Object.hasOwn(optionForms, first)) return block ?? unexpectedToken(rule, line, text, failure, optionForms[first]);
  const meant = /^[\p{L}_]/u.test(first) ? closest(first, Object.keys(optionForms)) : undefined;
  return meant !== undefined && meant.toLowerCase() === first.toLowerCase()
    ? catalogue.wrongCase(tokenSpan(line, 0), first, meant)
    : catalogue.notACallOption(lineSpan(line), meant);
}
