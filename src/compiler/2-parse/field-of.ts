// A field read in the order of a sentence: `price of line` instead of `line.price`.
import { type Line, tokenSpan, tokenText } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import type { LineFailure } from './match-line.js';

const NAME = /^[\p{L}_][\p{L}\p{N}_-]*$/u;
const PATH = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

/** `undefined` unless the line fails at the "of" between two names. */
export function fieldOf(line: Line, text: string, { token }: LineFailure): Diagnostic | undefined {
  if (token === 0 || token + 1 >= line.shape.length || tokenText(line, text, token) !== 'of') return undefined;
  const [field, owner] = [tokenText(line, text, token - 1), tokenText(line, text, token + 1)];
  if (!NAME.test(field) || !PATH.test(owner)) return undefined;
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
    `${owner}.${field}`,
    `To read a field of each item of a list, write:\n    item.${field} for each item in ${owner}`,
  );
}
