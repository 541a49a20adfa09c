// `look up … in … with …`: the first row of a decision table whose cells all match.
import type { Calendar } from '../dates/calendar.js';
import type { SourceLocation, Value } from '../types.js';
import { WfError } from '../values/errors.js';
import { withoutNoise } from '../values/number-format.js';
import { operandText, what } from '../values/operand-text.js';
import { type Comparing, cellFits } from './cell-fits.js';
import { TableIndex } from './table-index.js';
import type { CellTest, TableData } from './table-types.js';

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

const needs = (cell: CellTest, heading: string): string => {
  if (/ is (?:before|after)$/.test(heading)) return 'a date such as "2026-03-01"';
  if (/ (?:starts with|contains)$/.test(heading)) return 'a text';
  return Array.isArray(cell) && typeof cell[1] === 'string' ? 'a text' : 'a number';
};

/**
 * A value that can't be compared with a cell.
 * @param heading as written in the table: `weight is at most`
 * @param source text of the value in the workflow
 */
function valueDoesNotFit(
  table: string,
  heading: string,
  cell: CellTest,
  value: Value,
  source: string,
  location: SourceLocation | undefined,
): WfError {
  return new WfError(
    'WF646',
    `I can't look up a row of "${table}": ${operandText(value, source, 'the value')}, but the column "${heading}" needs ${needs(cell, heading)}.`,
    location,
  );
}

function noRowFits({ name, conditions }: TableData, values: readonly Value[], location: SourceLocation | undefined): WfError {
  const given = conditions.map((condition, index) => `"${condition.name}" ${what(values[index])}`);
  const [last = ''] = given.slice(-1);
  const listed = given.length > 1 ? `${given.slice(0, -1).join(', ')} and ${last}` : last;
  return new WfError(
    'WF647',
    `No row of the table "${name}" matches: ${listed}. Add a row that matches, or write "if nothing matches:" under the look-up.`,
    location,
  );
}
