// The values of CSV cells. Everything that turns text into something else happens here, and could spoil a customer number if it
// were wrong.
import type { Value } from '../../runtime/types.js';
import type { Table } from './table.js';

const DECIMAL = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,14})?$/;
/** A double preserves this many digits. */
const MOST_DIGITS = 15;

/**
 * Nothing is `empty`; `true` and `false` are booleans. A number is digits with an optional minus and an optional fraction,
 * without leading zeros, at most 15 digits. So `12.50` is 12.5, while `00123`, `+1`, `1e5`, `1,5` and 20 digits stay text.
 * Everything else is text, including spaces. Quoting makes no difference, because many programs quote every cell.
 */
export function csvValue(cell: string): Value {
  if (cell === '') return null;
  if (cell === 'true') return true;
  if (cell === 'false') return false;
  if (!DECIMAL.test(cell) || digitCount(cell) > MOST_DIGITS) return cell;
  const number = Number(cell);
  // No spreadsheet distinguishes -0 from 0.
  return number === 0 ? 0 : number;
}

const digitCount = (decimal: string): number =>
  decimal.length - (decimal.startsWith('-') ? 1 : 0) - (decimal.includes('.') ? 1 : 0);

const BOOLEAN = /^(?:true|false)$/i;

const isBlank = (cell: Value): boolean => cell === null || cell === undefined || cell === '';
const isBoolean = (cell: Value): boolean => typeof cell === 'boolean' || (typeof cell === 'string' && BOOLEAN.test(cell));

/**
 * Reads columns of TRUE and FALSE, as Excel writes them, as yes or no. A column with anything else stays as it is, so that no other word
 * changes its meaning.
 * @param isText the columns that stay text
 */
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
