// The rows of one statement as they arrive: counted while they do, so that a result that is too large is given up early.

import type { Failure } from '../../../runtime/call-errors.js';
import { mostRows, resultTooLarge, tooManyRows } from '../../../runtime/connector-errors.js';
import type { DatabaseWish } from '../../../runtime/connector-types.js';
import type { ServiceAnswer } from '../../../runtime/services/attempt.js';
import type { Value } from '../../../runtime/types.js';
import { columnNames } from '../../input/column-names.js';
import { recordFactory } from '../../input/record-factory.js';

/** Bytes of all values of a result at most. */
export const mostResultBytes = 10 * 1024 * 1024;

export interface Result {
  /** Left out where the statement gives no rows, such as an `update`. */
  readonly columns?: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  /** Rows that were inserted, changed or deleted. */
  readonly affected: number;
}

/** Takes rows until there are too many of them. */
export class RowCollector {
  readonly rows: Value[][] = [];
  #bytes = 0;

  /** @param bytes of the row's values; why the result is too large, where it is */
  add(row: Value[], bytes: number): Failure | undefined {
    this.#bytes += bytes;
    if (this.#bytes > mostResultBytes) return resultTooLarge();
    if (this.rows.length === mostRows) return tooManyRows();
    this.rows.push(row);
    return undefined;
  }
}

/** What a workflow gets of a result: one record or `empty`, a list of records, or a number. */
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

const severalRows = 'More than one row fits this call; the first one that the database gave is the result.';

/** Two columns of one name both stay: the second one is called `name-2`. */
function recordsOf({ columns, rows }: Result): { [key: string]: Value }[] {
  if (columns === undefined) return [];
  return rows.map(recordFactory(columnNames(columns).names));
}
