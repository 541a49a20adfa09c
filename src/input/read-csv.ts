// Reads a `.csv` file as a table.
import { decodeUtf8 } from '../../runtime/values/json.js';
import { csvValue, withBooleans } from './csv-value.js';
import { inputFault } from './input-fault.js';
import { asTextColumns } from './load-file.js';
import { type CsvRow, csvSeparator, parseCsv } from './parse-csv.js';
import { MAX_CELLS, type Table, tableOf } from './table.js';

/**
 * @param asText comma-separated names of columns whose cells stay text
 * @throws UsageError with the line of the error
 */
export function readCsv(file: string, bytes: Uint8Array, asText: string | undefined): Table {
  const { table, typed } = readCsvCells(file, bytes, asText);
  return { ...table, rows: typed(table.rows) };
}

interface CsvCells {
  /** Its cells are text. */
  readonly table: Table;
  /** The cells as numbers, booleans and text. */
  readonly typed: (rows: Table['rows']) => Table['rows'];
}

/** The rows of the file as written, including headers and empty ones. @throws UsageError with the line of the error */
export function csvRows(file: string, bytes: Uint8Array): CsvRow[] {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4) {
    throw inputFault(file, 'this is a workbook or a zip, not CSV text', {
      hint: 'If it is a workbook, rename it to end in .xlsx.',
    });
  }
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) {
    const hint = 'Save it as "CSV UTF-8". Spreadsheet programs offer this next to plain CSV.';
    throw inputFault(file, 'this is not UTF-8 text', { line: decoded.line, hint });
  }
  const parsed = parseCsv(decoded.text, csvSeparator(decoded.text), MAX_CELLS);
  if (!parsed.ok) throw inputFault(file, parsed.message, { line: parsed.line });
  return parsed.rows;
}

/** Like `readCsv`, but leaves the conversion of text to the caller. */
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
