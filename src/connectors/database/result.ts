// Collects the rows of one statement. Counts them as they arrive, so that a result that is too large is abandoned early.
import type { ServiceAnswer } from '../../../runtime/services/attempt.js';
import type { Failure } from '../../../runtime/services/call-errors.js';
import { mostRows, resultTooLarge, tooManyRows } from '../../../runtime/services/connector-errors.js';
import type { DatabaseWish } from '../../../runtime/services/connector-types.js';
import type { Value } from '../../../runtime/types.js';
import { columnNames, recordFactory } from '../../input/table.js';

/** Maximum bytes of all values of a result. */
export const mostResultBytes = 10 * 1024 * 1024;

export interface Result {
  /** Absent if the statement returns no rows, as an `update`. */
  readonly columns?: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  /** Number of rows inserted, changed or deleted. */
  readonly affected: number;
}

/** Collects rows up to the limit. */
export class RowCollector {
  readonly rows: Value[][] = [];
  #bytes = 0;

  /** @param bytes of the row's values. @returns why the result is too large, if it is */
  add(row: Value[], bytes: number): Failure | undefined {
    this.#bytes += bytes;
    if (this.#bytes > mostResultBytes) return resultTooLarge();
    if (this.rows.length === mostRows) return tooManyRows();
    this.rows.push(row);
    return undefined;
  }
}

/** The value of a result in a workflow: one record or `empty`, a list of records, or a number. */
export function answerOf(result: Result, wish: DatabaseWish): ServiceAnswer {
  const records = recordsOf(result);
  const [first] = records;
  switch (wish) {
    case 'rows':
      return { ok: true, value: records };
    case 'record':
      return { ok: true, value: first ?? null, ...(records.length > 1 ? { warning: severalRows } : {}) };
    case 'number':
      return { ok: true, value: result.columns === undefined ? result.affected : (result.rows[0]?.[0] ?? null) };
    case 'whatever there is':
      return { ok: true, value: result.columns === undefined ? result.affected : records };
  }
}

const severalRows = 'More than one row matches this call; the result is the first one that the database returned.';

/** Keeps both of two columns with the same name: the second becomes `name-2`. */
function recordsOf({ columns, rows }: Result): { [key: string]: Value }[] {
  if (columns === undefined) return [];
  return rows.map(recordFactory(columnNames(columns).names));
}
