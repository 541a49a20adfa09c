// Rows → the text of a CSV file (RFC 4180). A text that a spreadsheet would compute is put behind an apostrophe, so that it shows it instead.
import { show } from '../../../runtime/values.js';
import { nextTurn } from '../../../runtime/yield-queue.js';
import type { Cell, RowsTable } from './rows-table.js';

/** Spreadsheets take these for the beginning of a formula, also the wide ones of East Asian keyboards. */
const formula = /^[=+\-@\t\r＝＋－＠]/;
/** Text that is nothing but a number computes to itself. */
const onlyNumber = /^[+-]?\d+(?:[.,]\d+)?$/;
/** Quoted also where only some programs separate cells by it: such a program must not see two cells. */
const needsQuotes = /[",;\t\r\n]|^\s|\s$/;

/** One cell, with quotes where it needs them. @param separator of the file */
export function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : show(cell);
  const text = formula.test(cell) && !onlyNumber.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (cells: readonly Cell[], separator = ','): string => `${cells.map(csvCell).join(separator)}\n`;

/** Cells between two pauses, in which other work goes on. */
const cellsAtOnce = 20_000;

/** Headers, then one line a row. A table without columns is an empty text. */
export async function csvText({ columns, rows }: RowsTable): Promise<string> {
  if (columns.length === 0) return '';
  const parts = [csvLine(columns)];
  const rowsAtOnce = Math.ceil(cellsAtOnce / columns.length);
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    for (const row of rows.slice(first, first + rowsAtOnce)) parts.push(csvLine(row));
    await nextTurn();
  }
  return parts.join('');
}
