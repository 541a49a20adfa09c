// Defines the tables of wf in a database, for everything about runs that DBOS doesn't store. Journals are DBOS steps, in its schema.
import { randomUUID } from 'node:crypto';
import { UsageError } from '../../../engine/usage-error.js';
import { createSealing, keyFaults, newSecret, readSecret, type TextSealing, textSealing } from '../shared/sealing.js';
import type { PostgresDatabase, SqlCall } from './postgres-database.js';
import { takeTurnsFunction } from './turns.js';

/** Lock keys, used along with names: arbitrary numbers, but the same in every process. */
export const storeLocks = { migration: 0x77660001, ownership: 0x77660002, key: 0x77660003, import: 0x77660004 } as const;

/**
 * `runs.id` is 32 hexadecimal digits and sorts by time. `owner` is the process that has the run now, `leg` numbers its stays in processes,
 * `legs` are those whose steps count. Times are milliseconds since 1970, except for leases, which follow the database's clock alone.
 */
const tables = `
CREATE SCHEMA IF NOT EXISTS wf;
CREATE TABLE wf.meta(key text PRIMARY KEY, value bytea NOT NULL);
CREATE TABLE wf.processes(
  id text PRIMARY KEY, started timestamptz NOT NULL DEFAULT now(), expires timestamptz NOT NULL, doubtful timestamptz NOT NULL,
  backend integer NOT NULL, backend_started timestamptz
);
CREATE TABLE wf.contents(hash text PRIMARY KEY, used bigint NOT NULL, data text NOT NULL);
CREATE TABLE wf.versions(v serial PRIMARY KEY, workflow text NOT NULL, hash text NOT NULL, info text NOT NULL, UNIQUE(hash, workflow));
CREATE TABLE wf.sites(v integer NOT NULL, site integer NOT NULL, info text NOT NULL, PRIMARY KEY(v, site));
CREATE TABLE wf.runs(
  id text COLLATE "C" PRIMARY KEY, v integer NOT NULL, state smallint NOT NULL, finished bigint, due bigint,
  adoptions integer NOT NULL DEFAULT 0, owner text, leg integer NOT NULL DEFAULT 1, legs integer[] NOT NULL DEFAULT '{1}',
  waits text, request text NOT NULL, outcome text, reached text, rerun_of text, key text, extra text
);
CREATE INDEX runs_by_state ON wf.runs(state, id);
CREATE INDEX runs_by_version ON wf.runs(v, id);
CREATE INDEX runs_by_due ON wf.runs(due) WHERE due IS NOT NULL;
CREATE INDEX runs_by_owner ON wf.runs(owner) WHERE state < 10;
CREATE INDEX runs_by_origin ON wf.runs(rerun_of) WHERE rerun_of IS NOT NULL;
CREATE TABLE wf.keys(
  scope text NOT NULL, key text NOT NULL, run text NOT NULL, owner text NOT NULL, body bytea NOT NULL, at bigint NOT NULL, PRIMARY KEY(scope, key)
);
CREATE INDEX keys_by_age ON wf.keys(at);
CREATE TABLE wf.messages(id bigserial PRIMARY KEY, name text NOT NULL, at bigint NOT NULL, until bigint NOT NULL, run text, body text NOT NULL);
CREATE INDEX messages_by_name ON wf.messages(name, id);
CREATE INDEX messages_by_age ON wf.messages(until);
CREATE TABLE wf.message_fields(
  name text NOT NULL, field text NOT NULL, hash bytea NOT NULL, message bigint NOT NULL REFERENCES wf.messages(id) ON DELETE CASCADE,
  PRIMARY KEY(name, field, hash, message)
);
CREATE INDEX message_fields_by_message ON wf.message_fields(message);
CREATE TABLE wf.message_keys(name text NOT NULL, key text NOT NULL, body bytea NOT NULL, at bigint NOT NULL, answer text NOT NULL, PRIMARY KEY(name, key));
CREATE INDEX message_keys_by_age ON wf.message_keys(at);
CREATE TABLE wf.waiters(
  id bigserial PRIMARY KEY, name text NOT NULL, run text NOT NULL, place text NOT NULL, fields text NOT NULL, hash bytea NOT NULL,
  since bigint NOT NULL, due bigint, UNIQUE(run, place)
);
CREATE INDEX waiters_by_name ON wf.waiters(name, fields, hash, since);
CREATE TABLE wf.inbox(id bigserial PRIMARY KEY, run text NOT NULL, kind smallint NOT NULL, place text, at bigint NOT NULL, body text);
CREATE INDEX inbox_by_run ON wf.inbox(run);
CREATE TABLE wf.tasks(
  id text PRIMARY KEY, run text NOT NULL, place text NOT NULL, workflow text NOT NULL, asked bigint NOT NULL, due bigint, state smallint NOT NULL,
  answered bigint, body text NOT NULL, answer text, UNIQUE(run, place)
);
CREATE INDEX tasks_by_state ON wf.tasks(state, due, id);
`;

