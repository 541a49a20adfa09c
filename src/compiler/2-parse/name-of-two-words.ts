// A name of several words, used as on the line that tries to set it: `if days overdue is above 30`.
import { type Line, tokenSpan, tokenText } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { statementWords } from '../vocabulary/first-words.js';
import type { LineFailure } from './match-line.js';

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
