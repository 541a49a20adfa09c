// Writes rows as the kind of file that the name's ending asks for: CSV or a workbook.
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { nextTurn } from '../../../runtime/run/yield-queue.js';
import { fileEnding } from '../../../runtime/services/verbs.js';
import type { Value } from '../../../runtime/types.js';
import { show } from '../../../runtime/values/values.js';
import { distFolder } from '../../dist-folder.js';
import { missingPart } from '../../load-chunk.js';
import { type Cell, type RowsTable, rowsTable } from './rows-table.js';

/** Returns a sentence if the rows can't be written as such a file. */
export async function tableFile(name: string, rows: Value): Promise<Buffer | string> {
  const ending = fileEnding(name);
  if (ending !== 'csv' && ending !== 'xlsx') return 'the name of a file with rows must end in .csv or .xlsx';
  const table = await rowsTable(rows);
  if (typeof table === 'string') return table;
  return ending === 'csv' ? Buffer.from(await csvText(table)) : workbook(table);
}

/** Maximum characters of a cell. */
const LONGEST_CELL = 32_767;
/** The library takes a second for some 200,000 cells, so more than these are written in another thread. */
const MOST_AT_ONCE = 5_000;

/**
 * The bytes of an `.xlsx` file, or a sentence if a cell can't be written. Numbers and booleans keep their type, everything else is text;
 * nothing becomes a formula.
 */
export async function workbook(table: RowsTable): Promise<Buffer | string> {
  const { columns, rows } = table;
  const long = [columns, ...rows].findIndex((row) => row.some((cell) => typeof cell === 'string' && cell.length > LONGEST_CELL));
  if (long !== -1) return `a cell in row ${long + 1} has more than ${LONGEST_CELL.toLocaleString('en-US')} characters`;
  if (columns.length * rows.length > MOST_AT_ONCE) return writtenApart(table);
  const { workbookBytes } = await import('./workbook-bytes.js');
  return workbookBytes(table);
}

const program = 'sheet-writer.cjs';

function writtenApart(table: RowsTable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // It gets no part of the environment.
    const worker = new Worker(path.join(distFolder, program), { workerData: table, env: {} });
    worker.once('message', (bytes: Uint8Array) => {
      resolve(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
      void worker.terminate();
    });
    worker.once('error', (error) => reject(missingPart(program) ?? error));
    worker.once('exit', (code) => reject(new Error(`The thread that writes workbooks ended with code ${code}`)));
  });
}

/** Characters that start a formula, including the full-width ones of East Asian keyboards. */
const formula = /^[=+\-@\t\r＝＋－＠]/;
/** A plain number evaluates to itself. */
const onlyNumber = /^[+-]?\d+(?:[.,]\d+)?$/;
/** Quotes every separator that any program uses, so that none sees two cells. */
const needsQuotes = /[",;\t\r\n]|^\s|\s$/;

/** One cell, quoted if necessary. @param separator of the file */
function csvCell(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : show(cell);
  const text = formula.test(cell) && !onlyNumber.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (cells: readonly Cell[], separator = ','): string => `${cells.map(csvCell).join(separator)}\n`;

/** Cells to write before other work gets a turn. */
const cellsAtOnce = 20_000;

/** Headers, then one line per row. A table without columns is an empty file. */
async function csvText({ columns, rows }: RowsTable): Promise<string> {
  if (columns.length === 0) return '';
  const parts = [csvLine(columns)];
  const rowsAtOnce = Math.ceil(cellsAtOnce / columns.length);
  for (let first = 0; first < rows.length; first += rowsAtOnce) {
    for (const row of rows.slice(first, first + rowsAtOnce)) parts.push(csvLine(row));
    await nextTurn();
  }
  return parts.join('');
}
