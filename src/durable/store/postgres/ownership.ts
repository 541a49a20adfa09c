// Decides which process has a run. A run without an owner, or whose owner's lease has expired, can be taken by one process, which cuts off
// the former owner and starts the next leg.
import { MOST_ADOPTIONS, type StoredState, stateList, storedStates, unfinishedStates } from '../../model/run-rows.js';
import { type RunExtra, readExtra } from '../../model/stored-run.js';
import type { TextSealing } from '../shared/sealing.js';
import type { DbosProcess } from './dbos-process.js';
import { legId } from './journal-steps.js';
import type { DatabaseRow, PostgresDatabase, SqlCall } from './postgres-database.js';
import type { RunPosition } from './run-recorder.js';
import { storeLocks } from './store-tables.js';

/**
 * A run of `wf.runs r` that no living process has. A process is dead when its lease has expired, or earlier if it hasn't renewed it for a
 * while and its connection is gone, which the kernel of its machine closes when it dies. A sleeping process keeps its connection.
 */
export const isFree = `(r.owner IS NULL OR NOT EXISTS (
  SELECT 1 FROM wf.processes p WHERE p.id = r.owner AND p.expires > clock_timestamp() AND (
    p.doubtful > clock_timestamp()
    OR EXISTS (SELECT 1 FROM pg_stat_activity a WHERE a.pid = p.backend AND a.backend_start = p.backend_started)
  )
))`;

export interface TakenRun extends RunPosition {
  /** The state that it was found in. */
  readonly was: StoredState;
  /** The process that had it and didn't release it. */
  readonly from: string | undefined;
  readonly legs: readonly number[];
  readonly adoptions: number;
}

export class Ownership {
  readonly #database: PostgresDatabase;
  readonly #process: string;
  readonly #sealing: TextSealing;

  constructor(database: PostgresDatabase, process: string, sealing: TextSealing) {
    this.#database = database;
    this.#process = process;
    this.#sealing = sealing;
  }

