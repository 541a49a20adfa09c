// Explains a line that no rule matches: picks the one diagnostic that says what the author most likely meant.

import { methodOf } from '../../../../runtime/services/verbs.js';
import { languageWords, tokenClass, wordCharacter } from '../../1-layout/alphabet.js';
import { type Line, lineSpan, tokenSpan, tokenText } from '../../1-layout/line.js';
import { withTo } from '../../1-layout/stray.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { writeLines } from '../../diagnostics/hint-marks.js';
import { closest } from '../../diagnostics/suggest.js';
import { blockUnder, callOptionTable, statementOf, statementWords, wordForForeign } from '../../vocabulary/line-table.js';
import { lookUpLines } from '../../vocabulary/look-up-line.js';
import type { LineRules } from '../line-node.js';
import { fits, type LineFailure, matchShape, opens } from '../match-line.js';
import { meaningsOf } from '../reword/reword-expected.js';
import { found, inWords, LINES } from './expected-words.js';
import { asMail, fieldOf, fieldWithSpace, nameOfTwoWords, unquotedText } from './loose-words.js';
import { explainOptionPhrase, explainPhrase } from './phrases/explain-phrase.js';

const USING = wordCharacter('using') ?? '';
const TO = wordCharacter('to') ?? '';
const callOptions: Readonly<Record<string, { readonly example: string }>> = callOptionTable;

const messageExamples: Readonly<Record<string, string>> = { save: 'save the message as payment', if: 'if nothing comes:' };

/** The words that were expected: candidates for a misspelt word. */
const expectedWords = (expected: readonly string[]): string[] =>
  expected.flatMap((text) => (/^"[A-Za-z ]+"$/.test(text) ? [text.slice(1, -1)] : []));

