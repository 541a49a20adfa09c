// Run-time errors of look-ups in decision tables.

import type { SourceLocation, Value } from '../types.js';
import { WfError } from '../values/errors.js';
import { operandText, what } from '../values/operand-text.js';
import type { CellTest, TableData } from './table-types.js';

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
export function valueDoesNotFit(
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

export function noRowFits(
  { name, conditions }: TableData,
  values: readonly Value[],
  location: SourceLocation | undefined,
): WfError {
  const given = conditions.map((condition, index) => `"${condition.name}" ${what(values[index])}`);
  const [last = ''] = given.slice(-1);
  const listed = given.length > 1 ? `${given.slice(0, -1).join(', ')} and ${last}` : last;
  return new WfError(
    'WF647',
    `No row of the table "${name}" matches: ${listed}. Add a row that matches, or write "if nothing matches:" under the look-up.`,
    location,
  );
}
