// Sessions of the console that somebody has ended, for all processes over a store. An entry is kept until its session would have expired.
import { firstRow, type SharedSql, type SqlValue, sql } from './sql.js';

const PREFIX = 'ended session ';

/** Sorted by the time at which they expire. */
const keyOf = (expiresAt: number, id = ''): string => `${PREFIX}${expiresAt.toString(36).padStart(11, '0')} ${id}`;

export class EndedSessions {
  readonly #sql: SharedSql;
  readonly #toValue: (text: string) => SqlValue;

  /** @param toValue what the column `meta.value` takes for a text */
  constructor(shared: SharedSql, toValue: (text: string) => SqlValue) {
    this.#sql = shared;
    this.#toValue = toValue;
  }

  async has(id: string, expiresAt: number): Promise<boolean> {
    const row = await this.#sql.read(() => firstRow(sql`SELECT key FROM wf.meta WHERE key = ${keyOf(expiresAt, id)}`));
    return row !== undefined;
  }

  /** Also forgets those that have expired. */
  add(id: string, expiresAt: number, now: number): Promise<void> {
    const value = this.#toValue('1');
    return this.#sql.changeNow(function* () {
      yield sql`DELETE FROM wf.meta WHERE key >= ${PREFIX} AND key < ${keyOf(now)}`;
      yield sql`INSERT INTO wf.meta(key, value) VALUES (${keyOf(expiresAt, id)}, ${value}) ON CONFLICT (key) DO NOTHING`;
    });
  }
}
