// The tables in the files of a folder, and the number of their format. A change of a table increases the number and requires a migration.
import { UsageError } from '../../../engine/usage-error.js';
import { type Database, transaction } from './sqlite.js';

/** `wfst`: distinguishes a file of a store from any other database. */
const APPLICATION_ID = 0x77667374;

/**
 * The runs of one process. `reached` is no longer used; earlier builds, which can run beside this one, write it. `v` numbers a version of a
 * workflow, `n` a run, `pos` the entries of a run in log order. Entries are stored in the order of their writing: by run, each commit would
 * write a page for each run in progress. Older files store them by run, and stay as they are.
 */
const shardTables = `
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE versions(v INTEGER PRIMARY KEY, workflow TEXT NOT NULL, hash TEXT NOT NULL, info TEXT NOT NULL);
CREATE TABLE sites(v INTEGER NOT NULL, site INTEGER NOT NULL, info TEXT NOT NULL, PRIMARY KEY(v, site)) WITHOUT ROWID;
CREATE TABLE runs(
  n INTEGER PRIMARY KEY, id BLOB NOT NULL, v INTEGER NOT NULL, state INTEGER NOT NULL, finished INTEGER, due INTEGER,
  adoptions INTEGER NOT NULL DEFAULT 0, waits, request, outcome, reached, extra
);
CREATE UNIQUE INDEX runs_by_id ON runs(id);
CREATE INDEX runs_by_state ON runs(state, id);
CREATE INDEX runs_by_version ON runs(v, id);
CREATE INDEX runs_by_origin ON runs(json_extract(extra, '$.rerunOf')) WHERE extra IS NOT NULL;
CREATE INDEX runs_by_due ON runs(due) WHERE due IS NOT NULL;
CREATE TABLE entries(
  n INTEGER NOT NULL, pos INTEGER NOT NULL, branch TEXT, seq INTEGER, part INTEGER, kind INTEGER NOT NULL, site INTEGER,
  at INTEGER NOT NULL, ms INTEGER, body, PRIMARY KEY(n, pos)
);
`;

/** Tables that all processes share: modules and texts, keys of requests, messages, questions, and requests to runs. */
const sharedTables = `
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE contents(hash TEXT PRIMARY KEY, used INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE keys(
  scope TEXT NOT NULL, key TEXT NOT NULL, run BLOB NOT NULL, slot INTEGER NOT NULL, epoch INTEGER NOT NULL, body BLOB NOT NULL,
  at INTEGER NOT NULL, PRIMARY KEY(scope, key)
) WITHOUT ROWID;
CREATE INDEX keys_by_age ON keys(at);
CREATE TABLE messages(id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, at INTEGER NOT NULL, until INTEGER NOT NULL, run BLOB, body NOT NULL);
CREATE INDEX messages_by_name ON messages(name, id);
CREATE INDEX messages_by_age ON messages(until);
CREATE TABLE message_fields(name TEXT NOT NULL, field TEXT NOT NULL, hash BLOB NOT NULL, message INTEGER NOT NULL, PRIMARY KEY(name, field, hash, message)) WITHOUT ROWID;
CREATE INDEX message_fields_by_message ON message_fields(message);
CREATE TABLE message_keys(name TEXT NOT NULL, key TEXT NOT NULL, body BLOB NOT NULL, at INTEGER NOT NULL, answer TEXT NOT NULL, PRIMARY KEY(name, key)) WITHOUT ROWID;
CREATE INDEX message_keys_by_age ON message_keys(at);
CREATE TABLE waiters(
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, run BLOB NOT NULL, place TEXT NOT NULL, fields TEXT NOT NULL, hash BLOB NOT NULL,
  since INTEGER NOT NULL, due INTEGER
);
CREATE UNIQUE INDEX waiters_by_run ON waiters(run, place);
CREATE INDEX waiters_by_name ON waiters(name, fields, hash, since);
CREATE TABLE inbox(id INTEGER PRIMARY KEY AUTOINCREMENT, run BLOB NOT NULL, kind INTEGER NOT NULL, place TEXT, at INTEGER NOT NULL, body);
CREATE INDEX inbox_by_run ON inbox(run);
CREATE TABLE tasks(
  id TEXT PRIMARY KEY, run BLOB NOT NULL, place TEXT NOT NULL, workflow TEXT NOT NULL, asked INTEGER NOT NULL, due INTEGER, state INTEGER NOT NULL,
  answered INTEGER, body NOT NULL, answer
);
CREATE INDEX tasks_by_state ON tasks(state, due, id);
CREATE UNIQUE INDEX tasks_by_run ON tasks(run, place);
CREATE TABLE slots(slot INTEGER PRIMARY KEY, asked INTEGER NOT NULL DEFAULT 0);
`;

/** Tables of the shared file that came later, and that an older wf neither needs nor minds: it can run beside this one, over the same store. */
const laterTables = `
CREATE TABLE IF NOT EXISTS changes(id INTEGER PRIMARY KEY AUTOINCREMENT, run BLOB, at INTEGER NOT NULL, body NOT NULL);
CREATE INDEX IF NOT EXISTS changes_by_run ON changes(run, id);
CREATE TABLE IF NOT EXISTS views(id TEXT PRIMARY KEY, body NOT NULL) WITHOUT ROWID;
`;

export interface StoreFormat {
  /** The tables of a new file. */
  readonly tables: { readonly shard: string; readonly shared: string };
  /** Migrates the files of each format to the next; the first is for format 1. */
  readonly migrations: readonly { readonly shard: string; readonly shared: string }[];
}

/** The format that this version of wf writes. */
const current: StoreFormat = { tables: { shard: shardTables, shared: sharedTables }, migrations: [] };

/**
 * Creates the tables of a new file, and migrates those of an older format, in one transaction.
 * @throws UsageError for a file of a newer format, which is not changed, and for one of another program
 */
export function prepareTables(database: Database, kind: 'shard' | 'shared', { tables, migrations }: StoreFormat = current): void {
  const newest = migrations.length + 1;
  const isComplete = (): boolean => formatOf(database, newest) === newest && hasLaterTables(database, kind);
  if (atOneMoment(database, isComplete)) return;
  transaction(database, () => {
    // Another process may have been faster.
    const found = formatOf(database, newest);
    if (kind === 'shared' && found > 0) database.exec(laterTables);
    if (found === newest) return;
    const later = kind === 'shared' && found === 0 ? [laterTables] : [];
    const steps = found === 0 ? [tables[kind], ...later] : migrations.slice(found - 1).map((step) => step[kind]);
    database.exec(`${steps.join(';')}; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${newest}`);
  });
}

const hasLaterTables = (database: Database, kind: 'shard' | 'shared'): boolean =>
  kind === 'shard' || database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'views'").get() !== undefined;

/** Runs queries that must not see half of what another process writes meanwhile. */
function atOneMoment<T>(database: Database, queries: () => T): T {
  database.exec('BEGIN');
  try {
    return queries();
  } finally {
    database.exec('ROLLBACK');
  }
}

/** 0 for an empty file. @param newest newest format that this version of wf knows */
function formatOf(database: Database, newest: number): number {
  const application = Number(database.prepare('PRAGMA application_id').get()?.application_id ?? 0);
  const format = Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (application === 0 && format === 0 && isEmpty) return 0;
  if (application !== APPLICATION_ID) throw new UsageError('The store cannot be used: a file in it belongs to another program.');
  if (format > newest) {
    throw new UsageError(
      `The store was written by a newer wf: it has format ${format}, and this wf knows format ${newest}.`,
      'Nothing was changed. Use that newer wf, or another store.',
    );
  }
  return format;
}
