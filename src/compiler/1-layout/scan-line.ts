// One line of text → its tokens. Hand-written because it sees every character of a file: everything after it works on tokens.
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { tokenClass, wordCharacter } from './alphabet.js';
import { type Line, tokenSpan } from './line.js';
import { nameHint } from './name-hint.js';
import { MOST_PREFIXES, tooManyPrefixes } from './prefixes.js';
import { endOfFreeText, endOfText, isSpace } from './scan-text.js';
import { strayHint } from './stray.js';

/** More tokens than any line that a person writes; keeps the time for one line bounded. */
const MAX_TOKENS = 5_000;
const MAX_PARENTHESES = 200;
/** Fields in one dotted name; each is a level of the emitted code. */
export const MOST_FIELDS = 100;

// U+FFFD stands for bytes that are no UTF-8 and were reported already: as a letter it causes no second message.
// Functions, because classes of Unicode take V8 longer to get ready than a small file takes altogether, and few files need them.
const nameStart = (): RegExp => /[\p{L}_\ufffd]/u;
const wholeName = (): RegExp => /[\p{L}_\ufffd][\p{L}\p{M}\p{Nd}_\ufffd-]*/uy;
const segment = (): RegExp => /[\p{L}\p{M}\p{Nd}_\ufffd-]*/uy;
const numberLike = (): RegExp => /[\p{L}\p{M}\p{Nd}_.,%€$-]*/uy;
const NUMBER = /-?\d+(?:\.\d+)?/y;
const ASCII_NUMBER_LIKE = /[\w.,%$-]*/y;

// What an ASCII character can begin or continue, for a table look-up instead of a regular expression.
enum Kind {
  Other,
  /** Also `_`. */
  Letter,
  Digit,
  Hyphen,
}
const kinds = new Uint8Array(128);
kinds.fill(Kind.Digit, 0x30, 0x3a);
kinds.fill(Kind.Letter, 0x41, 0x5b);
kinds.fill(Kind.Letter, 0x61, 0x7b);
kinds[0x5f] = Kind.Letter;
kinds[0x2d] = Kind.Hyphen;
const kindAt = (text: string, at: number): Kind => kinds[text.charCodeAt(at)] ?? Kind.Other;

const matchEnd = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
};

/** Offset after the characters that people write into a number, right or wrong. */
function endOfNumberLike(text: string, at: number): number {
  const end = matchEnd(ASCII_NUMBER_LIKE, text, at);
  return text.charCodeAt(end) < 128 || end >= text.length ? end : matchEnd(numberLike(), text, at);
}

/** Offset after the run of name characters that begins at `at`. */
function endOfName(text: string, at: number): number {
  let end = at;
  while (kindAt(text, end) !== Kind.Other) end++;
  return text.charCodeAt(end) < 128 || end >= text.length ? end : matchEnd(segment(), text, at);
}

/** Fills `line` with the tokens between its start and `lineEnd`; what cannot be a token becomes its fault. */
export function scanLine(text: string, line: Line, lineEnd: number): void {
  const fault = scanTokens(text, line, lineEnd) ?? prefixFault(line);
  if (fault === undefined) return;
  line.fault ??= fault;
  line.end = endOfFreeText(text, line.start, lineEnd);
}

function prefixFault(line: Line): Diagnostic | undefined {
  const at = tooManyPrefixes(line.shape);
  return at === -1 ? undefined : catalogue.tooManyPrefixes(tokenSpan(line, at), MOST_PREFIXES);
}