/** Tables and columns that came later, and that an older wf ignores: it can run beside a newer one, over the same store. */
const additions = [
  `CREATE TABLE wf.turns(
    id uuid PRIMARY KEY, address text NOT NULL, process text NOT NULL, began timestamptz NOT NULL DEFAULT now(), ended timestamptz
  );
  CREATE INDEX turns_by_address ON wf.turns(address, ended);
  ${takeTurnsFunction}`,
  // Fingerprints of the environment at the start of a run.
  'ALTER TABLE wf.runs ADD COLUMN environment text',
  `CREATE TABLE wf.changes(id bigserial PRIMARY KEY, run text, at bigint NOT NULL, body text NOT NULL);
  CREATE INDEX changes_by_run ON wf.changes(run, id);`,
  // Rows of a journal that were recorded together with the row of its run, before and after all of its steps.
  'ALTER TABLE wf.runs ADD COLUMN head text, ADD COLUMN tail text',
  'CREATE TABLE wf.views(id text PRIMARY KEY, body text NOT NULL)',
] as const;

interface PostgresFormat {
  /** Of a new store. */
  readonly tables: string;
  readonly additions: readonly string[];
  /**
   * Migrates a store of each format to the next; the first is for format 1. An older wf refuses the result, so a change that it
   * would ignore is an addition instead.
   */
  readonly migrations: readonly string[];
}

/** The format that this version of wf writes. */
const current: PostgresFormat = { tables, additions, migrations: [] };

/**
 * Creates the tables of a new store, or migrates those of an older one, in one transaction and one process at a time.
 * @returns the sealing with the key
 * @throws UsageError for a store of a newer format, or with another key
 */
export async function prepareStore(
  database: PostgresDatabase,
  key: Uint8Array | undefined,
  { tables, additions, migrations }: PostgresFormat = current,
): Promise<TextSealing> {
  const newest = migrations.length + 1;
  const isComplete = async (query: SqlCall): Promise<boolean> =>
    (await formatOf(query, newest)) === newest && (await additionsIn(query)) >= additions.length;
  if (await isComplete(database.query)) return unlock(database, key);
  await withMigrationLock(database, async () => {
    if (await isComplete(database.query)) return;
    await database.transaction(async (query) => {
      const found = await formatOf(query, newest);
      if (found === undefined) {
        await query(tables);
        await query(`INSERT INTO wf.meta(key, value) VALUES ('secret', $1)`, newSecret(key));
      }
      const added = await additionsIn(query);
      for (const addition of additions.slice(added)) await query(addition);
      // They may change what was added.
      for (const migration of migrations.slice((found ?? newest) - 1)) await query(migration);
      const sql = `INSERT INTO wf.meta(key, value) VALUES ('format', $1), ('additions', $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
      await query(sql, numberBytes(newest), numberBytes(Math.max(added, additions.length)));
    });
  });
  return unlock(database, key);
}

const numberBytes = (number: number): Buffer => Buffer.from(String(number));

async function additionsIn(query: SqlCall): Promise<number> {
  const [row] = await query(`SELECT convert_from(value, 'UTF8') AS count FROM wf.meta WHERE key = 'additions'`);
  return Number(row?.count ?? 0);
}

/** Milliseconds between attempts to get the migration lock. */
const LOCK_POLL_MS = 50;

/** Performs work while no other process creates or changes tables. Concurrent migrations would wait for each other forever. */
export async function withMigrationLock<T>(database: PostgresDatabase, work: () => Promise<T>): Promise<T> {
  // A separate connection holds the lock, because DBOS migrates over others.
  const client = await database.pool.connect();
  try {
    // Polled: a statement that waits has a snapshot, and DBOS creates indexes that wait for all snapshots to end.
    for (;;) {
      const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS has', [storeLocks.migration]);
      if (rows[0]?.has === true) break;
      await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
    }
    return await work();
  } finally {
    // The lock ends with its connection.
    client.release(true);
  }
}

/**
 * `undefined` if there is no store yet.
 * @param newest that this version of wf knows
 * @throws UsageError for a newer format, for none, and for a schema of another program
 */
async function formatOf(query: SqlCall, newest: number): Promise<number | undefined> {
  const [found] = await query(
    `SELECT to_regclass('wf.meta') IS NOT NULL AS is_store, to_regnamespace('wf') IS NOT NULL AS is_taken`,
  );
  if (found?.is_store !== true) {
    if (found?.is_taken !== true) return undefined;
    const [other] = await query(`SELECT 1 FROM pg_class WHERE relnamespace = 'wf'::regnamespace LIMIT 1`);
    if (other === undefined) return undefined;
    throw new UsageError(
      'The database cannot be used as a store: its schema "wf" belongs to another program.',
      'Use another database.',
    );
  }
  const [row] = await query(`SELECT convert_from(value, 'UTF8') AS format FROM wf.meta WHERE key = 'format'`);
  const format = Number(row?.format);
  if (format > newest)
    throw new UsageError(
      `The store was written by a newer wf: it has format ${format}, and this wf knows format ${newest}.`,
      'Nothing was changed. Use that newer wf, or another store.',
    );
  if (format >= 1) return format;
  throw new UsageError(
    'The store has no format that this wf knows, so it cannot be migrated.',
    'Nothing was changed. Restore a backup, or use another store.',
  );
}

async function unlock(database: PostgresDatabase, key: Uint8Array | undefined): Promise<TextSealing> {
  const [row] = await database.query(`SELECT value FROM wf.meta WHERE key = 'secret'`);
  if (!(row?.value instanceof Uint8Array)) throw new UsageError('The store is damaged: its secret is missing.');
  const secret = readSecret(row.value, key);
  if (typeof secret !== 'string') {
    database.guard.expect(row.value);
    return textSealing(createSealing(key, secret));
  }
  const [message, hint] = keyFaults[secret];
  throw new UsageError(message, hint);
}

/** An id for this process that no other has. */
export const newProcessId = (): string => `wf-${randomUUID()}`;
