// Turns a sheet, as the library read it, into rows of values.

import type { CellObject } from 'xlsx';
import type { Value } from '../../runtime/types.js';
import { columnLetters } from '../compiler/diagnostics/column-letters.js';
import { serialDate } from './serial-date.js';
import type { TableRow } from './table.js';

export interface SheetFormats {
  /** Whether a number format is for dates or times. */
  readonly isDate: (format: string) => boolean;
  /** The same for a cell whose format the library could not name (row and column counted from 0). */
  readonly isUnnamedDate: (row: number, column: number) => boolean;
  /** Days count from 1904 instead of 1900. */
  readonly date1904: boolean;
}

export interface SheetRows {
  readonly rows: TableRow[];
  /** Without file name and full stop. */
  readonly warnings: string[];
}

/** The library's codes for errors in cells (MS-XLSB, 2.5.97.2). */
const ERRORS: ReadonlyMap<unknown, string> = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
  [0x2b, '#GETTING_DATA'],
]);

/**
 * Numbers, booleans and text as stored; formulas as their stored values; dates as ISO 8601 text; errors as `null`, with a
 * warning that names the cell. Skips empty columns on the left, because a table may start in the middle of a sheet.
 */
export function sheetRows(cells: readonly (readonly (CellObject | undefined)[] | undefined)[], formats: SheetFormats): SheetRows {
  const rows: TableRow[] = [];
  const warnings: string[] = [];
  const dateFormats = new Map<string, boolean>();
  const isDate = (format: string) => {
    const known = dateFormats.get(format) ?? formats.isDate(format);
    dateFormats.set(format, known);
    return known;
  };
  const cellValue = (cell: CellObject, row: number, column: number): Value => {
    if (cell.t === 'n' && typeof cell.v === 'number' && Number.isFinite(cell.v)) {
      const format = String(cell.z ?? '');
      const dated = format === '' ? formats.isUnnamedDate(row, column) : isDate(format);
      const date = dated ? serialDate(cell.v, format, formats.date1904) : undefined;
      // The library distinguishes -0 from 0; no spreadsheet shows the difference.
      return date ?? (cell.v === 0 ? 0 : cell.v);
    }
    if (cell.t === 'b') return cell.v === true;
    if (cell.t === 's') return cell.v === undefined || cell.v === '' ? null : String(cell.v);
    if (cell.t === 'e' || cell.t === 'n') {
      const found = cell.t === 'e' ? (ERRORS.get(cell.v) ?? 'an error') : 'an unreadable number';
      warnings.push(`cell ${columnLetters(column)}${row + 1} contains ${found}; using empty`);
    }
    return null;
  };
  let firstColumn = Number.POSITIVE_INFINITY;
  cells.forEach((row, index) => {
    const values: Value[] = [];
    row?.forEach((cell, column) => {
      const value = cell === undefined ? null : cellValue(cell, index, column);
      if (value === null) return;
      values[column] = value;
      firstColumn = Math.min(firstColumn, column);
    });
    rows.push({ cells: values, line: index + 1 });
  });
  if (firstColumn === 0) return { rows, warnings };
  return { rows: rows.map(({ cells, line }) => ({ cells: cells.slice(firstColumn), line })), warnings };
}
