// Rewrites indentation that is consistent but not of four spaces: another number of spaces, or tabs.
import { layout } from '../compiler/1-layout/layout.js';
import { lineAt, measure, UNIT } from '../compiler/1-layout/measure.js';
import { linesOf, readLines } from '../compiler/2-parse/read-lines.js';

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
export function isLaidOut(text: string): boolean {
  const { tokens, diagnostics } = layout(text);
  if (diagnostics.length > 0) return false;
  for (const { fault } of linesOf(readLines(tokens))) if (fault !== undefined) return false;
  return true;
}

/** The text with four spaces per level, or `undefined` if its levels are not all equally wide. */
export function reindent(text: string): string | undefined {
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
  return result.join('\n');
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