/** The token that does not fit `rule`, compared with what would have fitted. */
function unexpectedToken(
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
    written === '' || meaningsOf(written).length > 0
      ? undefined
      : closest(
          written,
          words.map((word) => word.split(' ')[0] ?? word),
        );
  if (line.shape.charAt(failure.token - 1) === ':' && isOpener(tokenText(line, text, 0))) return catalogue.besideBlock(span);
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

/** A keyword in the wrong case, if that alone keeps `rule` from matching the line, or from matching more of it. */
export function wrongCapitals(rule: keyof LineRules, line: Line, text: string, failure: LineFailure): Diagnostic | undefined {
  const meant = respell(rule, line, text, failure);
  return meant === undefined || meant.written.toLowerCase() !== meant.word.toLowerCase()
    ? undefined
    : catalogue.wrongCase(tokenSpan(line, meant.token), meant.written, meant.word);
}

/** The first word of the statement that `written` means: itself, in another case, misspelt, or from another language. */
export function meantStatement(written: string): string | undefined {
  if (statementWords.includes(written)) return written;
  return closest(written, statementWords) ?? wordForForeign(written);
}

/** Words that are fine one by one, but mean something else together. */
const otherReading = (line: Line, text: string, failure: LineFailure): Diagnostic | undefined =>
  unquotedText(line, text) ?? fieldOf(line, text, failure) ?? fieldWithSpace(line, text, failure);

/** Explains a line among statements that is not a statement. */
export function explainStatement(line: Line, text: string, failure: LineFailure): Diagnostic {
  const first = tokenText(line, text, 0);
  const firstSpan = tokenSpan(line, 0);
  const block = blockProblem(line, text, failure);
  if (/^if\s+nothing\s+matches\b/.test(text.slice(line.start, line.end))) return catalogue.strayNothingMatches(lineSpan(line));
  const phrase =
    block === undefined
      ? (mailInOtherWords(line, text) ??
        lookUpInOtherWords(line, text) ??
        nameOfTwoWords(line, text, failure) ??
        explainPhrase(line, text, failure))
      : undefined;
  if (phrase !== undefined) return phrase;
  if (/^retry$|^if still failing/.test(first) || /^if\s+still\s+failing\b/.test(text.slice(line.start, line.end))) {
    return catalogue.strayRetry(lineSpan(line), first === 'retry' ? 'retry' : 'if still failing', lineText(line, text));
  }
  if (
    (first === 'save' && !line.shape.includes(USING)) ||
    (first === 'on' && /^on\s+failure\b/.test(text.slice(line.start, line.end)))
  ) {
    return catalogue.strayCallOption(lineSpan(line), first === 'on' ? 'on failure' : 'save');
  }
  if (statementWords.includes(first)) {
    const explained = block ?? unexpectedToken('statementLine', line, text, failure, questionWithTo(first, line, text));
    return (explained.suggestion === undefined ? otherReading(line, text, failure) : undefined) ?? explained;
  }
  if (line.shape.includes(USING))
    return (
      fieldWithSpace(line, text, failure) ??
      unexpectedToken('statementLine', line, text, failure, quotedPath(line, text, failure))
    );
  if (!/^[\p{L}_]/u.test(first))
    return catalogue.unexpected(firstSpan, found(line, text, 0), ['a statement'], undefined, undefined);
  const using = misspeltUsing(line, text);
  if (using !== undefined) return using;
  // "get x from GitHub" is a call without "using", not a misspelt "set".
  const isVerb = methodOf('api', first) !== 'POST' && line.shape.charAt(2) !== TO;
  const meant = isVerb ? undefined : meantStatement(first);
  if (meant !== undefined && meant.toLowerCase() === first.toLowerCase()) return catalogue.wrongCase(firstSpan, first, meant);
  const isElseIf = meant === 'otherwise' && (/^el(se)?if$/i.test(first) || tokenText(line, text, 1) === 'if');
  return catalogue.unknownStatement(
    firstSpan,
    first,
    meant === undefined
      ? undefined
      : isElseIf && tokenText(line, text, 1) !== 'if'
        ? 'otherwise if'
        : statementOf(meant)?.keyword,
  );
}

/** `send mail to request.email with subject "Hi"` */
function mailInOtherWords(line: Line, text: string): Diagnostic | undefined {
  const span = lineSpan(line);
  const call = span.end - span.start > 300 ? undefined : asMail(text.slice(span.start, span.end), text);
  if (call === undefined) return undefined;
  return catalogue.otherStatement(span, text.slice(span.start, span.end), undefined, writeLines(call));
}

/** `set fee to cost in Costs for "DE"` */
function lookUpInOtherWords(line: Line, text: string): Diagnostic | undefined {
  const span = lineSpan(line);
  const lines = span.end - span.start > 300 ? undefined : lookUpLines(text.slice(span.start, span.end), text);
  if (lines === undefined) return undefined;
  const isPlain = lines.length === 1 && lines[0]?.includes('"') === false;
  const hint = isPlain ? undefined : writeLines(lines.join('\n    '));
  return catalogue.otherWords(span, text.slice(span.start, span.end), isPlain ? lines[0] : undefined, hint);
}

const lineText = (line: Line, text: string): string => text.slice(line.start, Math.min(line.end, line.start + 300));

/** A question without its "to", with it. */
const questionWithTo = (first: string, line: Line, text: string): string | undefined =>
  first === 'ask' ? withTo(text.slice(line.start, Math.min(line.end, line.start + 301))) : undefined;

/** The right way to write a call whose path lacks quotes. */
function quotedPath(line: Line, text: string, { token }: LineFailure): string | undefined {
  if (token === 0 || token >= line.shape.length || tokenText(line, text, token - 1) !== 'at') return undefined;
  const written = tokenText(line, text, token);
  const { start } = tokenSpan(line, token);
  return start - line.start < 100 && /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(written)
    ? `${text.slice(line.start, start)}"/{${written}}"`
    : undefined;
}

/** A service call whose `using` is misspelt. */
function misspeltUsing(line: Line, text: string): Diagnostic | undefined {
  for (let index = 1; 2 * index < line.offsets.length; index++) {
    const word = tokenText(line, text, index);
    if (closest(word, ['using']) === undefined) continue;
    return word.toLowerCase() === 'using'
      ? catalogue.wrongCase(tokenSpan(line, index), word, 'using')
      : catalogue.unexpected(tokenSpan(line, index), `"${word}"`, ['"using"'], 'using', undefined);
  }
  return undefined;
}

/** Whether a line that starts with this word opens a block. `with headers:` does, `with timeout` does not. */
const isOpener = (word: string): boolean => blockUnder(word) === 'must' || word === 'with';

/** A block without lines: shown with the line below it, if that only lacks its indentation, or else with one that fits. */
function emptyBlock(line: Line, text: string): Diagnostic {
  const deeper = 4 * (line.depth + 1);
  const opens = text.slice(line.start, Math.min(line.end, line.start + 100));
  const [, spaces = '', below = ''] = /^\s*\n( *)(\S.{0,79})/.exec(text.slice(line.end, line.end + 400)) ?? [];
  const next = below.trimEnd();
  const isStatement = statementWords.includes(/^\S*/.exec(next)?.[0] ?? '') || /\susing\s/.test(next);
  if (lacksText(line, text))
    return catalogue.emptyBlock(
      lineSpan(line),
      deeper,
      `${opens}\n    ${next === '' || isStatement ? '…' : next}`,
      'of the text',
    );
  const continues = /^(?:otherwise|on|save|within|retry)\b/.test(next) || !isStatement || spaces.length !== deeper - 4;
  const fitting =
    line.depth === 0 ? 'trigger: when an order is placed' : opens.startsWith('with ') ? 'Accept: "application/json"' : 'log "…"';
  return catalogue.emptyBlock(lineSpan(line), deeper, `${opens}\n    ${continues || line.depth === 0 ? fitting : next}`);
}

/** Whether this is the head of a text without its lines: `set letter to text:`. */
export const lacksText = (line: Line, text: string): boolean =>
  line.children.length === 0 && /\bto text:$|^ask\s.*\sto:$/.test(text.slice(line.start, Math.min(line.end, line.start + 200)));

/** A missing colon, or a block without lines. */
export function blockProblem(line: Line, text: string, failure: LineFailure): Diagnostic | undefined {
  if (failure.expected.includes(LINES)) return emptyBlock(line, text);
  if (line.shape.charAt(failure.token) === tokenClass.lines && failure.expected.includes('":"'))
    return catalogue.missingColon({ start: Math.max(line.start, line.end - 1), end: line.end });
  if (failure.token * 2 < line.offsets.length || !isOpener(tokenText(line, text, 0))) return undefined;
  if (line.shape.endsWith(':') && line.children.length === 0) return emptyBlock(line, text);
  return failure.expected.includes('":"')
    ? catalogue.missingColon({ start: Math.max(line.start, line.end - 1), end: line.end })
    : undefined;
}

/** Explains a line under a call, or under `on failure:`, that does not belong there. */
export function explainOption(
  rule: 'callOptionLine' | 'failureLine' | 'messageOptionLine',
  line: Line,
  text: string,
  failure: LineFailure,
): Diagnostic {
  const first = tokenText(line, text, 0);
  const block = blockProblem(line, text, failure);
  const phrase = block === undefined ? explainOptionPhrase(line, text, rule === 'messageOptionLine') : undefined;
  if (phrase !== undefined) return phrase;
  if (rule === 'callOptionLine' && (first === 'retry' || first === 'if'))
    return catalogue.strayRetry(lineSpan(line), first === 'retry' ? 'retry' : 'if still failing', lineText(line, text));
  if (rule === 'messageOptionLine')
    return (
      block ??
      (first === 'save' || first === 'if'
        ? unexpectedToken(rule, line, text, failure, messageExamples[first])
        : catalogue.notAMessageOption(lineSpan(line)))
    );
  if (Object.hasOwn(callOptions, first)) return block ?? unexpectedToken(rule, line, text, failure, callOptions[first]?.example);
  const meant = /^[\p{L}_]/u.test(first) ? closest(first, Object.keys(callOptions)) : undefined;
  return meant !== undefined && meant.toLowerCase() === first.toLowerCase()
    ? catalogue.wrongCase(tokenSpan(line, 0), first, meant)
    : catalogue.notACallOption(meant === undefined ? lineSpan(line) : tokenSpan(line, 0), meant);
}

/** More tokens than anyone writes on a line. Matching it again for each word would take too long. */
const MOST_TOKENS = 60;
/** Candidates, starting with the name nearest to the failure. */
const MOST_TRIED = 6;

/** A keyword that was most likely meant. */
interface Respelt {
  readonly token: number;
  readonly written: string;
  readonly word: string;
}

/** Finds the one word that keeps a line from matching: a keyword in the wrong case, or misspelt. Starts before the point of failure. */
function respell(rule: keyof LineRules, line: Line, text: string, failure: LineFailure): Respelt | undefined {
  if (line.shape.length > MOST_TOKENS) return undefined;
  const end = opens(line.children);
  const written: Respelt[] = [];
  for (let token = Math.min(failure.token, line.shape.length - 1); token >= 0 && written.length < MOST_TRIED; token--) {
    if (line.shape.charAt(token) === tokenClass.name) written.push({ token, written: tokenText(line, text, token), word: '' });
  }
  const respelt = ({ token }: Respelt, word: string): string =>
    line.shape.slice(0, token) + (wordCharacter(word) ?? '') + line.shape.slice(token + 1) + end;
  for (const name of written) {
    const folded = name.written.toLowerCase();
    for (const word of languageWords) {
      if (word.toLowerCase() !== folded) continue;
      const shape = respelt(name, word);
      if (fits(rule, shape)) return { ...name, word };
      const match = matchShape(rule, shape);
      if (match.matched || match.token > failure.token) return { ...name, word };
    }
  }
  for (const name of written) {
    // Another word, not ours misspelt.
    if (meaningsOf(name.written).length > 0) continue;
    const meant = languageWords.filter((word) => closest(name.written, [word]) !== undefined && fits(rule, respelt(name, word)));
    const word = closest(name.written, meant);
    if (word !== undefined) return { ...name, word };
  }
  return undefined;
}

// Explains a line that stops where an operator could follow: a word from another language, or an opposite.

/** An operator of another language at the point of failure, or parsed as a name just before it. */
function foreignOperator(line: Line, text: string, { token, expected }: LineFailure): Diagnostic | undefined {
  const part = partWithoutOf(line, text, token, expected);
  if (part !== undefined) return part;
  if (!inWords(expected).includes('an operator such as plus')) return undefined;
  const span = tokenSpan(line, token);
  const written = token < line.shape.length ? tokenText(line, text, token) : '';
  if (/^-\d/.test(written)) return catalogue.signForMinus(span, written);
  // Directly after a name.
  if (written === '[' && line.offsets[2 * token - 1] === span.start) return catalogue.bracketForField(span);
  const opposite = oppositeOf(line, text, token);
  if (opposite !== undefined) return opposite;
  if (/^(above|below|between)$/.test(written)) return catalogue.unexpected(span, `"${written}"`, [], `is ${written}`, undefined);
  const before = token > 0 ? tokenText(line, text, token - 1) : '';
  // A built-in value without its "of" is parsed as a variable.
  if (/^(count|sum|first|last|uppercase|lowercase|number|text)$/.test(before) && /^[^),:\]]/.test(written) && written !== 'of')
    return catalogue.unexpected(tokenSpan(line, token - 1), `"${before}"`, [], `${before} of`, undefined);
  for (const index of [token, token - 1]) {
    const word = index < 0 || index >= line.shape.length ? '' : tokenText(line, text, index);
    const meant = Object.hasOwn(foreignOperators, word) ? foreignOperators[word] : undefined;
    if (meant === undefined) continue;
    // "is greater than" as a whole means "is above".
    const first = meant.startsWith('is') && index > 0 && tokenText(line, text, index - 1) === 'is' ? index - 1 : index;
    const last = /^(than|to)$/.test(tokenText(line, text, index + 1)) ? index + 1 : index;
    const place = tokenSpan(line, first, last);
    return catalogue.unexpected(place, `"${text.slice(place.start, place.end)}"`, [], meant, undefined);
  }
  return undefined;
}

