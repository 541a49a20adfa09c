// Reads the file of a decision table for the compiler.
import type { FileCell, TableFile } from '../../compiler/2-parse/table-from-file.js';
import { csvValue } from '../../input/csv-value.js';
import { csvRows } from '../../input/read-csv.js';
import { readSheetNow } from '../../input/read-sheet-apart.js';
import type { TableRow } from '../../input/table.js';
import { UsageError } from '../usage-error.js';

/** Maximum bytes of a table: many times the size of a request. */
const MOST_BYTES = 50_000_000;

/** @param full its absolute path @param bytes its content */
export function readTableFile(full: string, bytes: Uint8Array): TableFile {
  if (bytes.length > MOST_BYTES) return { ok: false, what: `it is larger than ${MOST_BYTES / 1_000_000} MB` };
  try {
    return /\.csv$/i.test(full)
      ? csvTable(full, bytes)
      : sheetTable(readSheetNow(full, { cwd: '.', keepsLines: true }).lines ?? []);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    // These readers name the option that they were written for.
    const what = error.message.replace(/^--input-file .*?(?:, line (\d+))?: /s, (_, line?: string) =>
      line === undefined ? '' : `line ${line}: `,
    );
    return { ok: false, what: what.replace(/\.$/, ''), hint: error.hint };
  }
}

/** @throws UsageError if it is not CSV */
export function csvTable(full: string, bytes: Uint8Array): TableFile {
  const rows = csvRows(full, bytes);
  return { ok: true, rows: rows.map(({ cells }, index) => ({ cells: cells.map(csvCell), row: index + 1 })) };
}

/** Reads a cell like `--input-file`, along with the text that a number is written as. */
function csvCell(cell: string): FileCell {
  const written = cell.trim();
  const value = csvValue(written);
  if (typeof value === 'number') return { number: value, written };
  return typeof value === 'boolean' || value === null ? value : written;
}

/** @param lines of the sheet */
export function sheetTable(lines: readonly TableRow[]): TableFile {
  return {
    ok: true,
    rows: lines.map(({ cells, line }) => ({
      cells: Array.from(cells, (cell): FileCell => {
        if (typeof cell === 'number') return { number: cell, written: String(cell) };
        return typeof cell === 'string' || typeof cell === 'boolean' ? cell : null;
      }),
      row: line,
    })),
  };
}
