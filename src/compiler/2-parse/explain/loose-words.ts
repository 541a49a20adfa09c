// Recognizes names, fields, texts and recipients that are written as in a sentence.

import { type Line, lineSpan, tokenSpan, tokenText } from '../../1-layout/line.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import { why } from '../../diagnostics/hint-marks.js';
import { sameInOneWord } from '../../vocabulary/field-names.js';
import { statementWords } from '../../vocabulary/line-table.js';
import type { LineFailure } from '../match-line.js';
import { meaningsOf } from '../reword/reword-expected.js';

const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;
const PATH = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

/** `undefined` unless the line fails at the "of" between two names. */
export function fieldOf(line: Line, text: string, { token }: LineFailure): Diagnostic | undefined {
  if (token === 0 || token + 1 >= line.shape.length || tokenText(line, text, token) !== 'of') return undefined;
  const [field, owner] = [tokenText(line, text, token - 1), tokenText(line, text, token + 1)];
  if (!NAME.test(field) || !PATH.test(owner) || meaningsOf(`${field} of`).length > 0) return undefined;
  // Neither the item of a list nor the part of a time is a field.
  if (field === 'second')
    return catalogue.otherWords(
      tokenSpan(line, token - 1, token + 1),
      `second of ${owner}`,
      owner === 'now' ? 'text of now written as "ss"' : undefined,
      owner === 'now'
        ? 'The result is a text. To calculate with it, write:\n    number of (text of now written as "ss")'
        : `To read the second item of a list, write:\n    ${owner}.1\nTo show the seconds of a time, write:\n    text of ${owner} written as "ss"`,
    );
  return catalogue.otherWords(
    tokenSpan(line, token - 1, token + 1),
    `${field} of ${owner}`,
    isListIn(text, owner) ? undefined : `${owner}.${field}`,
    `To read a field of each item of a list, write:\n    item.${field} for each item in ${owner}`,
  );
}

/** Whether some line goes through it. */
const isListIn = (text: string, name: string): boolean =>
  new RegExp(`(?:each|some|every) \\S+ in ${name.replaceAll('.', '\\.')}(?![\\w.-])`).test(text.slice(0, FARTHEST));

const DOTTED = /^[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)+$/u;

/** Words that continue the line rather than the name. */
const NEXT =
  '(?:is|are|has|and|or|not|plus|minus|times|divided|to|with|by|in|as|at|for|from|where|using|contains|starts|ends|does|exists|rounded|sorted|grouped|split|joined|padded|like|descending|then|percent|written|satisfies|if|than)';
const REST = new RegExp(`^((?: (?!${NEXT}\\b)[\\p{L}_][\\p{L}\\p{N}_]*){1,3})(?<! of)(?=\\s*(?:$|[:,)]|${NEXT}\\s))`, 'u');

/** `undefined` unless the line fails at a word after a field. */
export function fieldWithSpace(line: Line, text: string, { token }: LineFailure): Diagnostic | undefined {
  if (token === 0 || token >= line.shape.length) return undefined;
  const path = tokenText(line, text, token - 1);
  const { start, end } = tokenSpan(line, token - 1);
  const rest = REST.exec(text.slice(end, Math.min(line.end, end + 200)))?.[1]?.slice(1);
  if (rest === undefined || path.length > 100 || !DOTTED.test(path)) return undefined;
  const span = { start, end: end + 1 + rest.length };
  const { name, hint } = sameInOneWord(`${path} ${rest}`, text);
  const isState = /^(?:otherwise )?if /.test(text.slice(line.start, start)) && /^\s*:/.test(text.slice(span.end, line.end));
  return isState
    ? catalogue.otherWords(
        span,
        `${path} ${rest}`,
        undefined,
        `To compare with a text, write:\n    ${path} is "${rest}"\nA field whose name has spaces is written in quotes:\n    ${path.slice(0, path.lastIndexOf('.'))}."${path.slice(path.lastIndexOf('.') + 1)} ${rest}"`,
      )
    : catalogue.otherWords(span, `${path} ${rest}`, name, hint);
}

