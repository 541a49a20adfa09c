// Deletes finished runs with their journals from the database in small batches, and everything else that no one can ask for any more.

import { KEY_LIFE_MS } from '../../model/request-keys.js';
import { CALLED_PREFIX } from '../../model/run-ids.js';
import { finishedStates, stateList } from '../../model/run-rows.js';
import { taskStates } from '../../model/tasks.js';
import type { OldRuns, RunDeletion } from '../port.js';
import { pruneByAge } from '../shared/shared-tables.js';
import type { SharedSql } from '../shared/sql.js';
import type { DbosProcess } from './dbos-process.js';
import type { HostProcess } from './host-process.js';
import { legId } from './journal-steps.js';
import type { PostgresDatabase } from './postgres-database.js';

/** Runs deleted at a time. */
const SLICE = 100;

/** The time for which a version says that its runs are kept, in milliseconds. */
const OWN_TIME = `(info::jsonb->>'keepForMs')::bigint`;

/**
 * Runs that ended before the moment in $1, which is 0 for never, or before the one that their workflow says, compared with now in $3. One
 * with a key stays as long as the key does.
 */
const OLD = `state IN ${stateList(finishedStates)} AND (finished <= $2 OR key IS NULL)
  AND (finished <= $1 AND v NOT IN (SELECT v FROM own) OR finished <= $3 - (SELECT ms FROM own WHERE own.v = runs.v))`;

const WITH_OWN = `WITH own AS (SELECT v, ${OWN_TIME} AS ms FROM wf.versions WHERE info LIKE '%"keepForMs":%')`;

/** Runs that have ended although they still wait, or are still asked about: their process died right after the end. */
const LEFTOVERS = `SELECT id AS run FROM wf.runs WHERE state IN ${stateList(finishedStates)} AND id IN (
  SELECT run FROM wf.waiters UNION SELECT run FROM wf.inbox UNION SELECT run FROM wf.tasks WHERE state = ${taskStates.open})`;

/** Messages for runs that are gone. The id of a called workflow's run begins like that of the run it belongs to. */
const UNREACHABLE = `at <= $1 AND run IS NOT NULL AND NOT EXISTS (SELECT 1 FROM wf.runs r
  WHERE r.id BETWEEN (rpad(left(m.run, ${CALLED_PREFIX}), 32, '0') COLLATE "C") AND (rpad(left(m.run, ${CALLED_PREFIX}), 32, 'f') COLLATE "C"))`;

export class PostgresPruning implements OldRuns {
  readonly #database: PostgresDatabase;
  readonly #dbos: () => Promise<DbosProcess>;
  readonly #tables: SharedSql;
  /** Ends the waits and tasks of runs that have ended. */
  readonly #endShared: (runs: readonly string[]) => Promise<void>;

  constructor(host: HostProcess, tables: SharedSql, endShared: (runs: readonly string[]) => Promise<void>) {
    this.#database = host.database;
    this.#dbos = () => host.dbos();
    this.#tables = tables;
    this.#endShared = endShared;
  }

  async count(before: number, now: number): Promise<number> {
    const [row] = await this.#database.query(
      `${WITH_OWN} SELECT count(*) AS count FROM wf.runs WHERE ${OLD}`,
      ...age(before, now),
    );
    return Number(row?.count);
  }

  async begin(before: number, now: number): Promise<RunDeletion> {
    const left = await this.#database.query(LEFTOVERS);
    for (let at = 0; at < left.length; at += SLICE)
      await this.#endShared(left.slice(at, at + SLICE).map(({ run }) => String(run)));
    return { slice: () => this.#slice(before, now), end: async () => undefined };
  }

  async #slice(before: number, now: number): Promise<{ readonly deleted: number; readonly isOver: boolean }> {
    const sql = `${WITH_OWN} SELECT id, legs FROM wf.runs WHERE ${OLD} ORDER BY id LIMIT ${SLICE}`;
    const found = await this.#database.query(sql, ...age(before, now));
    const ids = found.map(({ id }) => String(id));
    // Journals first: without its run, a journal could never be found again.
    const legs = found.flatMap(({ id, legs: numbers }) => (numbers as number[]).map((leg) => legId(String(id), leg))); // an array of integers
    await (await this.#dbos()).remove(legs);
    if (ids.length > 0) await this.#database.query('DELETE FROM wf.runs WHERE id = ANY($1)', ids);
    return { deleted: ids.length, isOver: ids.length < SLICE };
  }

  async deleteRest(before: number, now: number): Promise<void> {
    const { query } = this.#database;
    const [own] = await query(`${WITH_OWN} SELECT min(ms) AS ms FROM own`);
    const gone = own?.ms === null ? before : Math.max(before, now - Number(own?.ms));
    await query(`DELETE FROM wf.messages m WHERE ${UNREACHABLE}`, gone);
    await query(
      'DELETE FROM wf.tasks t WHERE state <> $1 AND asked < $2 AND NOT EXISTS (SELECT 1 FROM wf.runs r WHERE r.id = t.run)',
      ...[taskStates.open, gone],
    );
    const hasRun = async (run: string) => (await query('SELECT 1 FROM wf.runs WHERE id = $1', run)).length > 0;
    await pruneByAge(this.#tables, before, now, hasRun);
  }
}

const age = (before: number, now: number): [number, number, number] => [before, now - KEY_LIFE_MS, now];
