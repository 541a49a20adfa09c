// Text of a CSV file goes in, rows of cells with their line numbers come out. Knows RFC 4180 and nothing of headers or values, so
// that "exact text" can be tested alone.

export interface CsvRow {
  readonly cells: string[];
  /** 1-based line on which the row begins. */
  readonly line: number;
}

export type CsvParse =
  | { readonly ok: true; readonly rows: CsvRow[] }
  | { readonly ok: false; readonly message: string; readonly line: number };

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/**
 * Splits the text at `separator` (one UTF-16 unit) and at line ends (LF, CRLF or a lone CR). A cell that begins with a quote runs to
 * its closing quote, line breaks and doubled quotes included; a quote further on in a cell is plain text (RFC 4180, section 2). An empty
 * line is a row of one empty cell; a line end at the very end of the text begins no row. Faults name the line where the cell begins.
 */
export function parseCsv(text: string, separator: string): CsvParse {
  const rows: CsvRow[] = [];
  const separatorUnit = separator.charCodeAt(0);
  let position = 0;
  let line = 1;
  while (position < text.length) {
    const row: CsvRow = { cells: [], line };
    for (;;) {
      if (text.charCodeAt(position) === QUOTE) {
        const close = closingQuote(text, position + 1);
        if (close === -1) return { ok: false, message: 'a quote (") opens a cell here and is never closed', line };
        const content = text.slice(position + 1, close);
        row.cells.push(content.includes('"') ? content.replaceAll('""', '"') : content);
        const opened = line;
        line += lineBreaks(content);
        position = afterBlanks(text, close + 1, separatorUnit);
        if (!endsCell(text, position, separatorUnit)) {
          const message = 'after the closing quote of a cell comes more text; a quote inside a quoted cell is written twice ("")';
          return { ok: false, message, line: opened };
        }
      } else {
        const start = position;
        while (!endsCell(text, position, separatorUnit)) position++;
        row.cells.push(text.slice(start, position));
      }
      if (text.charCodeAt(position) !== separatorUnit) break;
      position++;
    }
    if (text.charCodeAt(position) === CR && text.charCodeAt(position + 1) === LF) position++;
    position++;
    line++;
    rows.push(row);
  }
  return { ok: true, rows };
}

/** Index of the first quote from `position` on that is not doubled, or -1. */
function closingQuote(text: string, position: number): number {
  let quote = text.indexOf('"', position);
  while (quote !== -1 && text.charCodeAt(quote + 1) === QUOTE) quote = text.indexOf('"', quote + 2);
  return quote;
}

/** Programs that align columns put blanks behind a closing quote; they mean nothing. */
function afterBlanks(text: string, position: number, separatorUnit: number): number {
  for (let at = position; ; at++) {
    const unit = text.charCodeAt(at);
    if (unit === separatorUnit || (unit !== SPACE && unit !== TAB)) return at;
  }
}

function endsCell(text: string, position: number, separatorUnit: number): boolean {
  if (position >= text.length) return true;
  const unit = text.charCodeAt(position);
  return unit === separatorUnit || unit === LF || unit === CR;
}

function lineBreaks(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === LF || (unit === CR && text.charCodeAt(at + 1) !== LF)) count++;
  }
  return count;
}
