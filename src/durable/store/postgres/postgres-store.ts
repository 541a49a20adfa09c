// A store on PostgreSQL, as the engine sees it.
import type { TakeTurn } from '../../../../runtime/types.js';
import type { Runnable } from '../../../engine/engine.js';
import { UsageError } from '../../../engine/usage-error.js';
import { isBranchOver, readEffectAddress } from '../../model/addresses.js';
import { type EntryRow, endedEffects } from '../../model/entries.js';
import { DamagedRun } from '../../model/file-troubles.js';
import { toRunId } from '../../model/run-ids.js';
import { stateList, storedStates, unfinishedStates } from '../../model/run-rows.js';
import type { Health } from '../../model/run-views.js';
import { readExtra, readRequest } from '../../model/stored-run.js';
import type { OwnVersion } from '../../model/versions.js';
import type { Fence, LoadedRun, OpenOptions, Store, StoreAccess, StoreErasing, StoreEvents, TakenUp } from '../port.js';
import type { TextSealing } from '../shared/sealing.js';
import { SharedTables, type TableColumns } from '../shared/shared-tables.js';
import { sql } from '../shared/sql.js';
import { EnvironmentFingerprints } from '../shared/versions.js';
import { HostProcess } from './host-process.js';
import { legId, readJournal } from './journal-steps.js';
import { isOnlyProcess } from './ownership.js';
import { PostgresCustody } from './postgres-custody.js';
import { type PostgresDatabase, passingFault, postgresSql, readAddress, watchDatabase } from './postgres-database.js';
import { PostgresPruning } from './postgres-pruning.js';
import { PostgresVersions } from './postgres-versions.js';
import { rekeyPostgres } from './rekey-postgres.js';
import { PostgresReader, readRunRow } from './run-reader.js';
import { prepareStore, storeLocks } from './store-tables.js';
import { PostgresTurns } from './turns.js';

/** The owner of a key is a process. */
const databaseColumns: TableColumns = {
  owner: {
    names: sql`owner`,
    of: (owner) => sql`${owner}`,
    recorded: sql`owner = ''`,
    isRecorded: (owner) => owner === '',
  },
  metaValue: (text) => Buffer.from(text),
};

class PostgresStore implements Store {
  readonly client: StoreAccess['client'];
  readonly custody: PostgresCustody;
  readonly pruning: PostgresPruning;
  readonly fence: Fence;
  readonly takeTurn: TakeTurn;
  readonly #host: HostProcess;
  readonly #database: PostgresDatabase;
  readonly #key: Uint8Array | undefined;
  readonly #sealing: TextSealing;
  readonly #versions: PostgresVersions;
  readonly #prints: EnvironmentFingerprints;
  readonly #turns: PostgresTurns;
  readonly #stopProblems: () => void;