  /** Takes free runs for this process, and cuts off their former owners. @param which a condition on `r`, with values from `$3` on */
  async take(dbos: DbosProcess, limit: number, which: string, ...values: readonly unknown[]): Promise<TakenRun[]> {
    const { running, released, stuck } = storedStates;
    // Most polls find nothing, and must not wait for each other.
    const [candidate] = await this.#database.query(
      `SELECT 1 FROM wf.runs r WHERE r.state IN ${stateList(unfinishedStates)} AND ${which.replace(/\$(\d+)/g, (_, number) => `$${Number(number) - 2}`)} AND ${isFree} LIMIT 1`,
      ...values,
    );
    if (candidate === undefined) return [];
    const rows = await this.#database.transaction(async (query) => {
      await query('SELECT pg_advisory_xact_lock($1)', storeLocks.ownership);
      return query(
        `WITH old AS (
           SELECT r.id, r.state, r.owner FROM wf.runs r WHERE r.state IN ${stateList(unfinishedStates)} AND ${which} AND ${isFree} ORDER BY r.id LIMIT $2 FOR UPDATE SKIP LOCKED
         )
         UPDATE wf.runs r SET owner = $1, leg = r.leg + 1, legs = r.legs || (r.leg + 1),
           adoptions = CASE old.state WHEN ${running} THEN r.adoptions + 1 WHEN ${stuck} THEN 0 ELSE r.adoptions END,
           state = CASE WHEN old.state IN (${released}, ${stuck}) THEN ${running} ELSE r.state END
         FROM old WHERE r.id = old.id RETURNING r.id, r.v, r.leg, r.legs, r.adoptions, old.state AS was, old.owner AS previous`,
        this.#process,
        limit,
        ...values,
      );
    });
    const taken = rows.map(toTakenRun);
    const ready: TakenRun[] = [];
    for (const run of taken) {
      // A run whose former owner may still write is not executed; `leaveStrays` lets go of it.
      const isReady = run.from === undefined || (await this.#cutOff(dbos, run).catch(() => false));
      if (isReady) ready.push(run);
    }
    return ready;
  }

  /**
   * Lets go of runs that this process has by the database, but not in memory: the answer to a statement was lost, or a run could not be read.
   * @param isHeld whether a run is in memory
   * @param before what the last look found: a run may only just be on its way
   * @returns what this look has found
   */
  async leaveStrays(isHeld: (run: string) => boolean, before: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#database.query(
      `SELECT id, leg FROM wf.runs WHERE owner = $1 AND state IN ${stateList(unfinishedStates)}`,
      this.#process,
    );
    const strays = new Map(rows.map(({ id, leg }) => [String(id), Number(leg)] as const).filter(([id]) => !isHeld(id)));
    for (const [id, leg] of strays) {
      if (before.get(id) !== leg) continue;
      // They keep an owner: whoever takes them next cuts off what this process may have begun.
      const sql = `UPDATE wf.runs SET owner = 'lost' WHERE id = $1 AND leg = $2 AND owner = $3`;
      await this.#database.query(sql, id, leg, this.#process);
    }
    return strays;
  }

  /** Cuts off the earlier legs: nothing that another process writes into them counts any more. */
  async #cutOff(dbos: DbosProcess, { id, leg, legs }: TakenRun): Promise<true> {
    const earlier = new Map(legs.filter((other) => other !== leg).map((other) => [legId(id, other), other] as const));
    const find = (): Promise<DatabaseRow[]> =>
      this.#database.query('SELECT workflow_uuid, status FROM dbos.workflow_status WHERE workflow_uuid = ANY($1)', [
        ...earlier.keys(),
      ]);
    const found = await this.#database.persist(find);
    await dbos.cancel(found.filter(({ status }) => status === 'PENDING').map((row) => String(row.workflow_uuid)));
    // A leg that doesn't exist yet could be started by a process that slept, and must not be read.
    const count = found.map((row) => earlier.get(String(row.workflow_uuid)) ?? 1).sort((one, other) => one - other);
    const sql = 'UPDATE wf.runs SET legs = $3 WHERE id = $1 AND leg = $2';
    await this.#database.persist(() => this.#database.query(sql, id, leg, [...count, leg]));
    return true;
  }

  /** Whether processes died too often while executing this run; then someone has to look. */
  async giveUp({ id, leg, was, adoptions }: TakenRun): Promise<boolean> {
    if (was !== storedStates.running || adoptions < MOST_ADOPTIONS) return false;
    const sql = 'UPDATE wf.runs SET state = $3, due = NULL, owner = NULL WHERE id = $1 AND leg = $2';
    await this.#database.persist(() => this.#database.query(sql, id, leg, storedStates.stuck));
    return true;
  }

  /** Cancels runs that no one has, and returns their ids. */
  async cancelFree(ids: readonly string[], outcome: string): Promise<string[]> {
    const outcomes = ids.map((id) => this.#sealing.seal(outcome, id));
    const rows = await this.#database.transaction(async (query) => {
      await query('SELECT pg_advisory_xact_lock($1)', storeLocks.ownership);
      return query(
        `UPDATE wf.runs r SET state = $3, finished = $4, outcome = c.outcome, due = NULL, waits = NULL, owner = NULL, leg = r.leg + 1
         FROM unnest($1::text[], $2::text[]) AS c(id, outcome)
         WHERE r.id = c.id AND r.state IN ${stateList(unfinishedStates)} AND ${isFree} RETURNING r.id`,
        ids,
        outcomes,
        storedStates.cancelled,
        Date.now(),
      );
    });
    return rows.map((row) => String(row.id));
  }

  /** Ends waits of a run that no one has; false if someone has it. @param hurried says which waits */
  async hurryFree(id: string, hurried: (extra: RunExtra) => RunExtra): Promise<boolean> {
    return this.#database.transaction(async (query) => {
      await query('SELECT pg_advisory_xact_lock($1)', storeLocks.ownership);
      const waiting = `r.id = $1 AND r.state = ${storedStates.waiting} AND ${isFree}`;
      const [row] = await query(`SELECT r.extra FROM wf.runs r WHERE ${waiting} FOR UPDATE`, id);
      if (row === undefined) return false;
      const extra = JSON.stringify(hurried(readExtra(row.extra === null ? null : String(row.extra))));
      await query('UPDATE wf.runs SET due = $2, extra = $3 WHERE id = $1', id, Date.now(), extra);
      return true;
    });
  }

  /** The owner of a run, which is `undefined` if no living process has it; `undefined` for a run that is over or gone. */
  async ownerOf(id: string): Promise<{ readonly owner: string | undefined; readonly expires: string } | undefined> {
    const [row] = await this.#database.query(
      `SELECT r.owner, NOT ${isFree} AS is_owned, (SELECT p.expires::text FROM wf.processes p WHERE p.id = r.owner) AS expires
       FROM wf.runs r WHERE r.id = $1 AND r.state IN ${stateList(unfinishedStates)}`,
      id,
    );
    if (row === undefined) return undefined;
    return { owner: row.is_owned === true ? String(row.owner) : undefined, expires: String(row.expires) };
  }
}

const toTakenRun = (row: DatabaseRow): TakenRun => ({
  id: String(row.id),
  v: Number(row.v),
  leg: Number(row.leg),
  adoptions: Number(row.adoptions),
  was: row.was as StoredState, // only these are written
  from: row.previous === null ? undefined : String(row.previous),
  legs: row.legs as number[], // an array of integers
});

/** Attempts to find no other connection, and milliseconds between two: the server notices a little late that one was closed. */
const ATTEMPTS = [10, 100] as const;

/**
 * Whether no other connection to the store is open, and no other process has a valid lease. If so, no connection can be opened until the end
 * of the transaction.
 * @param query of a transaction, after `closeIdle`
 * @param process id of this process
 */
export async function isOnlyProcess(query: SqlCall, process: string): Promise<boolean> {
  if (!(await isOnlyConnection(query))) return false;
  const leased = await query('SELECT 1 FROM wf.processes WHERE id <> $1 AND expires > clock_timestamp() LIMIT 1', process);
  return leased.length === 0;
}

async function isOnlyConnection(query: SqlCall): Promise<boolean> {
  const [attempts, ms] = ATTEMPTS;
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    const [row] = await query('SELECT pg_try_advisory_xact_lock($1) AS has', storeLocks.key);
    if (row?.has === true) return true;
  }
  return false;
}
