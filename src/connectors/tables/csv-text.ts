// Writes rows as CSV (RFC 4180). Text that a spreadsheet would evaluate gets an apostrophe in front, so that it is shown instead.

import { nextTurn } from '../../../runtime/run/yield-queue.js';
import { show } from '../../../runtime/values/values.js';
import type { Cell, RowsTable } from './rows-table.js';

/** Characters that start a formula, including the full-width ones of East Asian keyboards. */
const formula = /^[=+\-@\t\r＝＋－＠]/;
/** A plain number evaluates to itself. */
const onlyNumber = /^[+-]?\d+(?:[.,]\d+)?$/;
/** Quotes every separator that any program uses, so that none sees two cells. */
const needsQuotes = /[",;\t\r\n]|^\s|\s$/;

/** One cell, quoted if necessary. @param separator of the file */
export function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : show(cell);
  const text = formula.test(cell) && !onlyNumber.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (cells: readonly Cell[], separator = ','): string => `${cells.map(csvCell).join(separator)}\n`;

/** Cells to write before other work gets a turn. */
const cellsAtOnce = 20_000;

/** Headers, then one line per row. A table without columns is an empty file. */
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
