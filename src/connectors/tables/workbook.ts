// Writes rows as a workbook with one sheet, with the sheet library. Numbers and booleans keep their type, everything else is text; nothing
// becomes a formula.
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { distFolder } from '../../dist-folder.js';
import type { RowsTable } from './rows-table.js';

/** Maximum characters of a cell. */
const LONGEST_CELL = 32_767;
/** The library takes a second for some 200,000 cells, so more than these are written in another thread. */
const MOST_AT_ONCE = 5_000;

/** The bytes of an `.xlsx` file, or a sentence if a cell can't be written. */
export async function workbook(table: RowsTable): Promise<Buffer | string> {
  const { columns, rows } = table;
  const long = [columns, ...rows].findIndex((row) => row.some((cell) => typeof cell === 'string' && cell.length > LONGEST_CELL));
  if (long !== -1) return `a cell in row ${long + 1} has more than ${LONGEST_CELL.toLocaleString('en-US')} characters`;
  if (columns.length * rows.length > MOST_AT_ONCE) return writtenApart(table);
  const { workbookBytes } = await import('./workbook-bytes.js');
  return workbookBytes(table);
}

function writtenApart(table: RowsTable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // It gets no part of the environment.
    const worker = new Worker(path.join(distFolder, 'sheet-writer.cjs'), { workerData: table, env: {} });
    worker.once('message', (bytes: Uint8Array) => resolve(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)));
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The thread that writes workbooks ended with code ${code}`)));
  });
}
