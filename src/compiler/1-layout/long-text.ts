// The lines under `set … to text:` and `ask … to:` are one text. They are taken verbatim, before anything tokenizes them.
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { callOptionTable } from '../vocabulary/line-table.js';
import { tokenClass, wordCharacter } from './alphabet.js';
import type { TokenLine } from './line.js';
import { lineAt, measure, UNIT } from './measure.js';
import { isSpace } from './scan-line.js';

const SET = wordCharacter('set') ?? '';
const ASK = wordCharacter('ask') ?? '';
const TO = wordCharacter('to') ?? '';
const USING = wordCharacter('using') ?? '';
const TEXT = wordCharacter('text') ?? '';
const TO_TEXT = `${TO}${TEXT}`;

/** How a line under a call starts in the middle of a text: its first words, or more if ordinary sentences start with them, too. */
const optionStarts = Object.values(callOptionTable).flatMap(({ beginsWith }) => (beginsWith === undefined ? [] : [beginsWith]));

/** Whether deeper lines under this one are text. The head may be misspelt or lack its colon: `set` has no other lines under it, and no call
 * ends in `text:`. */
export function opensLongText({ shape, fault }: TokenLine): boolean {
  if (fault !== undefined) return false;
  const head = shape.endsWith(':') ? shape.slice(0, -1) : shape;
  return head.startsWith(ASK)
    ? head.length === 3 && head.endsWith(TO)
    : head.endsWith(TO_TEXT) || (head !== shape && (head.startsWith(SET) || (head.includes(USING) && head.endsWith(TEXT))));
}

interface TextLine {
  readonly start: number;
  readonly end: number;
  /** Columns of indentation. */
  readonly width: number;
  readonly isBlank: boolean;
}

interface LongText {
  /** Offset of the first line after the text, and the number of lines before it. */
  readonly next: number;
  readonly count: number;
  readonly faults: readonly Diagnostic[];
}

/** Attaches the text that starts at `start` to `head`. Under `ask`, the text ends before the first option. */
export function readLongText(text: string, head: TokenLine, start: number): LongText {
  const level = UNIT * (head.depth + 1);
  // Even if the head is badly indented, the statements after it are not part of its text.
  const outside = level - UNIT;
  const lines: TextLine[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (let at = start; at < text.length; ) {
    const { end, next } = lineAt(text, at);
    const indentation = measure(text, at, end);
    const isBlank = indentation.end === end;
    if (!isBlank) {
      // A space too many before the next statement doesn't make it text.
      if (indentation.width < outside + (Number.isFinite(least) ? UNIT / 2 : 1)) break;
      if (head.shape.startsWith(ASK) && indentation.width <= Math.max(least, level) && isOption(text.slice(indentation.end, end)))
        break;
      least = Math.min(least, indentation.width);
    }
    lines.push({ start: at, end, width: indentation.width, isBlank });
    at = next;
  }
  while (lines.at(-1)?.isBlank === true) lines.pop();
  const [first, last] = [lines.find(({ isBlank }) => !isBlank), lines.at(-1)];
  if (first === undefined || last === undefined) return { next: start, count: 0, faults: [] };
  const faults: Diagnostic[] = [];
  head.pieces = lines.map((line) => {
    if (line.isBlank) return { start: line.end, end: line.end };
    const from = afterColumns(text, line.start, least);
    if (from.tab)
      faults.push(catalogue.tabIndentation({ start: line.start, end: from.at }, level, text.slice(from.at, line.end)));
    else if (line.width < level)
      faults.push(catalogue.oddIndentation({ start: line.start, end: line.start + line.width }, line.width, [level]));
    return { start: from.at, end: line.end };
  });
  // Messages point to its first line.
  const from = measure(text, first.start, first.end).end;
  head.shape += tokenClass.lines;
  head.offsets.push(from, endOfLine(text, from, first.end));
  return { next: lineAt(text, last.start).next, count: lines.length, faults };
}

const isOption = (written: string): boolean => optionStarts.some((words) => words.test(written));

/** Offset of the line's content after this many columns of indentation. */
function afterColumns(text: string, start: number, columns: number): { readonly at: number; readonly tab: boolean } {
  let tab = false;
  let at = start;
  for (let width = 0; width < columns; at++) {
    const isTab = text.charCodeAt(at) === 0x09;
    tab ||= isTab;
    width += isTab ? UNIT - (width % UNIT) : 1;
  }
  return { at, tab };
}

/** End of the line that extends to `end`, without trailing spaces. */
function endOfLine(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}
