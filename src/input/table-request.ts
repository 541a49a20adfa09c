// Turns a table into the `request` of a run.
import type { WfRecord } from '../../runtime/types.js';
import { recordFactory } from './record-factory.js';
import type { Table } from './table.js';

/**
 * One record per row in `rows`, and their number in `count`. A single row becomes the request itself; `rows` and `count` are
 * still readable then, but don't appear when it is shown or output.
 */
export function tableRequest({ names, rows }: Pick<Table, 'names' | 'rows'>): WfRecord {
  const make = recordFactory(names);
  const records = rows.map(make);
  const [only] = rows;
  if (rows.length !== 1 || only === undefined) return { rows: records, count: records.length };
  const flat = make(only);
  for (const [name, value] of [
    ['rows', records],
    ['count', 1],
  ] as const) {
    if (!Object.hasOwn(flat, name))
      Object.defineProperty(flat, name, { value, enumerable: false, writable: true, configurable: true });
  }
  return flat;
}
