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

/** The tokens of a line in which people put signs and short forms. */
export const plainTokens = (line: string): string[] =>
  splitLine(
    line
      .replace(/\b(is|are|was|has|does|do)n['o]?t\b/g, '$1 not')
      .replace(/(\d) ?%/g, '$1 percent')
      .replace(/(?<![\w.-])(\d+)(kg|km|cm|mm|lb|g|l)\b/g, '$1 $2')
      .replace(/[€$£] ?(?=\d)|(?<=\d) ?(?:[€$£]|euros?\b|EUR\b|USD\b)/g, '')
      .replace(/'s\b/g, ' $&')
      .replace(/([A-Za-z)]) ?([+*/]) ?(?=[A-Za-z(\d])/g, '$1 $2 '),
  );
