// Tokenizes one line of text. Handwritten because it sees every character of a file; everything after it works on tokens.
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic, Span } from '../diagnostics/diagnostic.js';
import { endOfQuotes } from '../vocabulary/field-names.js';
import { tokenClass, wordCharacter } from './alphabet.js';
import { type TokenLine, tokenSpan } from './line.js';
import { signAt, strayHint, wordForSign } from './stray.js';
import { malformedNumberHint, nameHint, patternHint, sentenceHint } from './word-hints.js';

/** More tokens than anyone writes on a line; bounds the time for one line. */
const MAX_TOKENS = 5_000;
const MAX_PARENTHESES = 200;
/** Fields in one dotted name; each is a level of the emitted code. */
export const MOST_FIELDS = 100;

// U+FFFD replaces bytes that are not UTF-8 and are already reported. Treated as a letter, it causes no second message.
// Compiled on demand: V8 takes longer to prepare Unicode classes than to compile a small file, and few files need them.
const nameStart = (): RegExp => /[\p{L}_\ufffd]/u;
const wholeName = (): RegExp => /[\p{L}_\ufffd][\p{L}\p{M}\p{Nd}_\ufffd-]*/uy;
const segment = (): RegExp => /[\p{L}\p{M}\p{Nd}_\ufffd-]*/uy;
const numberLike = (): RegExp => /[\p{L}\p{M}\p{Nd}_.,%\u20ac$-]*/uy;
const NUMBER = /-?\d+(?:\.\d+)?/y;
const ASCII_NUMBER_LIKE = /[\w.,%$-]*/y;

// The tokens that an ASCII character can begin or continue, looked up in a table instead of with a regular expression.
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

/** Offset after everything that people put into a number, valid or not. */
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

/** Fills `line` with the tokens up to `lineEnd`. Text that cannot be a token becomes its fault. */
export function scanLine(text: string, line: TokenLine, lineEnd: number): void {
  const fault = scanTokens(text, line, lineEnd) ?? prefixFault(line);
  if (fault === undefined) return;
  line.fault ??= fault;
  line.end = endOfFreeText(text, line.start, lineEnd);
}

function prefixFault(line: TokenLine): Diagnostic | undefined {
  const at = excessPrefix(line.shape);
  return at === -1 ? undefined : catalogue.tooManyPrefixes(tokenSpan(line, at), MOST_PREFIXES);
}

/** Returns what is wrong with the first text that is not a token. */
function scanTokens(text: string, line: TokenLine, lineEnd: number): Diagnostic | undefined {
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
      const fault = scanName(text, at, lineEnd, push);
      if (fault !== undefined) return fault;
      if (startsFreeText(text, line, at, lineEnd)) {
        while (isSpace(text.charCodeAt(at))) at++;
        const end = endOfFreeText(text, at, lineEnd);
        if (end > at) push(tokenClass.raw, end);
        return undefined;
      }
    } else if (kindAt(text, at) === Kind.Digit || (code === 0x2d && kindAt(text, at + 1) === Kind.Digit)) {
      const end = matchEnd(NUMBER, text, at);
      const fault = malformedNumber(text, { line: line.start, number: at, end, lineEnd }, depth > 0);
      if (fault !== undefined) return fault;
      push(tokenClass.number, end);
    } else if (code === 0x22) {
      const end = endOfQuotes(text, at, lineEnd);
      if (end === -1)
        return catalogue.unclosedQuote(
          { start: at, end: lineEnd },
          /[\u201c\u201d\u201e]/.test(text.slice(at, Math.min(lineEnd, at + 500))),
        );
      const fault = quotesInBraces(text, { start: at, end }, lineEnd);
      if (fault !== undefined) return fault;
      push(tokenClass.text, end);
    } else if (code === 0x23 && (at === line.start || isSpace(text.charCodeAt(at - 1)))) {
      return undefined;
    } else if (PUNCTUATION.has(code) || (ROW_SIGNS.has(code) && text.charCodeAt(line.start) === BAR)) {
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
      const character = signAt(text, at);
      const span = { start: at, end: at + character.length };
      return code < 32 || code === 127
        ? catalogue.controlCharacter(span, code)
        : catalogue.strayCharacter(span, character, strayHint(character, text, at), wordForSign(character, text, at));
    }
    if (line.offsets.length > 2 * MAX_TOKENS) return catalogue.tooManyTokens({ start: at - 1, end: at }, MAX_TOKENS);
  }
  return undefined;
}

