// The proof that this process lives: a row in the database that it renews all the time. Others take its runs when the row has expired by the
// clock of the database. The process itself stops earlier, by its own clock: nothing is sent unless the lease is known to be good.
import type { PostgresDatabase } from './postgres-database.js';
import { storeLocks } from './store-tables.js';

/** Milliseconds that a lease is good for. */
export const LEASE_MS = 10_000;
const RENEW_MS = 2_000;
/** Age from which on no effect begins: what has begun by then may end before others take over. */
const STALE_MS = (LEASE_MS * 2) / 3;

interface Moment {
  readonly monotonic: number;
  readonly clock: number;
}

const now = (): Moment => ({ monotonic: performance.now(), clock: Date.now() });

/** Runs that a process has, by their id, with the leg that it has. */
export type OwnedRuns = ReadonlyMap<string, number>;

export class Lease {
  readonly process: string;
  readonly #database: PostgresDatabase;
  /** Told which runs are still this process's own after the lease had expired. */
  readonly #onRevived = new Set<(owned: OwnedRuns) => void>();
  #renewed: Moment | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting: (() => void)[] = [];
  #renewing: Promise<void> | undefined;
  #isEnded = false;

  constructor(database: PostgresDatabase, process: string) {
    this.#database = database;
    this.process = process;
  }

  /** Resolves when others know that this process lives. */
  async begin(): Promise<void> {
    await this.#revive();
    this.#next();
  }

  onRevived(listener: (owned: OwnedRuns) => void): () => void {
    this.#onRevived.add(listener);
    return () => this.#onRevived.delete(listener);
  }

  /** A process that was stopped, or a machine that slept, is as old as the later of its two clocks says. */
  get isGood(): boolean {
    if (this.#renewed === undefined) return false;
    const { monotonic, clock } = now();
    return Math.max(monotonic - this.#renewed.monotonic, clock - this.#renewed.clock) < STALE_MS;
  }

  /** Resolves when the lease is good; runs that were lost meanwhile know it by then. `undefined` if it is good already. */
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
    const rows = await this.#database.query(
      `UPDATE wf.processes SET expires = clock_timestamp() + $2 * interval '1 millisecond'
       WHERE id = $1 AND expires > clock_timestamp() RETURNING 1`,
      ...[this.process, LEASE_MS],
    );
    if (this.#isEnded) return;
    if (rows.length > 0) this.#isRenewed(asked);
    else await this.#revive();
  }

  /** The lease has expired, or is new. Nobody takes runs while this looks which are left. */
  async #revive(): Promise<void> {
    const asked = now();
    const rows = await this.#database.transaction(async (query) => {
      await query('SELECT pg_advisory_xact_lock($1)', storeLocks.ownership);
      await query(
        `INSERT INTO wf.processes(id, expires) VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond')
         ON CONFLICT (id) DO UPDATE SET expires = excluded.expires`,
        ...[this.process, LEASE_MS],
      );
      return query('SELECT id, leg FROM wf.runs WHERE owner = $1 AND state < 10', this.process);
    });
    const owned = new Map(rows.map(({ id, leg }) => [String(id), Number(leg)] as const));
    if (this.#renewed !== undefined) for (const listener of this.#onRevived) listener(owned);
    this.#isRenewed(asked);
  }

  #isRenewed(asked: Moment): void {
    this.#renewed = asked;
    if (!this.isGood) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  /** Others may take what this process still has at once. */
  async end(): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    for (const resolve of this.#waiting.splice(0)) resolve();
    if (this.#renewed === undefined) return;
    await this.#database.query('DELETE FROM wf.processes WHERE id = $1', this.process).catch(() => undefined);
  }
}
