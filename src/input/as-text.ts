// `--as-text sku,zip`: which columns of a table keep their cells as text.
import type { Value } from '../../runtime/types.js';
import { show } from '../../runtime/values/values.js';
import { closest } from '../compiler/diagnostics/suggest.js';
import { inputFault } from './input-fault.js';
import type { Table } from './table.js';

/**
 * Says for each column, by index, whether the option names it.
 * @throws UsageError if the option names a column that the file doesn't have
 */
export function asTextColumns(file: string, option: string | undefined, names: readonly string[]): readonly boolean[] {
  const wanted = new Set(
    (option ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );
  for (const name of wanted) {
    if (names.includes(name)) continue;
    const near = closest(name, names);
    const hint = near === undefined ? `The columns are ${names.slice(0, 20).join(', ')}.` : `Did you mean "${near}"?`;
    throw inputFault(file, `there is no column "${name}" (--as-text)`, { hint });
  }
  return names.map((name) => wanted.has(name));
}

/** The table with these columns as text. Numbers and booleans become text as shown, for files that store them as such. */
export function asTextTable(file: string, option: string | undefined, table: Table): Table {
  if (option === undefined) return table;
  const isKept = asTextColumns(file, option, table.names);
  const kept = (cell: Value, column: number): Value => (isKept[column] && isSet(cell) ? show(cell) : cell);
  return { ...table, rows: table.rows.map((cells) => cells.map(kept)) };
}

const isSet = (cell: Value): boolean => cell !== null && cell !== undefined;