/** What is wrong with `"Fee: {fee written as "1,234 EUR"}"`, whose quotes end the text in the middle of them. */
function quotesInBraces(text: string, quotes: Span, lineEnd: number): Diagnostic | undefined {
  const written = text.slice(quotes.start, quotes.end - 1);
  const open = written.lastIndexOf('{');
  if (open === -1 || open === written.length - 1 || written.charAt(open - 1) === '{' || written.includes('}', open))
    return undefined;
  const rest = text.slice(quotes.end, lineEnd).indexOf('}');
  if (rest === -1) return undefined;
  const span = { start: quotes.start + open, end: quotes.end + rest + 1 };
  return catalogue.badInterpolation(span, text.slice(span.start + 1, span.end - 1), { around: aroundBraces(text, span) });
}

/** Characters before or after braces that a message repeats. Without a limit, a long line with many braces would be copied for each. */
const MOST_AROUND = 300;

/** The line around braces, without its indentation; `undefined` if it is long. */
export function aroundBraces(
  text: string,
  { start, end }: Span,
): { readonly before: string; readonly after: string } | undefined {
  const before = text.slice(Math.max(0, start - MOST_AROUND), start);
  const after = text.slice(end, end + MOST_AROUND);
  const [from, to] = [before.lastIndexOf('\n'), after.indexOf('\n')];
  if ((from === -1 && start > MOST_AROUND) || (to === -1 && end + MOST_AROUND < text.length)) return undefined;
  return { before: before.slice(from + 1).trimStart(), after: (to === -1 ? after : after.slice(0, to)).trimEnd() };
}

/** Explains a number that more characters follow, such as `1,000` or `5kg`. */
function malformedNumber(
  text: string,
  at: Readonly<Record<'line' | 'number' | 'end' | 'lineEnd', number>>,
  inBrackets: boolean,
): Diagnostic | undefined {
  const rest = text.slice(at.end, endOfNumberLike(text, at.end));
  // Inside brackets, a comma separates items; elsewhere, it most likely groups digits.
  const tail = inBrackets ? (rest.split(',', 1)[0] ?? '') : rest.replace(/,$/, '');
  if (tail === '') return undefined;
  const end = at.end + tail.length;
  const written = text.slice(at.number, end);
  const hint = malformedNumberHint(written, text.slice(at.line, at.number), text.slice(end, at.lineEnd));
  return catalogue.badNumber({ start: at.number, end }, written, hint);
}

const BAR = 0x7c;
/** Tokens that only rows of a table have: bars between the cells, and a hyphen for any value. */
const ROW_SIGNS = new Set([BAR, 0x2d]);
const PUNCTUATION = new Set([...'()[],:'].map((character) => character.charCodeAt(0)));
const TRIGGER = `${wordCharacter('trigger') ?? ''}:`;
const ASK = wordCharacter('ask') ?? '';
const TO = wordCharacter('to') ?? '';

/** True after `ask <name> to`, unless a block follows, or quoted text that is the whole instruction. */
function startsFreeText(text: string, line: TokenLine, at: number, lineEnd: number): boolean {
  if (line.offsets.length !== 6 || line.shape.charAt(0) !== ASK || line.shape.charAt(2) !== TO) return false;
  let next = at;
  while (isSpace(text.charCodeAt(next))) next++;
  // The instruction is the lines below.
  if (text.slice(next, endOfFreeText(text, next, lineEnd)) === ':') return false;
  if (text.charCodeAt(next) !== 0x22) return true;
  const close = endOfQuotes(text, next, lineEnd);
  if (close === -1) return false;
  const rest = text.slice(close, endOfFreeText(text, close, lineEnd)).trimStart();
  // Capitals count too; they are reported elsewhere.
  return rest !== '' && !/^with\s/i.test(rest);
}

