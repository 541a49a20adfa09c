// Turns rows of cells, from a CSV file or a spreadsheet, into named columns with the rows below them.
import type { Value, WfRecord } from '../../runtime/types.js';
import { InputFault } from './load-file.js';

export interface TableRow {
  readonly cells: readonly Value[];
  /** Line of the file, or row of the sheet, counting from 1. */
  readonly line: number;
}

export interface Table {
  /** Names of the columns, all different. */
  readonly names: readonly string[];
  /** Cells in the order of the names. Missing cells at the end of a row are empty. */
  readonly rows: readonly (readonly Value[])[];
  /** Without file name and full stop. */
  readonly warnings: readonly string[];
  /** The original rows, including headers and empty ones; only if requested. */
  readonly lines?: readonly TableRow[];
}

/** As many columns as an Excel sheet can have. */
export const MAX_COLUMNS = 16_384;
/** Rows times columns. More would need gigabytes, whatever the size of the file. */
export const MAX_CELLS = 20_000_000;
/** A table can always have this many cells. */
const FREE_CELLS = 2_000_000;
/**
 * Beyond that, one cell in this many must contain something. Otherwise, a file of a few kilobytes with one cell at the far end
 * of each row would become a table of gigabytes.
 */
const EMPTY_FOR_EACH = 20;

/** The error for a file that contains nothing at all. */
export class EmptyTable extends InputFault {}

/**
 * The first non-empty row contains the headers. Skips rows that are empty or only spaces. Cells beyond the last header get
 * their own columns.
 * @param unit what the file calls its rows
 * @throws UsageError if the file contains nothing, or too much
 */
export function tableOf(file: string, allRows: readonly TableRow[], unit: 'line' | 'row'): Table {
  const [header, ...rows] = allRows.filter((row) => width(row) > 0);
  if (header === undefined) throw new EmptyTable(file, 'the file is empty; expected a row of headers and rows of data');
  const { columns, warnings } = countColumns(file, header, rows, unit);
  refuseHuge(file, rows, columns);
  // A row of a sheet may have holes, which `map` would skip.
  const headers = Array.from({ length: columns }, (_, column) => headerText(header.cells[column]));
  const named = columnNames(headers);
  return { names: named.names, rows: rows.map(({ cells }) => cells), warnings: [...warnings, ...named.warnings] };
}

function countColumns(file: string, header: TableRow, rows: readonly TableRow[], unit: string) {
  const known = header.cells.length;
  const warnings: string[] = [];
  let columns = known;
  for (const row of rows) {
    if (row.cells.length <= columns) continue;
    const used = width(row);
    if (used <= columns) continue;
    const extra = `${unit} ${row.line}: the row has ${used} cells, but there are only ${known} headers`;
    if (columns === known) warnings.push(extra);
    if (used > MAX_COLUMNS) throw new InputFault(file, extra);
    columns = used;
  }
  if (columns > MAX_COLUMNS) throw new InputFault(file, `it has ${columns} columns, and the limit is ${MAX_COLUMNS}`);
  return { columns, warnings };
}

function refuseHuge(file: string, rows: readonly TableRow[], columns: number): void {
  const cells = rows.length * columns;
  if (cells <= FREE_CELLS) return;
  const size = `it has ${rows.length} rows of ${columns} columns`;
  if (cells > MAX_CELLS) throw new InputFault(file, `${size}, more than ${MAX_CELLS} cells`);
  let filled = 0;
  for (const { cells } of rows) {
    // Skips the holes of a row.
    cells.forEach((cell) => {
      if (!isBlank(cell)) filled++;
    });
  }
  if (filled * EMPTY_FOR_EACH < cells) throw new InputFault(file, `${size}, but only ${filled} cells contain anything`);
}

/** Number of cells up to the last one that contains something. */
function width({ cells }: TableRow): number {
  let count = cells.length;
  while (count > 0 && isBlank(cells[count - 1])) count--;
  return count;
}

function isBlank(cell: Value): boolean {
  return cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');
}

function headerText(cell: Value): string {
  return cell === null || cell === undefined ? '' : String(cell);
}

interface ColumnNames {
  readonly names: string[];
  /** One sentence per header that was renamed. Trimming spaces is not worth a warning. */
  readonly warnings: string[];
}

/**
 * Trims headers; an empty one becomes `column-<n>`, a repeated one gets `-2`, `-3` … Skips names that the file itself gives to
 * another column, so that every column keeps its own header.
 */
export function columnNames(headers: readonly string[]): ColumnNames {
  const trimmed = headers.map((header) => header.trim());
  const given = new Set(trimmed);
  const used = new Set<string>();
  const nextSuffix = new Map<string, number>();
  const warnings: string[] = [];
  const names = trimmed.map((header, index) => {
    const wanted = header === '' ? `column-${index + 1}` : header;
    let name = wanted;
    if (used.has(wanted) || (header === '' && given.has(wanted))) {
      let suffix = nextSuffix.get(wanted) ?? 2;
      while (used.has(`${wanted}-${suffix}`) || given.has(`${wanted}-${suffix}`)) suffix++;
      nextSuffix.set(wanted, suffix + 1);
      name = `${wanted}-${suffix}`;
    }
    used.add(name);
    if (header === '') warnings.push(`column ${index + 1} has no header; using "${name}"`);
    else if (name !== header)
      warnings.push(`the header "${header}" appears more than once; using "${name}" for column ${index + 1}`);
    return name;
  });
  return { names, warnings };
}

/**
 * Creates a function that turns the cells of a row into a record. It must be both fast (all records share a hidden class) and safe (a column
 * may be called `__proto__`). Each record has one own field per name, in order. A missing cell is `null`; extra cells are ignored.
 */
export function recordFactory(names: readonly string[]): (cells: readonly Value[]) => WfRecord {
  // `fromEntries` and spreading define own fields. Assigning to an existing field never reaches a prototype.
  const template: WfRecord = Object.fromEntries(names.map((name) => [name, null]));
  return (cells) => {
    const record = { ...template };
    for (let index = 0; index < names.length; index++) {
      const name = names[index];
      if (name !== undefined) record[name] = cells[index] ?? null;
    }
    return record;
  };
}
