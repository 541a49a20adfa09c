// Reads a `.csv` file as a table. Splitting its text into rows and cells follows RFC 4180 only.
import { atOnce, inChunks, type Steps } from '../../runtime/in-turns.js';
import type { Value } from '../../runtime/types.js';
import { decodeUtf8 } from '../../runtime/values/json.js';
import { csvValue, withBooleans } from './csv-value.js';
import { asTextColumns, InputFault } from './load-file.js';
import { MAX_CELLS, type Table, tableOf } from './table.js';

/** Cells that are converted between two turns of other work. */
const cellsAtOnce = 8_192;

/** Reads a table for a server, which goes on with other work meanwhile. @throws UsageError with the line of the error */
export function* readCsv(file: string, bytes: Uint8Array): Steps<Table> {
  const lines = yield* rowSteps(file, bytes);
  yield;
  const table = tableOf(file, lines, 'line');
  yield;
  const rows: Value[][] = [];
  yield* inChunks(table.rows.length, (from, end) => {
    let at = from;
    for (let cells = 0; at < end && cells < cellsAtOnce; at++) {
      const row = table.rows[at] ?? [];
      cells += row.length;
      // Until now, every cell was text.
      rows.push(row.map((cell) => csvValue(String(cell))));
    }
    return at;
  });
  return { ...table, rows: withBooleans(rows, []) };
}

interface CsvCells {
  /** Its cells are text. */
  readonly table: Table;
  /** The cells as numbers, booleans and text. */
  readonly typed: (rows: Table['rows']) => Table['rows'];
}

/** The rows of the file as written, including headers and empty ones. @throws UsageError with the line of the error */
export const csvRows = (file: string, bytes: Uint8Array): CsvRow[] => atOnce(rowSteps(file, bytes));

function* rowSteps(file: string, bytes: Uint8Array): Steps<CsvRow[]> {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4) {
    throw new InputFault(file, 'this is a workbook or a zip, not CSV text', {
      hint: 'If it is a workbook, rename it to end in .xlsx.',
    });
  }
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) {
    const hint = 'Save it as "CSV UTF-8". Spreadsheet programs offer this next to plain CSV.';
    throw new InputFault(file, 'this is not UTF-8 text', { line: decoded.line, hint });
  }
  const parsed = yield* parseSteps(decoded.text, csvSeparator(decoded.text), MAX_CELLS);
  if (!parsed.ok) throw new InputFault(file, parsed.message, { line: parsed.line });
  return parsed.rows;
}

/**
 * Leaves the conversion of text to the caller.
 * @param asText comma-separated names of columns whose cells stay text
 * @throws UsageError with the line of the error
 */
export function readCsvCells(file: string, bytes: Uint8Array, asText: string | undefined): CsvCells {
  const { names, rows, warnings } = tableOf(file, csvRows(file, bytes), 'line');
  const isText = asTextColumns(file, asText, names);
  // Until now, every cell was text.
  const read = (cell: unknown, column: number) => (isText[column] ? exactText(String(cell)) : csvValue(String(cell)));
  return {
    table: { names, rows, warnings },
    typed: (texts) =>
      withBooleans(
        texts.map((cells) => cells.map(read)),
        isText,
      ),
  };
}

const exactText = (cell: string): string | null => (cell === '' ? null : cell);

interface CsvRow {
  readonly cells: string[];
  /** Line on which the row begins, counting from 1. */
  readonly line: number;
}

type CsvParse =
  | { readonly ok: true; readonly rows: CsvRow[] }
  | { readonly ok: false; readonly message: string; readonly line: number };

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;

/**
 * Splits the text at `separator` (one UTF-16 unit) and at line ends (LF, CRLF or CR). A cell that starts with a quote continues
 * to its closing quote, including line breaks and doubled quotes; a quote later in a cell is plain text (RFC 4180, section 2).
 * An empty line is a row with one empty cell; a line end at the end of the text starts no row. Errors give the line where the
 * cell starts. More than `mostCells` cells are an error.
 */
