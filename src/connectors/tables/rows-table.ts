// Turns a list of records into a table with a column for each field of any record, in order of first appearance.
import { nextTurn } from '../../../runtime/run/yield-queue.js';
import type { Value } from '../../../runtime/types.js';
import { output, show } from '../../../runtime/values/values.js';

/** The content of a cell; `null` if it is empty. */
export type Cell = string | number | boolean | null;

export interface RowsTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Rows to convert before other work gets a turn. */
const rowsAtOnce = 5_000;

/** The limits of a worksheet, including the header row. */
const mostColumns = 16_384;
const mostRows = 1_048_575;

/** Lists and records become JSON. Returns a sentence if the value is not a list of records. */
export async function rowsTable(value: Value): Promise<RowsTable | string> {
  if (!Array.isArray(value)) return 'its rows must be a list of records';
  if (value.length > mostRows) return `it has more than ${mostRows.toLocaleString('en-US')} rows`;
  const places = new Map<string, number>();
  const records: { [key: string]: Value }[] = [];
  for (const row of value) {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) return 'its rows must be a list of records';
    for (const key of Object.keys(row)) if (!places.has(key)) places.set(key, places.size);
    if (places.size > mostColumns) return `it has more than ${mostColumns.toLocaleString('en-US')} columns`;
    records.push(row);
    if (records.length % rowsAtOnce === 0) await nextTurn();
  }
  const rows: Cell[][] = [];
  for (const record of records) {
    rows.push(cells(record, places));
    if (rows.length % rowsAtOnce === 0) await nextTurn();
  }
  return { columns: [...places.keys()], rows };
}

function cells(record: { [key: string]: Value }, places: ReadonlyMap<string, number>): Cell[] {
  const row: Cell[] = new Array(places.size).fill(null);
  for (const key of Object.keys(record)) row[places.get(key) ?? 0] = cellOf(record[key]);
  return row;
}

export function cellOf(value: Value): Cell {
  const put = output(value);
  if (put === null || put === undefined) return null;
  return typeof put === 'object' ? show(put) : put;
}
