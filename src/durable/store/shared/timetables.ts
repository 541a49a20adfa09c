// Which due times of workflows' timetables are done, for all processes over a store.
import { firstRow, onlyIn, type SharedSql, type SqlValue, type SqlWork, sql } from './sql.js';

interface StoredTimetable {
  /** The expression and its time zone. Another plan starts afresh. */
  readonly plan: string;
  /** Milliseconds since 1970. */
  readonly seen: number;
}

const keyOf = (workflow: string): string => `timetable ${workflow}`;

function* seen(workflow: string, plan: string, lock = sql``): SqlWork<number | undefined> {
  const row = yield* firstRow(sql`SELECT value FROM wf.meta WHERE key = ${keyOf(workflow)}${lock}`);
  if (row === undefined) return undefined;
  // A database stores it as bytes.
  const text = row.value instanceof Uint8Array ? Buffer.from(row.value).toString() : String(row.value);
  const stored = JSON.parse(text) as StoredTimetable; // written below
  return stored.plan === plan ? stored.seen : undefined;
}

export class StoredTimetables {
  readonly #sql: SharedSql;
  readonly #toValue: (text: string) => SqlValue;

  /** @param toValue what the column `meta.value` takes for a text */
  constructor(sql: SharedSql, toValue: (text: string) => SqlValue) {
    this.#sql = sql;
    this.#toValue = toValue;
  }

  /** Due times up to this moment are done, in milliseconds since 1970; `undefined` before its first start, and after a change of plan. */
  seen(workflow: string, plan: string): Promise<number | undefined> {
    return this.#sql.read(() => seen(workflow, plan));
  }

  /** Never moves back under the same plan: a slow process must not cause due times to be repeated. */
  done(workflow: string, plan: string, until: number): Promise<void> {
    return this.#sql.changeNow(() => this.#done(workflow, plan, until));
  }

  *#done(workflow: string, plan: string, until: number): SqlWork<void> {
    const before = yield* seen(workflow, plan, onlyIn('postgres', ' FOR UPDATE'));
    const value = this.#toValue(JSON.stringify({ plan, seen: Math.max(until, before ?? until) } satisfies StoredTimetable));
    yield sql`INSERT INTO wf.meta(key, value) VALUES (${keyOf(workflow)}, ${value}) ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
  }
}
