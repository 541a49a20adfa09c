// `look up … in … with …`: the first row of a decision table whose cells all match.
import type { Calendar } from '../dates/calendar.js';
import type { SourceLocation, Value } from '../types.js';
import { WfError } from '../values/errors.js';
import { withoutNoise } from '../values/number-format.js';
import { type Comparing, cellFits } from './cell-fits.js';
import { noRowFits, valueDoesNotFit } from './table-errors.js';
import { TableIndex } from './table-index.js';
import type { TableData } from './table-types.js';

/** Tables with fewer rows are searched from the top, which takes no longer than using an index. */
const FEWEST_INDEXED = 16;

const indexes = new WeakMap<TableData, TableIndex>();

function indexOf(table: TableData): TableIndex {
  let index = indexes.get(table);
  if (index === undefined) {
    index = new TableIndex(table);
    indexes.set(table, index);
  }
  return index;
}

/**
 * The index of the first matching row; -1 if none matches.
 * @param values in the order of the table's conditions
 * @param operands the source texts of the values
 * @param isHandled whether the workflow continues if no row matches
 * @throws WfError for a value that can't be compared with a cell, as a line would; and if no row matches, unless that is handled
 */
export function lookUp(
  table: TableData,
  values: readonly Value[],
  calendar: Calendar,
  operands: readonly string[],
  isHandled: boolean,
  location?: SourceLocation,
): number {
  const clean = values.map((value) => (typeof value === 'number' ? withoutNoise(value) : value));
  const found = table.rows.length < FEWEST_INDEXED ? undefined : indexOf(table).first(clean, calendar);
  const row = found ?? firstOfAll({ table, values: clean, calendar, operands, location });
  if (row === -1 && !isHandled) throw noRowFits(table, values, location);
  return row;
}

interface Search {
  readonly table: TableData;
  readonly values: readonly Value[];
  readonly calendar: Calendar;
  readonly operands: readonly string[];
  readonly location: SourceLocation | undefined;
}

function firstOfAll(search: Search): number {
  for (let row = 0; row < search.table.rows.length; row++) if (rowFits(search, row)) return row;
  return -1;
}

function rowFits({ table, values, calendar, operands, location }: Search, row: number): boolean {
  const cells = table.rows[row] ?? [];
  for (const [index, { name, test }] of table.conditions.entries()) {
    const cell = cells[index] ?? null;
    if (cell === null) continue;
    const value = values[index];
    try {
      const comparing: Comparing = { calendar, location };
      if (!cellFits(test, cell, value, comparing)) return false;
    } catch (error) {
      if (!(error instanceof WfError)) throw error;
      throw valueDoesNotFit(table.name, `${name} ${test}`, cell, value, operands[index] ?? name, location);
    }
  }
  return true;
}
