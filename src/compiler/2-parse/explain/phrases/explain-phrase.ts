// Explains a line that no rule matches by the everyday or foreign words in it.

import { type Line, lineSpan, tokenSpan, tokenText } from '../../../1-layout/line.js';
import * as catalogue from '../../../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../../../diagnostics/diagnostic.js';
import { writeLines } from '../../../diagnostics/hint-marks.js';
import { statementWords } from '../../../vocabulary/line-table.js';
import type { LineFailure } from '../../match-line.js';
import { everydayPhrases } from './everyday-phrases.js';
import { listPhrases } from './list-phrases.js';
import { comparisonPhrases, missingOperations, operationPhrases } from './operation-phrases.js';
import { messagePhrases, optionPhrases, servicePhrases } from './option-phrases.js';
import { orderOptions, orderPhrases } from './order-phrases.js';
import { fillTemplate, type Phrase, searchable } from './phrase.js';
import { processLines, processValues, sentencePhrases, statementPhrases } from './statement-phrases.js';
import { dayPhrases, valuePhrases, waitPhrases } from './value-phrases.js';

/** Longer lines are not searched: no one writes them by hand, and the search would take too long. */
const LONGEST_LINE = 400;
/** Phrases for the order of a whole line have several open parts, so their time grows faster than the line. */
const LONGEST_ORDERED = 160;

/** The first match counts. */
const beginnings = [...processLines, ...waitPhrases, ...sentencePhrases, ...servicePhrases, ...statementPhrases];
const underCalls = [...orderOptions, ...optionPhrases];
const everywhere = [
  ...listPhrases,
  ...processValues,
  ...everydayPhrases,
  ...dayPhrases,
  ...missingOperations,
  ...operationPhrases,
  ...comparisonPhrases,
  ...valuePhrases,
];

/** Explains a line under a call; `undefined` if it resembles none that people write. */
export function explainOptionPhrase(line: Line, text: string, isOfMessage: boolean): Diagnostic | undefined {
  const { start, end } = lineSpan(line);
  const written = text.slice(start, Math.min(end, start + LONGEST_LINE));
  if (end - start > LONGEST_LINE || /\s{4}/.test(written)) return undefined;
  for (const { find, write, hint } of isOfMessage ? [...messagePhrases, ...underCalls] : underCalls) {
    const found = find.exec(searchable(written));
    if (found === null) continue;
    const group = (index: number): string => written.slice(...(found.indices?.[index] ?? [0, 0]));
    const [instead, more] = [write, hint].map((words) =>
      words === undefined ? undefined : fillTemplate(words, group) + written.slice(found[0].length),
    );
    if (instead !== written) return catalogue.otherOption({ start, end }, written, instead, more);
  }
  return undefined;
}

/** The first phrase from other languages that keeps the line from matching. */
export function explainPhrase(line: Line, text: string, failure: LineFailure): Diagnostic | undefined {
  const { start, end } = lineSpan(line);
  if (end - start > LONGEST_LINE) return undefined;
  // A path keeps its slash.
  const hidden = searchable(text.slice(start, end)).replace(
    /"(?:\\.|[^"\\])*"?/g,
    (quoted) => `"${(quoted.startsWith('"/') ? '/' : '').padEnd(quoted.length - 2, '·')}"`,
  );
  // No one writes that many spaces, and searching them would take long.
  if (/\s{4}/.test(hidden)) return undefined;
  const from = failure.token > 0 ? tokenSpan(line, failure.token - 1).start : start;
  const to = tokenSpan(line, Math.min(failure.token, line.shape.length - 1)).end;
  for (const phrase of end - start > LONGEST_ORDERED ? beginnings : [...orderPhrases, ...beginnings]) {
    const found = phrase.find.exec(hidden);
    const said = found && report(phrase, found, { text, offset: start, isStatement: isStatementWord(line, text) });
    if (said) return said;
  }
  // The words of a call are for people: `get what is in stock using Shop`.
  const phrases = /\busing\b/.test(hidden) ? valuePhrases : everywhere;
  for (const phrase of phrases) {
    const found = phrase.find.exec(hidden);
    if (found === null) continue;
    // Words elsewhere in the line are fine as they are.
    const [foundFrom, foundTo] = [start + found.index, start + found.index + found[0].length];
    if (foundFrom > to || foundTo < from) continue;
    const said = report(phrase, found, { text, offset: start, isStatement: true });
    if (said !== undefined) return said;
  }
  return undefined;
}

interface Place {
  readonly text: string;
  /** Start of the line. */
  readonly offset: number;
  /** Whether the line starts like a statement. */
  readonly isStatement: boolean;
}

const isStatementWord = (line: Line, text: string): boolean => statementWords.includes(tokenText(line, text, 0));

/** `undefined` if it would write what is there. */
function report({ write, hint }: Phrase, found: RegExpExecArray, { text, offset, isStatement }: Place): Diagnostic | undefined {
  const span = { start: offset + found.index, end: offset + found.index + found[0].length };
  const groups = found.indices ?? [];
  const fill = (template: string): string =>
    fillTemplate(template, (index) => {
      const place = groups[index];
      return place === undefined ? '' : text.slice(offset + place[0], offset + place[1]);
    });
  const instead = write === undefined ? undefined : fill(write);
  const more = hint === undefined ? undefined : fill(hint);
  const words = text.slice(span.start, span.end);
  if (instead === words) return undefined;
  // Quoted text that contains quotes is hard to read in quotes.
  if (instead?.includes('"') === true || instead?.includes('\n') === true)
    return (isStatement ? catalogue.otherWords : catalogue.otherStatement)(
      span,
      words,
      undefined,
      `${writeLines(instead)}${more === undefined ? '' : `\n${more}`}`,
    );
  return (isStatement ? catalogue.otherWords : catalogue.otherStatement)(span, words, instead, more);
}
