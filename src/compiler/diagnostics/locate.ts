// Converts offsets into lines and columns. The phases report offsets; only people need lines.
import { tooManyErrors } from './catalogue/index.js';
import type { Diagnostic, LocatedDiagnostic } from './diagnostic.js';

const LF = 10;
const CR = 13;

/** The lines of a text. They end in LF or CRLF and are counted from 1. */
interface LineMap {
  /** Number of lines: 1 for empty text, and for text without a line end. */
  readonly count: number;
  /** The line at this offset. Offsets outside the text belong to the first or last line. */
  lineAt(offset: number): number;
  /** Offset of the line's first character. */
  startOf(line: number): number;
  /** The line without its line end; `""` for a line that doesn't exist. */
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
 * The diagnostic with its file, line, column and source line. Its length ends with its line and is at least 1. A position after the last
 * line end belongs to the line before it, so that there is a line to show.
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

/** No one reads more, and a file of a megabyte could have a hundred thousand. */
const MOST = 1_000;

const byPlace = (one: Diagnostic, other: Diagnostic): number =>
  one.span.start - other.span.start || one.span.end - other.span.end;

/** The first errors and, if there is room, the first warnings. Says if there are more. */
export function firstDiagnostics(found: readonly Diagnostic[]): Diagnostic[] {
  const sorted = [...found].sort(byPlace);
  if (sorted.length <= MOST) return sorted;
  const errors = sorted.filter(({ severity }) => severity === 'error');
  const next = errors[MOST];
  if (next !== undefined) {
    // If the parser gives up, it reports that itself.
    return [...errors.slice(0, MOST), errors.find(({ code }) => code === 'WF013') ?? tooManyErrors(next.span, MOST)];
  }
  const warnings = sorted.filter(({ severity }) => severity === 'warning');
  const room = MOST - errors.length;
  const more = `(${warnings.length - room} more warnings are not shown.)`;
  const shown = warnings.slice(0, room);
  return [
    ...errors,
    ...shown.map((one, index) => (index === room - 1 ? { ...one, message: `${one.message}\n${more}` } : one)),
  ].sort(byPlace);
}
