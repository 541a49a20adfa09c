// Several consecutive words instead of a value: most likely text without quotes.
import { type Line, lineSpan } from '../../1-layout/line.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';

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
  return catalogue.otherWords({ start: end - words.length, end }, words, undefined, `Put text in quotes:\n    "${words}"`);
}