/** Gives what is wrong with the first text that is no token. */
function scanTokens(text: string, line: Line, lineEnd: number): Diagnostic | undefined {
  let at = line.start;
  let depth = 0;
  const push = (character: string, end: number): void => {
    line.shape += character;
    line.offsets.push(at, end);
    line.end = end;
    at = end;
  };

  while (at < lineEnd) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) {
      at++;
    } else if (
      kindAt(text, at) === Kind.Letter ||
      (code > 127 && nameStart().test(String.fromCodePoint(text.codePointAt(at) ?? code)))
    ) {
      const fault = scanName(text, at, push);
      if (fault !== undefined) return fault;
      if (startsFreeText(text, line, at, lineEnd)) {
        while (isSpace(text.charCodeAt(at))) at++;
        const end = endOfFreeText(text, at, lineEnd);
        if (end > at) push(tokenClass.raw, end);
        return undefined;
      }
    } else if (kindAt(text, at) === Kind.Digit || (code === 0x2d && kindAt(text, at + 1) === Kind.Digit)) {
      const end = matchEnd(NUMBER, text, at);
      const longer = endOfNumberLike(text, end);
      // Inside brackets a comma stands between two items; elsewhere it is most likely meant to group digits.
      const tail = text.slice(end, longer).replace(depth > 0 ? /,.*$/ : /,$/, '');
      if (tail !== '')
        return catalogue.badNumber({ start: at, end: end + tail.length }, text.slice(at, end) + tail, numberHint(tail));
      push(tokenClass.number, end);
    } else if (code === 0x22) {
      const end = endOfText(text, at, lineEnd);
      if (end === -1) return catalogue.unclosedQuote({ start: at, end: lineEnd });
      push(tokenClass.text, end);
    } else if (code === 0x23 && (at === line.start || isSpace(text.charCodeAt(at - 1)))) {
      return undefined;
    } else if (PUNCTUATION.has(code)) {
      if (code === 0x28 || code === 0x5b) depth++;
      else if (code === 0x29 || code === 0x5d) depth--;
      if (depth > MAX_PARENTHESES) return catalogue.parenthesesTooDeep({ start: at, end: at + 1 }, MAX_PARENTHESES);
      push(text.charAt(at), at + 1);
      if (code === 0x3a && line.shape === TRIGGER) {
        while (isSpace(text.charCodeAt(at))) at++;
        const end = endOfFreeText(text, at, lineEnd);
        if (end > at) push(tokenClass.raw, end);
        return undefined;
      }
    } else {
      const character = String.fromCodePoint(text.codePointAt(at) ?? code);
      const span = { start: at, end: at + character.length };
      return code < 32 || code === 127
        ? catalogue.controlCharacter(span, code)
        : catalogue.strayCharacter(span, character, strayHint(character, text, at));
    }
    if (line.offsets.length > 2 * MAX_TOKENS) return catalogue.tooManyTokens({ start: at - 1, end: at }, MAX_TOKENS);
  }
  return undefined;
}

const PUNCTUATION = new Set([...'()[],:'].map((character) => character.charCodeAt(0)));
const TRIGGER = `${wordCharacter('trigger') ?? ''}:`;
const ASK = wordCharacter('ask') ?? '';
const TO = wordCharacter('to') ?? '';

/** True after `ask <name> to`, unless a quoted text follows that is the whole instruction. */
function startsFreeText(text: string, line: Line, at: number, lineEnd: number): boolean {
  if (line.offsets.length !== 6 || line.shape.charAt(0) !== ASK || line.shape.charAt(2) !== TO) return false;
  let next = at;
  while (isSpace(text.charCodeAt(next))) next++;
  if (text.charCodeAt(next) !== 0x22) return true;
  const close = endOfText(text, next, lineEnd);
  if (close === -1) return false;
  const rest = text.slice(close, endOfFreeText(text, close, lineEnd)).trimStart();
  // Also in capitals, which are reported then.
  return rest !== '' && !/^with\s/i.test(rest);
}

/** A name, a word of the language, or a dotted name. Returns what is wrong with it. */
function scanName(text: string, start: number, push: (character: string, end: number) => void): Diagnostic | undefined {
  let end = kindAt(text, start) === Kind.Letter ? endOfName(text, start) : matchEnd(wholeName(), text, start);
  let fields = 0;
  let bad = text.charCodeAt(end - 1) === 0x2d;
  while (text.charCodeAt(end) === 0x2e) {
    const from = end + 1;
    const next = endOfName(text, from);
    // A segment is a name, or the position of an item in digits.
    if (
      next === from ||
      (kindAt(text, from) === Kind.Digit
        ? !/^\d+$/.test(text.slice(from, next))
        : text.charCodeAt(next - 1) === 0x2d || kindAt(text, from) === Kind.Hyphen)
    )
      bad = true;
    fields++;
    end = next;
  }
  const name = text.slice(start, end);
  if (bad) return catalogue.badName({ start, end }, name, nameHint(name));
  if (fields > MOST_FIELDS) return catalogue.pathTooLong({ start, end }, MOST_FIELDS);
  push(fields > 0 ? tokenClass.path : (wordCharacter(name) ?? tokenClass.name), end);
  return undefined;
}

const numberHint = (tail: string): string =>
  tail.startsWith(',')
    ? 'Numbers are written without commas, with a point for the fraction: 1200.50'
    : /^-\d/.test(tail)
      ? `To subtract, write "minus": minus ${tail.slice(1)}`
      : tail.startsWith('%')
        ? 'For a percentage, divide by 100: 15% is 0.15.'
        : `A number is digits, with a point for the fraction: 12, -3.5. ${/^[\w-]*[A-Za-z_]/.test(tail) ? 'A name begins with a letter or "_". ' : ''}Anything else is a text and stands in quotes.`;