export const parseCsv = (text: string, separator: string): CsvParse => atOnce(parseSteps(text, separator));

function* parseSteps(text: string, separator: string, mostCells = Number.POSITIVE_INFINITY): Steps<CsvParse> {
  const rows: CsvRow[] = [];
  const reading: CsvReading = { text, separatorUnit: separator.charCodeAt(0), position: 0, line: 1 };
  let cells = 0;
  let rest = unitsAtOnce;
  while (reading.position < text.length) {
    const row: CsvRow = { cells: [], line: reading.line };
    const fault = readRow(reading, row.cells);
    if (fault !== undefined) return fault;
    cells += row.cells.length;
    const { line, position } = reading;
    if (cells > mostCells) return { ok: false, message: `the file has more than ${mostCells} cells up to here`, line };
    reading.position += text.charCodeAt(position) === CR && text.charCodeAt(position + 1) === LF ? 2 : 1;
    reading.line++;
    rows.push(row);
    if (reading.position < rest) continue;
    rest = reading.position + unitsAtOnce;
    yield;
  }
  return { ok: true, rows };
}

/** UTF-16 units between two turns of other work. */
const unitsAtOnce = 32 * 1024;

interface CsvReading {
  readonly text: string;
  readonly separatorUnit: number;
  position: number;
  line: number;
}

/** Reads up to the end of the row. */
function readRow(reading: CsvReading, cells: string[]): Extract<CsvParse, { ok: false }> | undefined {
  const { text, separatorUnit } = reading;
  let { position } = reading;
  for (;;) {
    if (text.charCodeAt(position) === QUOTE) {
      const opened = reading.line;
      const close = closingQuote(text, position + 1);
      if (close === -1) return { ok: false, message: 'this quote (") is never closed', line: opened };
      const content = text.slice(position + 1, close);
      cells.push(content.includes('"') ? content.replaceAll('""', '"') : content);
      reading.line += lineBreaks(content);
      position = afterBlanks(text, close + 1, separatorUnit);
      if (!endsCell(text, position, separatorUnit)) {
        const message = 'there is more text after the closing quote of a cell; inside a quoted cell, double each quote ("")';
        return { ok: false, message, line: opened };
      }
    } else {
      const start = position;
      while (!endsCell(text, position, separatorUnit)) position++;
      cells.push(text.slice(start, position));
    }
    if (text.charCodeAt(position) !== separatorUnit) break;
    position++;
  }
  reading.position = position;
  return undefined;
}

/** Index of the first quote at or after `position` that is not doubled, or -1. */
function closingQuote(text: string, position: number): number {
  let quote = text.indexOf('"', position);
  while (quote !== -1 && text.charCodeAt(quote + 1) === QUOTE) quote = text.indexOf('"', quote + 2);
  return quote;
}

/** Programs that align columns put spaces after a closing quote. Ignore them. */
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

const CANDIDATES = [',', ';', '\t'];

/**
 * Whichever of `,`, `;` and tab occurs most often outside quotes in the first non-empty line (the headers); the first of these
 * if there is a tie, and `,` if the file has a single column.
 */
export function csvSeparator(text: string): string {
  let counts = [0, 0, 0];
  let hasText = false;
  let atCellStart = true;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"' && atCellStart) {
      const close = text.indexOf('"', at + 1);
      if (close === -1) break;
      if (text.slice(at + 1, close).trim() !== '') hasText = true;
      at = close;
      // A doubled quote continues the cell: the next pass finds a quote "at the start".
      atCellStart = text.charAt(at + 1) === '"';
      continue;
    }
    if (character === '\n' || character === '\r') {
      if (hasText) break;
      counts = [0, 0, 0];
      atCellStart = true;
      continue;
    }
    const candidate = CANDIDATES.indexOf(character);
    if (candidate >= 0) counts[candidate] = (counts[candidate] ?? 0) + 1;
    else if (character.trim() !== '') hasText = true;
    atCellStart = candidate >= 0;
  }
  return CANDIDATES[counts.indexOf(Math.max(...counts))] ?? ',';
}