/** `first rows` without its "of" reads as the start of `first 3 of rows`. */
function partWithoutOf(line: Line, text: string, token: number, expected: readonly string[]): Diagnostic | undefined {
  const at = expected.includes('"of"') ? token - 2 : -1;
  const word = at < 0 ? '' : tokenText(line, text, at);
  if (word !== 'first' && word !== 'last') return undefined;
  return catalogue.unexpected(tokenSpan(line, at), `"${word}"`, [], `${word} of`, undefined);
}

/** A negated comparison that has its own keyword. */
function oppositeOf(line: Line, text: string, token: number): Diagnostic | undefined {
  const last = token < line.shape.length && tokenText(line, text, token) === 'not' ? token + 1 : token - 1;
  const { end } = tokenSpan(line, last);
  const found = /\b(?:is not (?:above|below|at least|at most|between|in)|not (?:contains|in|empty))$/.exec(
    text.slice(line.start, end),
  );
  if (found === null) return undefined;
  return catalogue.opposite({ start: line.start + found.index, end }, found[0], opposites[found[0]]);
}

/** Names of operators and built-in values in other languages → the words used here. */
const foreignOperators: Readonly<Record<string, string>> = {
  equals: 'is',
  equal: 'is',
  greater: 'is above',
  more: 'is above',
  larger: 'is above',
  bigger: 'is above',
  smaller: 'is below',
  fewer: 'is below',
  in: 'is one of',
  includes: 'contains',
  add: 'plus',
  subtract: 'minus',
  multiplied: 'times',
  length: 'count of',
  size: 'count of',
  upper: 'uppercase of',
  lower: 'lowercase of',
};

/** Opposites with their own keywords. */
const opposites: Readonly<Record<string, string>> = {
  'is not above': 'is at most',
  'is not below': 'is at least',
  'is not at least': 'is below',
  'is not at most': 'is above',
  'is not in': 'is not one of',
  'not contains': 'does not contain',
  'not in': 'is not one of',
  'not empty': 'is not empty',
};
