// The one form of a workflow file. Takes the text of a file; gives it in its form, or the syntax errors that leave it as it is.
// Changes only spaces and line breaks outside of texts, and proves that before it returns.
import { wordCharacter } from '../compiler/1-layout/alphabet.js';
import { layout } from '../compiler/1-layout/layout.js';
import { type Line, tokenText } from '../compiler/1-layout/line.js';
import { UNIT } from '../compiler/1-layout/measure.js';
import { parse } from '../compiler/2-parse/parse.js';
import type { Diagnostic } from '../compiler/diagnostics/diagnostic.js';
import { pieces } from '../compiler/diagnostics/excerpt.js';
import { firstDiagnostics } from '../compiler/diagnostics/locate.js';
import { isLaidOut, reindent } from './reindent.js';
import { type Blank, contentOf, type Item, isLongText, itemsOf } from './written-file.js';

const STEP = wordCharacter('step') ?? '';

export type Formatted =
  | { readonly isReadable: true; readonly text: string }
  /** Sorted by position. */
  | { readonly isReadable: false; readonly errors: readonly Diagnostic[] };

/** Formats a file, given without a byte order mark. */
export function format(text: string): Formatted {
  const laidOut = isLaidOut(text) ? text : (reindent(text) ?? text);
  const found: Diagnostic[] = [];
  const lines = layout(laidOut);
  found.push(...lines.diagnostics);
  parse(laidOut, lines, found);
  if (found.some(({ severity }) => severity === 'error')) return { isReadable: false, errors: syntaxErrors(text) };
  const formatted = write(itemsOf(laidOut), laidOut);
  // Nobody checks a formatter line by line, so it checks itself.
  if (contentOf(formatted) !== contentOf(laidOut)) throw new Error('formatting would change what the file says');
  return { isReadable: true, text: formatted };
}

/** The errors of the file as it is on disk. */
function syntaxErrors(text: string): Diagnostic[] {
  const found: Diagnostic[] = [];
  const lines = layout(text);
  found.push(...lines.diagnostics);
  parse(text, lines, found);
  return firstDiagnostics(found).filter(({ severity }) => severity === 'error');
}

/** A line of the file with its place in the blocks, before its blank line is decided. */
interface Placed {
  readonly item: Exclude<Item, Blank>;
  readonly depth: number;
  /** A blank line is above it in the file. */
  readonly isApart: boolean;
  /** It begins a section or a step, or it is the first of the comments directly above one. */
  readonly beginsPart: boolean;
}

/** Comments take the depth of the statement below them, unless they are at the end of a deeper block. */
function place(items: readonly Item[]): Placed[] {
  const above = depthsAbove(items);
  const placed: Placed[] = [];
  let below: { readonly depth: number; readonly beginsPart: boolean } = { depth: 0, beginsPart: false };
  /** Whether only comments of the same depth are between here and the statement below. */
  let isHead = false;
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index];
    if (item === undefined || item.kind === 'blank') {
      isHead = false;
      continue;
    }
    const isApart = items[index - 1]?.kind === 'blank';
    if (item.kind === 'line') {
      const { depth } = item.line;
      below = { depth, beginsPart: depth === 0 || item.line.shape.startsWith(STEP) };
      isHead = true;
      placed.push({ item, depth, isApart, beginsPart: below.beginsPart });
    } else {
      const depth = Math.max(below.depth, Math.min(Math.round(item.width / UNIT), above[index] ?? 0));
      isHead &&= depth === below.depth;
      const after = placed.at(-1);
      // The blank line moves from the statement to the first of its comments.
      if (isHead && after !== undefined) placed[placed.length - 1] = { ...after, beginsPart: false };
      placed.push({ item, depth, isApart, beginsPart: isHead && below.beginsPart });
    }
  }
  return placed.reverse();
}

/** For each item, the depth of the line with tokens above it, or of a comment in between. */
function depthsAbove(items: readonly Item[]): number[] {
  let depth = 0;
  return items.map((item) => {
    const above = depth;
    if (item.kind === 'line') depth = item.line.depth;
    else if (item.kind === 'comment') depth = Math.min(depth, Math.round(item.width / UNIT));
    return above;
  });
}

function write(items: readonly Item[], text: string): string {
  const lines: string[] = [];
  let rows: ReadonlyMap<number, string> = new Map();
  let isAfterOpening = true;
  for (const { item, depth, isApart, beginsPart } of place(items)) {
    if ((isApart || beginsPart) && !isAfterOpening) lines.push('');
    if (item.kind === 'comment') {
      lines.push(indented(item.text, depth));
      // A comment above everything is not a line that opens a block.
      isAfterOpening = false;
      continue;
    }
    const { line, comment } = item;
    const written = rows.get(line.number) ?? formatTokens(line, text);
    lines.push(indented(comment === '' ? written : `${written} ${comment}`, depth));
    for (const { start, end } of line.pieces ?? []) lines.push(start === end ? '' : indented(text.slice(start, end), depth + 1));
    isAfterOpening = line.children.length > 0;
    const under = line.children.filter(isRow);
    if (under.length > 0) rows = alignedRows(under, text);
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

const indented = (written: string, depth: number): string => ' '.repeat(UNIT * depth) + written;

const BAR = '|';
const RULER = /^[|:-]+$/;

/** The tokens of a line with the spaces between them. */
function formatTokens(line: Line, text: string): string {
  return joined(line, text, 0, line.shape.length);
}

function joined(line: Line, text: string, first: number, end: number): string {
  let result = '';
  for (let index = first; index < end; index++) {
    if (isLongText(line, index)) continue;
    const token = tokenText(line, text, index);
    const before = index === first ? '' : tokenText(line, text, index - 1);
    const isTight = index === first || /^[)\],:]$/.test(token) || /^[([]$/.test(before) || isTime(line, text, index, before);
    result += isTight ? token : ` ${token}`;
  }
  return result;
}

/** The minutes of `at 17:30`. */
const isTime = (line: Line, text: string, index: number, before: string): boolean =>
  before === ':' && index > 1 && /^\d+$/.test(tokenText(line, text, index - 2));

/** Whether a line is a row of a table. */
const isRow = ({ shape }: Line): boolean => shape.startsWith(BAR) && shape.endsWith(BAR) && shape.length > 1;

/** The rows of one table, aligned, by the number of their line. */
function alignedRows(rows: readonly Line[], text: string): Map<number, string> {
  const cells = rows.map((row) => cellsOf(row, text));
  const widths: number[] = [];
  for (const row of cells)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, columnsOf(cell));
  const padded = (cell: string, column: number): string => cell + ' '.repeat((widths[column] ?? 0) - columnsOf(cell));
  return new Map(rows.map(({ number }, index) => [number, `| ${(cells[index] ?? []).map(padded).join(' | ')} |`]));
}

function cellsOf(row: Line, text: string): string[] {
  const isRuler = RULER.test(row.shape);
  const cells: string[] = [];
  let first = 1;
  for (let index = 1; index < row.shape.length; index++) {
    if (row.shape.charAt(index) !== BAR) continue;
    const cell = joined(row, text, first, index);
    cells.push(isRuler ? cell.replaceAll(' ', '') : cell);
    first = index + 1;
  }
  return cells;
}

/** Columns that a text takes on a terminal. */
const columnsOf = (text: string): number => pieces(text).reduce((sum, { width }) => sum + width, 0);
