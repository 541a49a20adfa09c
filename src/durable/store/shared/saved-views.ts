// Filters of the list of runs that people keep for everyone, under their names.
import type { SavedView } from '../../model/run-views.js';
import { type SharedSql, type SqlRow, type SqlWork, sql } from './sql.js';

/** More would no longer be an overview. */
const MOST_VIEWS = 50;

/** Owner of what is sealed. */
const ownerOf = (id: string): string => `view ${id}`;

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
      return yield sql`SELECT id, body FROM wf.views LIMIT ${MOST_VIEWS}`;
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
      yield sql`INSERT INTO wf.views(id, body) VALUES (${id}, ${body}) ON CONFLICT (id) DO UPDATE SET body = excluded.body`;
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