const WORD = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** `undefined` unless the file sets or declares these two words as one name, with a space or a hyphen. */
export function nameOfTwoWords(line: Line, text: string, { token }: LineFailure): Diagnostic | undefined {
  if (token < 2 || token >= line.shape.length) return undefined;
  const [first, second] = [tokenText(line, text, token - 1), tokenText(line, text, token)];
  // A line that sets it has an explanation for the whole line.
  if (/^(?:set|add\s.*\sto)\s+$/.test(text.slice(line.start, tokenSpan(line, token - 1).start))) return undefined;
  if (/^(?:the|an?|my|our)$/.test(first) || statementWords.includes(first)) return undefined;
  if (first.length + second.length > 100 || !WORD.test(first) || !WORD.test(second)) return undefined;
  const named = new RegExp(`^ *(?:(?:set|add .* to|save the \\w+ as) )?${first}[ -]${second}(?: to | is | *$)`, 'mu');
  if (!named.test(text)) return undefined;
  const span = tokenSpan(line, token - 1, token);
  return catalogue.otherWords(
    span,
    `${first} ${second}`,
    `${first}-${second}`,
    'A name is one word. Join its words with a hyphen.',
  );
}

/** Unlike services, variables start with a small letter. */
const VALUE = String.raw`("[^"]*"|[\p{Ll}_][\p{L}\p{N}_.-]*)`;
const SENDS = new RegExp(
  String.raw`^(?:send|e-?mail|mail) (?:(?:an? |the )?([\p{L}-]+) )?to ${VALUE}(?:,? (?:with|and) (?!the |an? )(.+))?$`,
  'u',
);
const MAILS = new RegExp(`^(?:e-?mail|mail) ${VALUE},? (?:with |saying )?("[^"]*")$`, 'u');

/** A server that is declared further down is not searched for. */
const FARTHEST = 20_000;

/** The line as a call; `undefined` if it is another kind of line, or the file declares no mail server. */
export function asMail(line: string, text: string): string | undefined {
  if (line.length > 300 || !/^(?:send|e-?mail|mail) /.test(line) || /\busing\b/.test(line)) return undefined;
  const [, what = 'mail', to, pairs] = SENDS.exec(line) ?? [];
  const [, address, message] = MAILS.exec(line) ?? [];
  if (to === undefined && address === undefined) return undefined;
  const server = /^ {4}([\p{L}_][\p{L}\p{N}_-]*) is an? mail server\b/mu.exec(text.slice(0, FARTHEST))?.[1];
  if (server === undefined) return undefined;
  if (to === undefined) return `send mail using ${server} with to ${address} and text ${message}`;
  return `send ${what} using ${server} with to ${to}${pairs === undefined ? '' : ` and ${pairs}`}`;
}

const UNQUOTED =
  /^(?:log|reject\s+with|set\s+[\p{L}_][\p{L}\p{N}_.-]*\s+to)\s+([\p{L}_][\p{L}\p{N}_'’.,;!?-]*(?:\s+[\p{L}\p{N}_][\p{L}\p{N}_'’.,;!?-]*){1,30})$/u;

/** Words that make it a value in other words rather than text. */
const CALCULATES =
  /\b(?:plus|minus|times|divided|rounded|round|mod|power|root|random|percent|record|list|empty|sorted|grouped|split|joined|where|of|each|today|now)\b/i;

/** `log order received` → `"order received"`; `undefined` for lines of another form. */
export function unquotedText(line: Line, text: string): Diagnostic | undefined {
  const { start, end } = lineSpan(line);
  if (end - start > 300) return undefined;
  const words = UNQUOTED.exec(text.slice(start, end))?.[1];
  // A dot inside a word reads a field.
  if (words === undefined || /\.\S/.test(words) || CALCULATES.test(words)) return undefined;
  // `soon ordered by date` is about a name of the file.
  const first = /^[\w-]+/.exec(words)?.[0] ?? '';
  if (new RegExp(`^ *(?:set|save the [a-z ]+ as) ${first}(?= to |$)`, 'm').test(text.slice(0, FARTHEST))) return undefined;
  return catalogue.otherWords({ start: end - words.length, end }, words, undefined, why(`Put text in quotes:\n    "${words}"`));
}
