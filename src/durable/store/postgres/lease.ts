// Proves that this process is alive: a row in the database that it keeps renewing over a separate connection. Others take its runs when the
// row has expired by the database's clock. The process itself stops earlier, by its own clock: it sends nothing unless its lease is known
// to be valid.
import { Client } from 'pg';
import { stateList, unfinishedStates } from '../../model/run-rows.js';
import type { PostgresDatabase, SqlCall } from './postgres-database.js';
import { storeLocks } from './store-tables.js';

/** Milliseconds that a lease is valid, for others. */
export const LEASE_MS = 10_000;
/** Milliseconds without renewal after which a process counts as dead if its connection is gone, too. */
const DOUBTFUL_MS = 4_500;
/** Age from which on no effect starts before the lease is renewed. Effects already started can end before others take over. */
const STALE_MS = 3_000;
const RENEW_MS = 1_000;
/** Time limit of a renewal in milliseconds, after which the connection is abandoned. */
const PATIENCE_MS = 5_000;

interface Moment {
  readonly monotonic: number;
  readonly clock: number;
}

const now = (): Moment => ({ monotonic: performance.now(), clock: Date.now() });

/** Runs that a process has, by id, with their legs. */
export type OwnedRuns = ReadonlyMap<string, number>;

export class Lease {
  readonly process: string;
  readonly #database: PostgresDatabase;
  readonly #url: string;
  #client: Client | undefined;
  /** Called with the runs that this process still has after the lease had expired. */
  readonly #onRevived = new Set<(owned: OwnedRuns) => void>();
  #renewed: Moment | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting: (() => void)[] = [];
  #renewing: Promise<void> | undefined;
  #isEnded = false;

  constructor(database: PostgresDatabase, url: string, process: string) {
    this.#database = database;
    this.#url = url;
    this.process = process;
  }

  /** Resolves when others know that this process is alive. */
  async begin(): Promise<void> {
    try {
      await this.#revive();
    } catch (error) {
      this.#disconnect();
      throw error;
    }
    this.#next();
  }

  onRevived(listener: (owned: OwnedRuns) => void): () => void {
    this.#onRevived.add(listener);
    return () => this.#onRevived.delete(listener);
  }

  /** A process that was paused, or a machine that slept, is as old as the later of its two clocks says. */
  get isGood(): boolean {
    const { ageMs } = this;
    return ageMs !== undefined && ageMs < STALE_MS;
  }

  /** Milliseconds since the last renewal; `undefined` before the first. */
  get ageMs(): number | undefined {
    if (this.#renewed === undefined) return undefined;
    const { monotonic, clock } = now();
    return Math.max(monotonic - this.#renewed.monotonic, clock - this.#renewed.clock);
  }

  /** Resolves when the lease is valid; by then, lost runs have been notified. `undefined` if it is valid already. */
  good(): Promise<void> | undefined {
    if (this.isGood || this.#isEnded) return undefined;
    void this.#renew();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #next(): void {
    if (this.#isEnded) return;
    this.#timer = setTimeout(() => void this.#renew().finally(() => this.#next()), RENEW_MS);
    this.#timer.unref();
  }

  #renew(): Promise<void> {
    this.#renewing ??= this.#tryToRenew()
      .catch(() => undefined) // The database doesn't answer; the next attempt follows.
      .finally(() => {
        this.#renewing = undefined;
      });
    return this.#renewing;
  }

  async #tryToRenew(): Promise<void> {
    const asked = now();
    try {
      const query = await this.#connected();
      const rows = await query(
        `UPDATE wf.processes SET expires = clock_timestamp() + $2 * interval '1 millisecond',
           doubtful = clock_timestamp() + $3 * interval '1 millisecond'
         WHERE id = $1 AND backend = pg_backend_pid() AND doubtful > clock_timestamp() + $4 * interval '1 millisecond' RETURNING 1`,
        // Another process may be judging an older lease just now: that one is renewed under the lock.
        this.process,
        LEASE_MS,
        DOUBTFUL_MS,
        DOUBTFUL_MS - STALE_MS,
      );
      if (this.#isEnded) return;
      if (rows.length > 0) this.#isRenewed(asked);
      else await this.#revive();
    } catch (error) {
      this.#database.note(error);
      this.#disconnect();
      throw error;
    }
  }

  /** The connection whose end tells others that this process has died. */
  async #connected(): Promise<SqlCall> {
    let client = this.#client;
    if (client === undefined) {
      client = new Client({
        connectionString: this.#url,
        ssl: this.#database.ssl,
        application_name: 'wf lease',
        keepAlive: true,
        connectionTimeoutMillis: PATIENCE_MS,
        query_timeout: PATIENCE_MS,
        // A process paused in the middle of a renewal must not keep others from theirs.
        idle_in_transaction_session_timeout: PATIENCE_MS,
      });
      client.on('error', () => this.#disconnect());
      this.#client = client;
      await client.connect();
      await this.#database.guard.admit(client);
    }
    const connected = client;
    return async (sql, ...values) => (await connected.query(sql, [...values])).rows;
  }

  #disconnect(): void {
    const client = this.#client;
    this.#client = undefined;
    void client?.end().catch(() => undefined);
  }

  /** The lease is new, has expired, or has another connection now. While this checks which runs are left, no one takes any. */
  async #revive(): Promise<void> {
    const asked = now();
    const query = await this.#connected();
    await query('BEGIN');
    await query('SELECT pg_advisory_xact_lock($1)', storeLocks.ownership);
    await query(
      `INSERT INTO wf.processes(id, expires, doubtful, backend, backend_started)
       SELECT $1, clock_timestamp() + $2 * interval '1 millisecond', clock_timestamp() + $3 * interval '1 millisecond', pid, backend_start
       FROM pg_stat_activity WHERE pid = pg_backend_pid()
       ON CONFLICT (id) DO UPDATE SET expires = excluded.expires, doubtful = excluded.doubtful, backend = excluded.backend,
         backend_started = excluded.backend_started`,
      this.process,
      LEASE_MS,
      DOUBTFUL_MS,
    );
    const rows = await query(
      `SELECT id, leg FROM wf.runs WHERE owner = $1 AND state IN ${stateList(unfinishedStates)}`,
      this.process,
    );
    await query('COMMIT');
    const owned = new Map(rows.map(({ id, leg }) => [String(id), Number(leg)] as const));
    if (this.#renewed !== undefined) for (const listener of this.#onRevived) listener(owned);
    this.#isRenewed(asked);
  }

  #isRenewed(asked: Moment): void {
    this.#renewed = asked;
    if (!this.isGood) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Ends the lease: others may immediately take what this process still has. */
  async end(): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    for (const resolve of this.#waiting.splice(0)) resolve();
    await this.#renewing;
    this.#disconnect();
    if (this.#renewed === undefined) return;
    await this.#database.query('DELETE FROM wf.processes WHERE id = $1', this.process).catch(() => undefined);
  }
}