/** A name, a keyword, or a dotted name. Returns what is wrong with it. */
function scanName(
  text: string,
  start: number,
  lineEnd: number,
  push: (character: string, end: number) => void,
): Diagnostic | undefined {
  let end = kindAt(text, start) === Kind.Letter ? endOfName(text, start) : matchEnd(wholeName(), text, start);
  let fields = 0;
  let bad = text.charCodeAt(end - 1) === 0x2d;
  while (text.charCodeAt(end) === 0x2e) {
    const from = end + 1;
    if (text.charCodeAt(from) === 0x7b) {
      // A field named by a variable.
      const close = endOfFieldName(text, from);
      if (close === -1) return catalogue.badFieldName({ start: from, end: endOfBraces(text, from) });
      fields++;
      end = close;
      continue;
    }
    if (text.charCodeAt(from) === 0x22) {
      const close = endOfQuotes(text, from, lineEnd);
      if (close === -1) return catalogue.unclosedQuote({ start: from, end: lineEnd }, false);
      const quoted = { start: from, end: close };
      const fault = quotedNameFault(text, quoted);
      if (fault !== undefined) return fault;
      fields++;
      end = close;
      continue;
    }
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
  if (bad) return catalogue.badName({ start, end }, name, patternHint(text, start) ?? sentenceHint(text, end) ?? nameHint(name));
  if (fields > MOST_FIELDS) return catalogue.pathTooLong({ start, end }, MOST_FIELDS);
  push(fields > 0 ? tokenClass.path : (wordCharacter(name) ?? tokenClass.name), end);
  return undefined;
}

/** Explains an invalid name in quotes: no name at all, or one with a value in it. */
export function quotedNameFault(text: string, span: Span): Diagnostic | undefined {
  const written = text.slice(span.start + 1, span.end - 1);
  const [, value] = /(?:^|[^{])\{([^{}]*)\}/.exec(written.replaceAll('{{', '')) ?? [];
  return written.trim() === '' || value !== undefined ? catalogue.badQuotedName(span, value) : undefined;
}

/** Offset after the closing brace of `{name}`, or -1 if the braces contain anything but a name. */
function endOfFieldName(text: string, open: number): number {
  const close = endOfBraces(text, open);
  return isReference(text.slice(open + 1, close - 1).trim()) && text.charAt(close - 1) === '}' ? close : -1;
}

/** Offset after the closing brace, or the end of the line. */
function endOfBraces(text: string, open: number): number {
  const found = /[}\r\n]|$/.exec(text.slice(open));
  return open + (found?.index ?? 0) + (found?.[0] === '}' ? 1 : 0);
}

/** Any more would overflow the stack of the parser. */
const MOST_PREFIXES = 200;

const characters = (words: string): ReadonlySet<string> => new Set(words.split(' ').map((word) => wordCharacter(word) ?? ''));
const prefixes = characters('not of trimmed reversed from');
/** The first words of `count of` and similar prefixes. */
const beginnings = characters(
  'count sum first last highest lowest average unique fields uppercase lowercase absolute value number text date time weekday day week month year hour ' +
    'minute start end quarter position remainder characters percent seconds minutes hours days weeks months years working',
);

/** Index of the token that exceeds the limit of prefixes before one value, or -1. */
function excessPrefix(shape: string): number {
  if (shape.length <= MOST_PREFIXES) return -1;
  /** Before the open brackets, and since. */
  const held: number[] = [];
  let before = 0;
  let count = 0;
  for (let index = 0; index < shape.length; index++) {
    const token = shape.charAt(index);
    if (prefixes.has(token)) {
      if (before + ++count > MOST_PREFIXES) return index;
    } else if (token === '(' || token === '[') {
      held.push(count);
      before += count;
      count = 0;
    } else if (!beginnings.has(token)) {
      if (token === ')' || token === ']') before -= held.pop() ?? 0;
      count = 0;
    }
  }
  return -1;
}

const PLAIN = /^[A-Za-z_][\w-]*(?:\.(?:[A-Za-z_][\w-]*|\d+))*$/;
const anyName = (): RegExp => /^[\p{L}_][\p{L}\p{M}\p{Nd}_-]*(?:\.(?:[\p{L}_][\p{L}\p{M}\p{Nd}_-]*|\d+))*$/u;

/**
 * The pattern of a name with its fields, in the braces of text and paths: `order.lines.0.price`.
 * Tries the plain pattern first and compiles the other one lazily: Unicode classes take V8 a millisecond.
 */
export const isReference = (text: string): boolean => (PLAIN.test(text) || anyName().test(text)) && !/-(?:\.|$)/.test(text);

/**
 * End of free text (a trigger, an instruction) that starts at `start`: the end of the line, or the comment that a `#` after a space opens
 * outside quotes, without trailing spaces. A quote that is never closed is an ordinary character.
 */
function endOfFreeText(text: string, start: number, lineEnd: number): number {
  let end = lineEnd;
  for (let at = start; at < lineEnd; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const close = endOfQuotes(text, at, lineEnd);
      if (close !== -1) at = close - 1;
    } else if (code === 0x23 && (at === start || isSpace(text.charCodeAt(at - 1)))) {
      end = at;
      break;
    }
  }
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return end;
}

/** A space or a tab. */
export const isSpace = (code: number): boolean => code === 0x20 || code === 0x09;
