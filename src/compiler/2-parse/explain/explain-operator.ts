// Explains a line that stops where an operator could follow: a word from another language, or an opposite.

import { type Line, tokenSpan, tokenText } from '../../1-layout/line.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { LineFailure } from '../match-line.js';
import { inWords } from './expected-words.js';

/** An operator of another language at the point of failure, or parsed as a name just before it. */
export function foreignOperator(line: Line, text: string, { token, expected }: LineFailure): Diagnostic | undefined {
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
export const opposites: Readonly<Record<string, string>> = {
  'is not above': 'is at most',
  'is not below': 'is at least',
  'is not at least': 'is below',
  'is not at most': 'is above',
  'is not in': 'is not one of',
  'not contains': 'does not contain',
  'not in': 'is not one of',
  'not empty': 'is not empty',
};
