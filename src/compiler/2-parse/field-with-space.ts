// A field whose name is written with a space: `request.first name`.
import { type Line, tokenSpan, tokenText } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { sameInOneWord } from '../vocabulary/same-in-one-word.js';
import type { LineFailure } from './match-line.js';

const PATH = /^[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)+$/u;

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
  if (rest === undefined || path.length > 100 || !PATH.test(path)) return undefined;
  const span = { start, end: end + 1 + rest.length };
  const { name, hint } = sameInOneWord(`${path} ${rest}`, text);
  const isState = /^(?:otherwise )?if /.test(text.slice(line.start, start)) && /^\s*:/.test(text.slice(span.end, line.end));
  return isState
    ? catalogue.otherWords(
        span,
        `${path} ${rest}`,
        undefined,
        `To compare with a text, write:\n    ${path} is "${rest}"\n${hint}`,
      )
    : catalogue.otherWords(span, `${path} ${rest}`, name, hint);
}
