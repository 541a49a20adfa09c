// Rows of the console for all processes over a store: filters of the list of runs, and the sessions that somebody has ended.
import type { SavedView } from '../../model/run-views.js';
import { firstRow, inserted, rowsOf, type SharedSql, type SqlRow, type SqlValue, type SqlWork, sql } from './sql.js';

/** More would no longer be an overview. */
const MOST_VIEWS = 50;

/** Owner of what is sealed. */
const ownerOf = (id: string): string => `view ${id}`;

/** Filters of the list of runs that people keep for everyone, under their names. */
export class SavedViews {
  readonly #sql: SharedSql;

  constructor(sql: SharedSql) {
    this.#sql = sql;
  }

  /** Names are sealed with the rest. */
  #idOf(name: string): string {
    return this.#sql.sealing.hash(`view ${name}`).toString('hex');
  }

  async list(): Promise<SavedView[]> {
    const rows = await this.#sql.read(function* (): SqlWork<readonly SqlRow[]> {
      return yield rowsOf('views', sql`LIMIT ${MOST_VIEWS}`, 'left out');
    });
    const views = rows.map(({ id, body }) => JSON.parse(this.#sql.sealing.open(body ?? '', ownerOf(String(id)))) as SavedView); // written below
    return views.sort((one, other) => one.name.localeCompare(other.name, 'en'));
  }

  /** Replaces one of the same name. @returns whether there was room */
  save(view: SavedView): Promise<boolean> {
    const id = this.#idOf(view.name);
    const body = this.#sql.sealing.seal(JSON.stringify(view), ownerOf(id));
    return this.#sql.changeNow(function* (): SqlWork<boolean> {
      const others = yield sql`SELECT id FROM wf.views WHERE id <> ${id} LIMIT ${MOST_VIEWS}`;
      if (others.length >= MOST_VIEWS) return false;
      yield inserted('views', { id, body }, sql` ON CONFLICT (id) DO UPDATE SET body = excluded.body`);
      return true;
    });
  }

  remove(name: string): Promise<void> {
    const id = this.#idOf(name);
    return this.#sql.changeNow(function* () {
      yield sql`DELETE FROM wf.views WHERE id = ${id}`;
    });
  }
}

/**
 * Sessions of the console that somebody has ended, for all processes over a store. An entry is kept until its session would have expired.
 */
const SESSION_PREFIX = 'ended session ';

/** Sorted by the time at which they expire. */
const sessionKey = (expiresAt: number, id = ''): string => `${SESSION_PREFIX}${expiresAt.toString(36).padStart(11, '0')} ${id}`;

export class EndedSessions {
  readonly #sql: SharedSql;
  readonly #toValue: (text: string) => SqlValue;

  /** @param toValue what the column `meta.value` takes for a text */
  constructor(shared: SharedSql, toValue: (text: string) => SqlValue) {
    this.#sql = shared;
    this.#toValue = toValue;
  }

  async has(id: string, expiresAt: number): Promise<boolean> {
    const row = await this.#sql.read(() => firstRow(sql`SELECT key FROM wf.meta WHERE key = ${sessionKey(expiresAt, id)}`));
    return row !== undefined;
  }

  /** Also forgets those that have expired. */
  add(id: string, expiresAt: number, now: number): Promise<void> {
    const value = this.#toValue('1');
    return this.#sql.changeNow(function* () {
      yield sql`DELETE FROM wf.meta WHERE key >= ${SESSION_PREFIX} AND key < ${sessionKey(now)}`;
      yield inserted('meta', { key: sessionKey(expiresAt, id), value }, sql` ON CONFLICT (key) DO NOTHING`);
    });
  }
}