  constructor(host: HostProcess, sealing: TextSealing, key: Uint8Array | undefined, options: OpenOptions) {
    const { database, lease } = host;
    this.#host = host;
    this.#database = database;
    this.#key = key;
    this.#sealing = sealing;
    this.#prints = new EnvironmentFingerprints(options.env, async (texts) =>
      texts.map((text) => sealing.hash(text).toString('hex', 0, 4)),
    );
    this.#versions = new PostgresVersions(database, this.#prints);
    const tables = postgresSql(database, sealing);
    const shared = new SharedTables(tables, databaseColumns);
    this.client = { reader: new PostgresReader(database, this.#versions, sealing), shared };
    this.custody = new PostgresCustody(host, this.#versions, sealing, options.observer?.committed);
    this.pruning = new PostgresPruning(host, tables, (runs) => shared.endShared(runs));
    this.fence = lease;
    this.#turns = new PostgresTurns(database, lease, sealing);
    this.takeTurn = this.#turns.take;
    this.#stopProblems = host.onProblem(options.onProblem ?? (() => undefined));
  }

  attach(events: StoreEvents): void {
    this.custody.attach(events);
  }

  get health(): Health {
    return this.#database.health;
  }

  problemOf(error: unknown): string | undefined {
    return passingFault(error);
  }

  watchElsewhere(onChange: () => void): () => void {
    return watchDatabase(this.#database, onChange);
  }

  readonly erasing: StoreErasing = {
    eraseRun: async ({ id }, extra) => {
      const [row] = await this.#database.query('SELECT legs FROM wf.runs WHERE id = $1', id);
      if (row === undefined) return;
      // Its journal first: if this is interrupted, it is still shown that there is something to erase.
      const dbos = await this.#host.dbos();
      await dbos.remove((row.legs as number[]).map((leg) => legId(id, leg))); // an array of integers
      const { key = null } = readExtra(extra);
      await this.#database.query(
        `UPDATE wf.runs SET request = $2, outcome = NULL, head = NULL, tail = NULL, waits = NULL, due = NULL, environment = NULL, extra = $3, key = $4 WHERE id = $1`,
        ...[id, this.#sealing.seal('{}', id), extra, key],
      );
    },
    // The database removes deleted rows on its own.
    scrub: async () => undefined,
  };

  whileUsable<T>(work: Promise<T>): Promise<T | undefined> {
    return this.#database.whileUsable(work);
  }

  readonly queue = { settled: (run?: string) => this.custody.settled(run) };

  async isUsedElsewhere(): Promise<boolean> {
    await this.#database.closeIdle();
    return !(await this.#database.transaction((query) => isOnlyProcess(query, this.#host.lease.process)));
  }

  async undelivered(): Promise<number> {
    const sql = `SELECT count(DISTINCT r.id) AS runs FROM wf.inbox i JOIN wf.runs r ON r.id = i.run
      WHERE i.place IS NOT NULL AND r.state IN ${stateList(unfinishedStates)} AND r.state <> $1`;
    const [row] = await this.#database.query(sql, storedStates.stuck);
    return Number(row?.runs ?? 0);
  }

  async importing<T>(work: () => Promise<T>): Promise<T> {
    // First, because DBOS creates indexes in a new store, which wait until every transaction has ended.
    await this.#host.dbos();
    return this.#database.transaction(async (query) => {
      await query('SET LOCAL idle_in_transaction_session_timeout = 0');
      const [row] = await query('SELECT pg_try_advisory_xact_lock($1) AS has', storeLocks.import);
      // It would remove the journals that the other one is writing.
      if (row?.has !== true)
        throw new UsageError('Another process is importing runs into the store.', 'Wait until it has finished.');
      return work();
    });
  }

  rekey(key: Uint8Array | undefined): Promise<void> {
    return rekeyPostgres(this.#host, this.#key, key);
  }

  async giveUpFile(): Promise<never> {
    throw new UsageError('A store in a database has no files that wf could give up.', 'Restore the database from a backup.');
  }

  async backUp(): Promise<never> {
    throw new UsageError(
      'A store in a database is backed up with the tools of the database, while servers use it.',
      'For example: pg_dump --format=custom --file=runs.dump --dbname=postgres://…',
    );
  }

  giveUp(): void {
    this.custody.giveUp();
  }

  async close(): Promise<void> {
    await this.#turns.close();
    this.custody.close();
    this.#stopProblems();
    await this.#host.close();
  }

  get isEncrypted(): boolean {
    return this.#sealing.isEncrypted;
  }

  async load(run: TakenUp): Promise<LoadedRun | undefined> {
    const database = this.#database;
    const { id } = run;
    const [found] = await database.persist(() => database.query('SELECT * FROM wf.runs WHERE id = $1', id));
    if (found === undefined) return undefined;
    // Another process took it while this one slept; from here on, that would be noticed when the lease is renewed.
    if (!this.custody.isAt(run, found.owner, found.leg)) return undefined;
    const row = readRunRow(found, this.#sealing);
    if (row.isDamaged === true) throw new DamagedRun(toRunId(row.id), 'it does not continue');
    const version = await database.persist(() => this.#versions.numbered(row.v));
    if (version === undefined) return undefined;
    const entries = await database.persist(() => readJournal(database.query, id, this.#sealing));
    await this.#forgetDelivered(id, entries);
    const { request, received, version: onlyVersion } = readRequest(row.request);
    const environment = found.environment === null ? undefined : String(found.environment);
    const changedEnv = await this.#prints.changed(version.info.env, environment);
    const wasWaiting = row.state === storedStates.waiting;
    return { version, request, received, onlyVersion, entries, changedEnv, extra: readExtra(row.extra), wasWaiting };
  }

  /** Arrivals that are in the journal, or that came for a branch that is over, need not be delivered: a process died in between. */
  async #forgetDelivered(run: string, entries: readonly EntryRow[]): Promise<void> {
    const database = this.#database;
    const sql = 'SELECT id, place FROM wf.inbox WHERE run = $1 AND place IS NOT NULL';
    const rows = await database.persist(() => database.query(sql, run));
    if (rows.length === 0) return;
    const ended = endedEffects(entries);
    const done: typeof rows = [];
    for (const row of rows) {
      const place = String(row.place);
      if (ended.has(place)) done.push(row);
      else if (isBranchOver(readEffectAddress(place).branch, ended)) await this.client.shared.endWait(run, place, false);
    }
    if (done.length === 0) return;
    const ids = done.map(({ id }) => id);
    await database.persist(() => database.query('DELETE FROM wf.inbox WHERE id = ANY($1)', ids));
  }

  runnable(version: OwnVersion): Promise<Runnable> {
    return this.#versions.runnable(version);
  }
}

/** @throws UsageError if the database can't be reached, can't be a store, or is encrypted with another key */
export async function openPostgres(where: string, key: Uint8Array | undefined, options: OpenOptions): Promise<Store> {
  const host = await HostProcess.open(readAddress(where, options.env, options.cwd), options.cwd);
  try {
    return new PostgresStore(host, await prepareStore(host.database, key), key, options);
  } catch (error) {
    await host.close();
    throw error;
  }
}
