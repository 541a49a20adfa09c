// Reads columns of TRUE and FALSE, as Excel writes them, as yes or no. A column with anything else stays as it is, so that no other word
// changes its meaning.
import type { Value } from '../../runtime/types.js';
import type { Table } from './table.js';

const BOOLEAN = /^(?:true|false)$/i;

const isBlank = (cell: Value): boolean => cell === null || cell === undefined || cell === '';
const isBoolean = (cell: Value): boolean => typeof cell === 'boolean' || (typeof cell === 'string' && BOOLEAN.test(cell));

/** @param isText the columns that stay text */
export function withBooleans(rows: Table['rows'], isText: readonly boolean[]): Table['rows'] {
  // Most columns are out after their first cell, so that a large table is not searched for nothing.
  let candidates = isText.flatMap((stays, column) => (stays ? [] : [column]));
  const found = new Set<number>();
  for (const cells of rows) {
    if (candidates.length === 0) return rows;
    candidates = candidates.filter((column) => isBlank(cells[column]) || isBoolean(cells[column]));
    for (const column of candidates) if (typeof cells[column] === 'string' && cells[column] !== '') found.add(column);
  }
  const columns = candidates.filter((column) => found.has(column));
  if (columns.length === 0) return rows;
  return rows.map((cells) => {
    const read = [...cells];
    for (const column of columns) if (typeof read[column] === 'string') read[column] = read[column].toLowerCase() === 'true';
    return read;
  });
}
