// The file that all processes of a store share, in the thread that writes it. The thread never blocks on another process: work that finds
// the file busy is retried a moment later, and everything that has accumulated by then is one transaction.
import path from 'node:path';
import { UsageError } from '../../../engine/usage-error.js';
import { repairFields } from '../shared/messages.js';
import { createSealing, keyFaults, newSecret, readSecret, type Sealing } from '../shared/sealing.js';
import { forSqlite, rowsOf, type SharedSql, type SqlRow, type SqlText, type SqlValue, type SqlWork, sql } from '../shared/sql.js';
import { checkStructure, isSmall } from './row-sums.js';
import { SharedSums } from './shared-sums.js';
import { type OpenDatabase, openDurable, type SqlQuery, sqliteCode, sqliteCodes, transaction } from './sqlite.js';
import { makePrivateFile, SHARED_FILE } from './store-folder.js';
import { prepareTables, requireSchema } from './store-format.js';

/** Minimum and maximum milliseconds until a busy file is retried. */
const RETRY_MS = [1, 8] as const;

/** Maximum milliseconds that the start of a process waits for others. */
const OPENING_MS = 10_000;

interface Job {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export class SharedFile {
  readonly database: OpenDatabase;
  readonly sealing: Sealing;
  readonly sums: SharedSums;
  readonly key: Uint8Array | undefined;
  readonly #statements = new Map<string, SqlQuery>();
  /** Whether this process changes the key of the store. */
  isRekeying: boolean;
  readonly #during: (work: () => void) => void;
  /** As it was found, or written. Each key stores it differently. */
  #secret: Uint8Array = new Uint8Array();
  #jobs: Job[] = [];
  #isScheduled = false;
  #isClosed = false;

  /**
   * @param isRekeying opens it to finish a change of its key
   * @param during performs each piece of later work
   * @param onDamaged called with each record that was changed in the file, each time that someone comes across it
   * @throws UsageError for a store with another key, or of a newer format
   */
  constructor(
    folder: string,
    key: Uint8Array | undefined,
    isRekeying = false,
    during = (work: () => void): void => work(),
    onDamaged: (record: string) => void = () => undefined,
  ) {
    this.key = key;
    this.isRekeying = isRekeying;
    this.#during = during;
    const file = path.join(folder, SHARED_FILE);
    makePrivateFile(file);
    this.database = openDurable(file, OPENING_MS);
    try {
      prepareTables(this.database, 'shared');
      this.#refuseHalfRekeyed();
      this.sealing = transaction(this.database, () => this.#unlock(key));
      this.sums = new SharedSums(this.database, this.sealing, onDamaged);
      this.#check();
      this.database.exec('PRAGMA busy_timeout = 0');
    } catch (error) {
      this.database.close();
      throw error;
    }
  }

  /** Reports damaged rows, which are set aside where they are used; gives a checksum to those of earlier builds. */
  #check(): void {
    requireSchema(this.database, 'shared');
    const [secret] = this.perform(rowsOf('meta', sql`WHERE key = 'secret'`, 'marked'));
    if (secret?.isDamaged === 1) throw Object.assign(new Error('The secret was changed.'), { errcode: sqliteCodes.corrupt });
    if (!isSmall(this.database)) return;
    const isDamaged = this.sums.report();
    checkStructure(this.database, () => {
      if (isDamaged === true) transaction(this.database, () => this.sums.rebuild());
      return isDamaged === undefined ? undefined : !isDamaged;
    });
    if (isDamaged === undefined) transaction(this.database, () => this.sums.complete());
    if (!this.isRekeying) transaction(this.database, () => performed(this, repairFields(this.sealing)));
  }

