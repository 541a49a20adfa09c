// An offset into a text goes in, its line and column come out. The phases report offsets; only what a person reads needs lines.
import type { Diagnostic, LocatedDiagnostic } from './diagnostic.js';

const LF = 10;
const CR = 13;

/** Where the lines of one text stand. Lines end in LF or CRLF and are counted from 1. */
export interface LineMap {
  /** How many lines there are; an empty text has one, as has a text without a line end. */
  readonly count: number;
  /** The line that holds this offset; offsets outside of the text belong to the first or last line. */
  lineAt(offset: number): number;
  /** Offset of the line's first character. */
  startOf(line: number): number;
  /** The line without its line end; `""` for a line that is not there. */
  textOf(line: number): string;
}

export function createLineMap(text: string): LineMap {
  const starts = [0];
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
  const startOf = (line: number): number => starts[line - 1] ?? text.length;
  return {
    count: starts.length,
    startOf,
    lineAt(offset) {
      let low = 1;
      let high = starts.length;
      while (low < high) {
        const middle = (low + high + 1) >>> 1;
        if (startOf(middle) <= offset) low = middle;
        else high = middle - 1;
      }
      return low;
    },
    textOf(line) {
      const start = startOf(line);
      let end = startOf(line + 1);
      if (end > start && text.charCodeAt(end - 1) === LF) {
        end--;
        if (end > start && text.charCodeAt(end - 1) === CR) end--;
      }
      return text.slice(start, end);
    },
  };
}

/**
 * The diagnostic with its file, line, column and source line. Its length is cut at the end of its line and is at least 1; what stands
 * behind the last line end of the text belongs to the line before it, so that there is a line to show.
 */
export function locate(diagnostic: Diagnostic, file: string, source: string | LineMap): LocatedDiagnostic {
  const lines = typeof source === 'string' ? createLineMap(source) : source;
  let line = lines.lineAt(diagnostic.span.start);
  if (line > 1 && line === lines.count && lines.textOf(line) === '') line--;
  const sourceLine = lines.textOf(line);
  const from = Math.min(Math.max(diagnostic.span.start - lines.startOf(line), 0), sourceLine.length);
  const to = Math.min(diagnostic.span.end - lines.startOf(line), sourceLine.length);
  return { ...diagnostic, file, line, column: from + 1, length: Math.max(to - from, 1), sourceLine };
}
