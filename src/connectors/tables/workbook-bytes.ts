// The only file that writes with the sheet library.
import * as library from 'xlsx';
import type { Cell, RowsTable } from './rows-table.js';

/** The bytes of an `.xlsx` file. Blocks: see `table-file.ts`. */
export function workbookBytes({ columns, rows }: RowsTable): Buffer {
  const sheet = library.utils.aoa_to_sheet(
    [columns, ...rows].map((row) => row.map(written)),
    { dense: true },
  );
  const book = library.utils.book_new(sheet, 'Sheet1');
  // With shared strings, text is text: without them, the library writes it as the result of a formula.
  return library.write(book, { type: 'buffer', bookType: 'xlsx', compression: true, bookSST: true });
}

/** Workbooks write control characters as `_x0007_`, so text that looks like that is escaped. Half a character can't be written. */
const written = (cell: Cell): Cell =>
  typeof cell === 'string' && cell !== ''
    ? cell.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_').replace(/\p{Surrogate}/gu, '\ufffd')
    : cell === ''
      ? null
      : cell;
