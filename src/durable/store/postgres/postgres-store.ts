// A store on PostgreSQL, as the engine sees it.
import type { TakeTurn } from '../../../../runtime/types.js';
import type { Runnable } from '../../../engine/engine.js';
import { UsageError } from '../../../engine/usage-error.js';
import { isBranchOver, readEffectAddress } from '../../model/addresses.js';
import { type EntryRow, endedEffects } from '../../model/entries.js';
import { DamagedRun, usedElsewhere } from '../../model/file-troubles.js';
import { KEY_LIFE_MS } from '../../model/request-keys.js';
import { CALLED_PREFIX, toRunId } from '../../model/run-ids.js';
import { finishedStates, stateList, storedStates, unfinishedStates } from '../../model/run-rows.js';
import type { Health } from '../../model/run-views.js';
import { readExtra, readRequest } from '../../model/stored-run.js';
import { taskStates } from '../../model/tasks.js';
import type { OwnVersion } from '../../model/versions.js';
import type {
  Fence,
  LoadedRun,
  OldRuns,
  OpenOptions,
  RunDeletion,
  Store,
  StoreAccess,
  StoreErasing,
  StoreEvents,
  TakenUp,
} from '../port.js';
import { createSealing, readSecret, sealedTables, storedSecret, type TextSealing, textSealing } from '../shared/sealing.js';
import { pruneByAge, SharedTables, type TableColumns } from '../shared/shared-tables.js';
import { type SharedSql, sql } from '../shared/sql.js';
import { EnvironmentFingerprints } from '../shared/versions.js';
import type { DbosProcess } from './dbos-process.js';
import { HostProcess } from './host-process.js';
import { legId, readJournal } from './journal-steps.js';
import { isOnlyProcess } from './ownership.js';
import { PostgresCustody } from './postgres-custody.js';
import {
  type PostgresDatabase,
  passingFault,
  postgresSql,
  readAddress,
  type SqlCall,
  watchDatabase,
} from './postgres-database.js';
import { PostgresVersions } from './postgres-versions.js';
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
        id,
        this.#sealing.seal('{}', id),
        extra,
        key,
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

// Encrypts everything in a database with another key, or with none, in one transaction while no other process uses the store.

/** Rows read at a time. */
const BATCH = 200;

/** Columns with sealed text, by table; `owner` says what a row is sealed for. */
const sealedColumns = [
  { table: 'runs', owner: 'id', columns: ['waits', 'request', 'outcome', 'head', 'tail'] },
  ...sealedTables.map(({ table, owner: [word, column], columns }) => ({
    table,
    columns,
    owner: `'${word}' || coalesce(${column}, '')`,
  })),
];

/** @throws UsageError if another process uses the store */
async function rekeyPostgres(
  { database, lease }: HostProcess,
  from: Uint8Array | undefined,
  to: Uint8Array | undefined,
): Promise<void> {
  await database.closeIdle();
  await database.transaction(async (query) => {
    await query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await query('SELECT pg_advisory_xact_lock($1)', storeLocks.ownership);
    if (!(await isOnlyProcess(query, lease.process))) throw usedElsewhere();
    const [row] = await query(`SELECT value FROM wf.meta WHERE key = 'secret' FOR UPDATE`);
    const secret = row?.value instanceof Uint8Array ? readSecret(row.value, from) : 'needs a key';
    if (typeof secret === 'string') throw new Error('The secret of the store cannot be read.');
    const old = textSealing(createSealing(from, secret));
    const next = textSealing(createSealing(to, secret));
    for (const { table, owner, columns } of sealedColumns) {
      for (let after: unknown; ; ) {
        const where = after === undefined ? 'true' : 'id > $1';
        const sql = `SELECT id, ${owner} AS owner, ${columns.join(', ')} FROM wf.${table} WHERE ${where} ORDER BY id LIMIT ${BATCH}`;
        const rows = await query(sql, ...(after === undefined ? [] : [after]));
        for (const found of rows) {
          const values = columns.map((column) => {
            const value = found[column];
            const sealedFor = String(found.owner);
            if (value === null) return null;
            if (column === 'head' || column === 'tail') return resealedStep(String(value), sealedFor, old, next);
            return next.seal(old.open(String(value), sealedFor), sealedFor);
          });
          const set = columns.map((column, index) => `${column} = $${index + 2}`).join(', ');
          await query(`UPDATE wf.${table} SET ${set} WHERE id = $1`, found.id, ...values);
        }
        if (rows.length < BATCH) break;
        after = rows.at(-1)?.id;
      }
    }
    await rekeySteps(query, old, next);
    await query(`UPDATE wf.meta SET value = $1 WHERE key = 'secret'`, storedSecret(secret, to));
  });
}

/** The output of a step. @param run 32 hexadecimal digits */
function resealedStep(output: string, run: string, old: TextSealing, next: TextSealing): string {
  const stored: unknown = JSON.parse(output);
  const text = typeof stored === 'string' ? old.open(stored, run) : JSON.stringify(stored);
  return next.isEncrypted ? JSON.stringify(next.seal(text, run)) : text;
}

/** The journals, which are outputs of steps. There is no table of them before the first run. */
async function rekeySteps(query: SqlCall, old: TextSealing, next: TextSealing): Promise<void> {
  const [table] = await query(`SELECT to_regclass('dbos.operation_outputs') IS NOT NULL AS is_there`);
  if (table?.is_there !== true) return;
  for (let last: readonly [unknown, unknown] = ['', -1]; ; ) {
    const rows = await query(
      `SELECT workflow_uuid, function_id, output FROM dbos.operation_outputs
       WHERE (workflow_uuid, function_id) > ($1::text, $2::integer) AND output IS NOT NULL ORDER BY workflow_uuid, function_id LIMIT ${BATCH}`,
      ...last,
    );
    for (const { workflow_uuid: leg, function_id: step, output } of rows) {
      const run = String(leg).split(':')[0]?.replaceAll('-', '') ?? '';
      const sealed = resealedStep(String(output), run, old, next);
      await query(
        'UPDATE dbos.operation_outputs SET output = $3 WHERE workflow_uuid = $1 AND function_id = $2',
        leg,
        step,
        sealed,
      );
    }
    const end = rows.at(-1);
    if (end === undefined) return;
    last = [end.workflow_uuid, end.function_id];
  }
}

// Deletes finished runs with their journals from the database in small batches, and everything else that no one can ask for any more.

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

class PostgresPruning implements OldRuns {
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
      taskStates.open,
      gone,
    );
    const hasRun = async (run: string) => (await query('SELECT 1 FROM wf.runs WHERE id = $1', run)).length > 0;
    await pruneByAge(this.#tables, before, now, hasRun);
  }
}

const age = (before: number, now: number): [number, number, number] => [before, now - KEY_LIFE_MS, now];
