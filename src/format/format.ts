// The one form of a workflow file. Takes the text of a file; gives it in its form, or the syntax errors that leave it as it is.
// Changes only spaces and line breaks outside of texts, and proves that before it returns.
import { wordCharacter } from '../compiler/1-layout/alphabet.js';
import { layout } from '../compiler/1-layout/layout.js';
import { type Line, lineAt, measure, tokenText, UNIT } from '../compiler/1-layout/line.js';
import { parse } from '../compiler/2-parse/parse.js';
import { linesOf, readLines } from '../compiler/2-parse/read-lines.js';
import type { Diagnostic } from '../compiler/diagnostics/diagnostic.js';
import { firstDiagnostics } from '../compiler/diagnostics/locate.js';
import { pieces } from '../compiler/diagnostics/render-text.js';

const STEP = wordCharacter('step') ?? '';

export type Formatted =
  | { readonly isReadable: true; readonly text: string }
  /** Sorted by position. */
  | { readonly isReadable: false; readonly errors: readonly Diagnostic[] };

/** Formats a file, given without a byte order mark. */
export function format(text: string): Formatted {
  const laidOut = reindented(text) ?? text;
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

// Rewrites indentation that is consistent but not of four spaces: another number of spaces, or tabs.

/** Wider levels than this are a mistake rather than a habit. */
const WIDEST_UNIT = 16;

/** A line of the file as it is on disk, without its line end. */
interface WrittenLine {
  /** Columns of indentation; a tab reaches to the next multiple of four. */
  readonly width: number;
  /** Without indentation and trailing spaces; empty for a blank line. */
  readonly content: string;
  /** With indentation. */
  readonly whole: string;
}

/** Whether the layout pass accepts the indentation and the tokens of every line. */
function isLaidOut(text: string): boolean {
  const { tokens, diagnostics } = layout(text);
  if (diagnostics.length > 0) return false;
  for (const { fault } of linesOf(readLines(tokens))) if (fault !== undefined) return false;
  return true;
}

/** The text with four spaces per level; `undefined` if it has them, or if its levels are not all equally wide. */
export function reindented(text: string): string | undefined {
  const lines = isLaidOut(text) ? undefined : reindent(text);
  const [lineEnd = ''] = /\r?\n/.exec(text) ?? [];
  return lines === undefined ? undefined : lines.join(lineEnd) + (text.endsWith('\n') ? lineEnd : '');
}

function reindent(text: string): string[] | undefined {
  const written = writtenLines(text);
  const unit = written.find(({ width, content }) => width > 0 && content !== '' && !content.startsWith('#'))?.width;
  if (unit === undefined || unit > WIDEST_UNIT) return undefined;
  const scaled = (width: number): string => ' '.repeat(Math.ceil((width * UNIT) / unit));
  const candidate = written.map(({ width, content }) => (content === '' ? '' : scaled(width) + content)).join('\n');
  if (!isLaidOut(candidate)) return undefined;
  // The lines of a long text keep their indentation relative to each other, which is part of the text.
  const result = candidate.split('\n');
  for (const { number, depth, pieces } of linesOf(readLines(layout(candidate).tokens))) {
    if (pieces === undefined) continue;
    const inText = written.slice(number, number + pieces.length);
    const least = Math.min(...inText.flatMap(({ width, content }) => (content === '' ? [] : [width])));
    for (const [index, { whole, content }] of inText.entries())
      result[number + index] = content === '' ? '' : ' '.repeat(UNIT * (depth + 1)) + withoutColumns(whole, least);
  }
  return result;
}

function writtenLines(text: string): WrittenLine[] {
  const lines: WrittenLine[] = [];
  for (let start = 0; start < text.length; ) {
    const { end, next } = lineAt(text, start);
    const { width, end: from } = measure(text, start, end);
    lines.push({ width, content: text.slice(from, end), whole: text.slice(start, end) });
    start = next;
  }
  return lines;
}

/** A line without this many columns of its indentation. */
function withoutColumns(line: string, columns: number): string {
  let at = 0;
  for (let width = 0; width < columns; at++) width += line.charCodeAt(at) === 0x09 ? UNIT - (width % UNIT) : 1;
  return line.slice(at);
}

// Lists what is written in a file, in the terms that formatting must keep: tokens, depths, long texts and comments.

/** A line with tokens, with the text lines under it if it opens a long text. */
interface Statement {
  readonly kind: 'line';
  readonly line: Line;
  /** The comment after the tokens; empty if there is none. */
  readonly comment: string;
}

interface Comment {
  readonly kind: 'comment';
  readonly text: string;
  /** Columns of indentation. */
  readonly width: number;
}

/** One blank line or more. */
interface Blank {
  readonly kind: 'blank';
}

type Item = Statement | Comment | Blank;

/** The lines of a file that the layout pass accepts, in their order. */
function itemsOf(text: string): Item[] {
  const items: Item[] = [];
  const lines = new Map<number, Line>();
  for (const line of linesOf(readLines(layout(text).tokens))) lines.set(line.number, line);
  let number = 0;
  for (let start = 0; start < text.length; ) {
    number++;
    const { end, next } = lineAt(text, start);
    const line = lines.get(number);
    if (line === undefined) items.push(withoutTokens(text, start, end));
    else items.push({ kind: 'line', line, comment: text.slice(line.end, end).trim() });
    start = next;
    for (let left = line?.pieces?.length ?? 0; left > 0; left--, number++) start = lineAt(text, start).next;
  }
  return items;
}

function withoutTokens(text: string, start: number, end: number): Item {
  const { width, end: from } = measure(text, start, end);
  return from === end ? { kind: 'blank' } : { kind: 'comment', text: text.slice(from, end).trimEnd(), width };
}

/** Everything in a file that has a meaning, to somebody or to wf: two files are the same if this is. */
export function contentOf(text: string): string {
  const content: unknown[] = itemsOf(text).flatMap((item): unknown[] => {
    if (item.kind === 'blank') return [];
    if (item.kind === 'comment') return [item.text];
    const { line, comment } = item;
    const tokens = Array.from(line.shape, (_, index) => (isLongText(line, index) ? '' : tokenText(line, text, index)));
    const pieces = line.pieces?.map(({ start, end }) => text.slice(start, end)) ?? [];
    return [{ depth: line.depth, shape: line.shape, tokens, pieces, comment }];
  });
  return JSON.stringify(content);
}

/** Whether the token at `index` stands for the text lines under the line. */
const isLongText = (line: Line, index: number): boolean => line.pieces !== undefined && index === line.shape.length - 1;
