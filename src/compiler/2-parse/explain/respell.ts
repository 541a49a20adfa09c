// Finds the one word that keeps a line from matching: a keyword in the wrong case, or misspelt. The search starts before the point of
// failure, because a misspelt word may first have been parsed as a name.
import { languageWords, tokenClass, wordCharacter } from '../../1-layout/alphabet.js';
import { type Line, tokenText } from '../../1-layout/line.js';
import { closest } from '../../diagnostics/suggest.js';
import type { LineRules } from '../line-node.js';
import { fits, type LineFailure, matchShape, opens } from '../match-line.js';

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

export function respell(rule: keyof LineRules, line: Line, text: string, failure: LineFailure): Respelt | undefined {
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
    const meant = languageWords.filter((word) => closest(name.written, [word]) !== undefined && fits(rule, respelt(name, word)));
    const word = closest(name.written, meant);
    if (word !== undefined) return { ...name, word };
  }
  return undefined;
}