  prepared(sql: string): SqlQuery {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  get(sql: string, ...values: readonly SqlValue[]): Readonly<Record<string, SqlValue>> | undefined {
    return this.prepared(sql).get(...values);
  }

  all(sql: string, ...values: readonly SqlValue[]): Readonly<Record<string, SqlValue>>[] {
    return this.prepared(sql).all(...values);
  }

  /** Performs a statement; the rows of `rowsOf` are verified. @throws DamagedRecord */
  perform(statement: SqlText): readonly SqlRow[] {
    const { text, values } = forSqlite(statement, (table, row) => this.sums.of(table, row));
    const read = (): readonly SqlRow[] => this.all(text, ...values);
    return statement.selected === undefined ? read() : this.sums.verified(statement.selected, read);
  }

  /** Runs an INSERT, UPDATE or DELETE; returns the number of rows changed. */
  run(sql: string, ...values: readonly SqlValue[]): number {
    return Number(this.prepared(sql).run(...values).changes);
  }

  /** Runs `work` within a transaction, eventually; resolves when it is on disk. `work` may run more than once. */
  change<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // The job returns what its own work returns.
      this.#jobs.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule(0);
    });
  }

  /** @throws UsageError if the key of the store is being changed, or was changed since this process opened it */
  requireKey(): void {
    this.#refuseHalfRekeyed();
    const found = this.get("SELECT value FROM meta WHERE key = 'secret'")?.value;
    if (found instanceof Uint8Array && Buffer.compare(found, this.#secret) === 0) return;
    throw new UsageError('The key of the store was changed meanwhile.', 'Start again, with the new key in WF_STORE_KEY.');
  }

  /** Refuses to write with a former key. */
  #transaction<T>(work: () => T): T {
    return transaction(this.database, () => {
      if (!this.isRekeying) this.requireKey();
      return work();
    });
  }

  /** Work that has not been done yet fails. */
  close(): void {
    this.#isClosed = true;
    this.#statements.clear();
    this.database.close();
  }

  #schedule(ms: number): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const next = (): void => {
      this.#isScheduled = false;
      this.#during(() => this.#work());
    };
    if (ms === 0) setImmediate(next);
    else setTimeout(next, ms);
  }

  #work(): void {
    const jobs = this.#jobs;
    this.#jobs = [];
    if (this.#isClosed) {
      refuse(jobs, new Error('The store is closed.'));
      return;
    }
    try {
      const results = this.#transaction(() => jobs.map(({ work }) => work()));
      for (const [index, { resolve }] of jobs.entries()) resolve(results[index]);
    } catch (error) {
      if (sqliteCode(error) === sqliteCodes.busy) this.#retry(jobs);
      else if (jobs.length === 1) refuse(jobs, error);
      else for (const job of jobs) this.#alone(job);
    }
  }

  /** Performs one piece of work alone, after one of several failed: that must not affect the others. */
  #alone(job: Job): void {
    try {
      job.resolve(this.#transaction(job.work));
    } catch (error) {
      if (sqliteCode(error) === sqliteCodes.busy) this.#retry([job]);
      else refuse([job], error);
    }
  }

  /** Another process holds the file. */
  #retry(jobs: readonly Job[]): void {
    this.#jobs = [...jobs, ...this.#jobs];
    this.#schedule(RETRY_MS[0] + Math.random() * (RETRY_MS[1] - RETRY_MS[0]));
  }

  #refuseHalfRekeyed(): void {
    if (this.isRekeying || this.get("SELECT 1 FROM meta WHERE key = 'rekeying'") === undefined) return;
    throw new UsageError(
      'A change of the key of this store was interrupted, or is in progress: parts of it have the old key, and parts the new one.',
      'Unless it is in progress, finish it with "wf runs rekey", with WF_STORE_KEY and WF_NEW_STORE_KEY as they were.',
    );
  }

  /** Creates the secret of a new store, or verifies the key. */
  #unlock(key: Uint8Array | undefined): Sealing {
    const found = this.get("SELECT value FROM meta WHERE key = 'secret'")?.value;
    const stored = found instanceof Uint8Array ? found : newSecret(key);
    if (stored !== found) this.run("INSERT INTO meta(key, value) VALUES('secret', ?)", stored);
    this.#secret = stored;
    const secret = readSecret(stored, key);
    if (typeof secret !== 'string') return createSealing(key, secret);
    const [message, hint] = keyFaults[secret];
    throw new UsageError(message, hint);
  }
}

function performed<T>(shared: Pick<SharedFile, 'perform'>, work: SqlWork<T>): T {
  let next = work.next([]);
  while (next.done !== true) next = work.next(shared.perform(next.value));
  return next.value;
}

function refuse(jobs: readonly Job[], error: unknown): void {
  for (const { reject } of jobs) reject(error);
}

/**
 * Performs the work of shared tables on this file.
 * @param isUnfinished throws for a run that may be in a file that can't be read: then nothing has been changed
 */
export function sqliteSql(shared: SharedFile, isUnfinished: (run: string) => boolean): SharedSql {
  const perform = <T>(work: SqlWork<T>): T => performed(shared, work);
  const change = <T>(work: () => SqlWork<T>): Promise<T> => shared.change(() => perform(work()));
  return {
    sealing: shared.sealing,
    // A file has one writer at a time, so no other lock is needed.
    change,
    changeNow: change,
    statement: (statement) => shared.change(() => shared.perform(statement)),
    read: async (work) => perform(work()),
    // biome-ignore lint/correctness/useYield: the runs of a folder are in other files
    *isUnfinished(run) {
      return isUnfinished(run);
    },
  };
}
