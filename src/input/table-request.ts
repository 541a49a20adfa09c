// Rows of cells go in, from a CSV file or a sheet, the `request` of a run comes out (`service.md` 2.2, `behaviour.md` 3).
import type { Value, WfRecord } from '../../runtime/types.js';
import { columnNames } from './column-names.js';
import { inputFault } from './input-fault.js';
import { recordFactory } from './record-factory.js';

export interface TableRow {
  readonly cells: readonly Value[];
  /** 1-based line of the file, or row of the sheet. */
  readonly line: number;
}

export interface TableRequest {
  readonly request: WfRecord;
  readonly warnings: string[];
}

/** As many columns as a sheet of Excel can have. */
const MAX_COLUMNS = 16_384;
/** Rows times columns; more would need gigabytes, whatever the file's size. */
const MAX_CELLS = 50_000_000;

/**
 * The first row that is not empty holds the headers; rows that are wholly empty (or all blanks) are left out. Cells past the last header
 * get a column of their own. `unit` is what the file's rows are called. Warnings have no file name and no full stop.
 * @throws UsageError where there is no data row, or too much of it
 */
export function tableRequest(file: string, allRows: readonly TableRow[], unit: 'line' | 'row'): TableRequest {
  const [header, ...rows] = allRows.filter((row) => width(row) > 0);
  if (header === undefined)
    throw inputFault(file, 'there is nothing in it; expected a row of headers and at least one row of data');
  if (rows.length === 0) throw inputFault(file, 'there is no row of data under the headers');

  // A row of a sheet has holes, which `map` would leave in.
  const headers = Array.from(header.cells, headerText);
  const warnings: string[] = [];
  let columns = headers.length;
  for (const row of rows) {
    if (row.cells.length <= columns) continue;
    const used = width(row);
    if (used <= columns) continue;
    const extra = `the row has ${used} cells, the headers only ${headers.length}`;
    if (columns === headers.length) warnings.push(`${unit} ${row.line}: ${extra}`);
    if (used > MAX_COLUMNS) throw inputFault(file, `${unit} ${row.line}: ${extra}`);
    columns = used;
  }
  if (columns > MAX_COLUMNS) throw inputFault(file, `it has ${columns} columns; at most ${MAX_COLUMNS} are read`);
  if (rows.length * columns > MAX_CELLS) {
    throw inputFault(file, `it has ${rows.length} rows of ${columns} columns, more than ${MAX_CELLS} cells`);
  }
  for (let index = headers.length; index < columns; index++) headers.push('');
  const named = columnNames(headers);
  return { request: requestOf(named.names, rows), warnings: [...warnings, ...named.warnings] };
}

function requestOf(names: readonly string[], rows: readonly TableRow[]): WfRecord {
  const make = recordFactory(names);
  const records = rows.map((row) => make(row.cells));
  const [first] = rows;
  if (rows.length > 1 || first === undefined) return { rows: records, count: records.length };
  // One row is the flat record. `rows` and `count` can be read all the same, but are no part of it when it is shown or put out.
  const flat = make(first.cells);
  for (const [name, value] of [
    ['rows', records],
    ['count', 1],
  ] as const) {
    if (!Object.hasOwn(flat, name))
      Object.defineProperty(flat, name, { value, enumerable: false, writable: true, configurable: true });
  }
  return flat;
}

/** Number of cells up to the last one that holds something. */
function width(row: TableRow): number {
  let count = row.cells.length;
  while (count > 0 && isBlank(row.cells[count - 1])) count--;
  return count;
}

function isBlank(cell: Value): boolean {
  return cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');
}

function headerText(cell: Value): string {
  return cell === null || cell === undefined ? '' : String(cell);
}
