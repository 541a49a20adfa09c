// Takes a line whose texts are hidden apart into its words, and tells which of them are values.
import { isOwnWord } from '../../1-layout/alphabet.js';
import type { AroundLine } from './hidden-line.js';

export const HIDDEN_TEXT = /^\ue000\d{1,3}\ue001$/;
export const NUMERAL = /^-?\d{1,15}(?:\.\d{1,10})?$/;
export const NAME_WORD = /^[A-Za-z_\u00c0-\ud7ff][\w\u00c0-\ud7ff.{}-]*$/;
export const TIME_UNIT = /^(?:second|minute|hour|day|week|month|year)s?$/;

export const splitLine = (line: string): string[] =>
  line.match(/\ue000\d{1,3}\ue001|\d{1,15}(?:[.,:]\d{1,15}){1,9}|[<>=!&|]{1,3}|[^\s,:()[\]=<>!&|\ue000\ue001]+|[,:()[\]]/g) ?? [];

export const lineOf = (tokens: readonly string[]): string =>
  tokens
    .filter((one) => one !== '')
    .join(' ')
    .replace(/ (?=[,:)\]])/g, '')
    .replace(/(?<=[([]) /g, '');

/** Words before which, or instead of which, an operand can't stand. */
export const isValue = (token: string | undefined, { variables, inputs }: AroundLine): token is string =>
  token !== undefined &&
  (HIDDEN_TEXT.test(token) ||
    NUMERAL.test(token) ||
    (NAME_WORD.test(token) &&
      (!isOwnWord(token) || variables.has(token) || inputs.has(token) || /^(?:true|false|empty)$/.test(token))));

export const ARTICLE = /^(?:the|an?)$/;

/** Where the value ends that begins at a token: `the number of beds`, `(a plus b)`; -1 if none does. */
export function valueEnd(tokens: readonly string[], from: number, around: AroundLine): number {
  let at = from;
  if (ARTICLE.test(tokens[at] ?? '')) at++;
  while (tokens[at + 1] === 'of' && NAME_WORD.test(tokens[at] ?? '')) {
    at += 2;
    if (ARTICLE.test(tokens[at] ?? '')) at++;
  }
  if (NUMERAL.test(tokens[at] ?? '') && tokens[at + 1] === 'percent' && tokens[at + 2] === 'of') at += 3;
  if (tokens[at] !== '(') return isValue(tokens[at], around) ? at + 1 : -1;
  for (let open = 0; at < tokens.length; at++) {
    if (tokens[at] === '(') open++;
    else if (tokens[at] === ')' && --open === 0) return at + 1;
  }
  return -1;
}
