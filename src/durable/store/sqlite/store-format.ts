// The tables in the files of a folder, and the number of their format. A change of a table increases the number and requires a migration.
import { UsageError } from '../../../engine/usage-error.js';
import { LAST_WITHOUT_SUMS } from './row-sums.js';
import { addSums, LAST_OF_SUMS, statementsWithSums } from './shared-sums.js';
import { type Database, sqliteCodes, transaction } from './sqlite.js';

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

/** Notes that a run has rows without checksums. */
const mark = (n: string): string =>
  `INSERT INTO meta(key, value) VALUES('${LAST_WITHOUT_SUMS}', ${n})
    ON CONFLICT(key) DO UPDATE SET value = max(value, excluded.value);`;

const marks = (table: string, condition: string, n: string): string =>
  `CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} WHEN ${condition} BEGIN ${mark(n)} END;`;

/**
 * Tables and columns that came later, and that an older wf ignores: it can run beside this one, over the same store. The last of each kind
 * shows that all of it is there. A row that an older wf changes loses its checksum, which would be wrong otherwise.
 */
const later = {
  shared: {
    last: LAST_OF_SUMS,
    sql: `
CREATE TABLE IF NOT EXISTS changes(id INTEGER PRIMARY KEY AUTOINCREMENT, run BLOB, at INTEGER NOT NULL, body NOT NULL);
CREATE INDEX IF NOT EXISTS changes_by_run ON changes(run, id);
CREATE TABLE IF NOT EXISTS views(id TEXT PRIMARY KEY, body NOT NULL) WITHOUT ROWID;
${addSums}`,
  },
  shard: {
    last: 'entries_without_sum',
    sql: `
ALTER TABLE versions ADD COLUMN sum;
ALTER TABLE sites ADD COLUMN sum;
ALTER TABLE runs ADD COLUMN made;
ALTER TABLE runs ADD COLUMN stands;
ALTER TABLE entries ADD COLUMN sum;
INSERT INTO meta(key, value) SELECT '${LAST_WITHOUT_SUMS}', max(n) FROM runs HAVING max(n) IS NOT NULL;
${marks('runs', 'NEW.made IS NULL OR NEW.stands IS NULL', 'NEW.n')}
${marks('entries', 'NEW.sum IS NULL', 'NEW.n')}
${marks('versions', 'NEW.sum IS NULL', '0')}
${marks('sites', 'NEW.sum IS NULL', '0')}
CREATE TRIGGER runs_without_made AFTER UPDATE OF request, extra ON runs
  WHEN NEW.made IS OLD.made AND (NEW.request, NEW.extra) IS NOT (OLD.request, OLD.extra)
  BEGIN UPDATE runs SET made = NULL WHERE n = NEW.n; ${mark('NEW.n')} END;
CREATE TRIGGER runs_without_stands AFTER UPDATE OF state, finished, due, waits, outcome ON runs
  WHEN NEW.stands IS OLD.stands
    AND (NEW.state, NEW.finished, NEW.due, NEW.waits, NEW.outcome) IS NOT (OLD.state, OLD.finished, OLD.due, OLD.waits, OLD.outcome)
  BEGIN UPDATE runs SET stands = NULL WHERE n = NEW.n; ${mark('NEW.n')} END;
CREATE TRIGGER entries_without_sum AFTER UPDATE OF body ON entries
  WHEN NEW.sum IS OLD.sum AND NEW.body IS NOT OLD.body
  BEGIN UPDATE entries SET sum = NULL WHERE n = NEW.n AND pos = NEW.pos; ${mark('NEW.n')} END;
`,
  },
} as const;

export interface StoreFormat {
  /** The tables of a new file. */
  readonly tables: { readonly shard: string; readonly shared: string };
  /** Migrates the files of each format to the next; the first is for format 1. */
  readonly migrations: readonly { readonly shard: string; readonly shared: string }[];
  /** Statements that add to new and to older files without another format. */
  readonly later?: typeof later;
}

/** The format that this version of wf writes. */
const current: StoreFormat = { tables: { shard: shardTables, shared: sharedTables }, migrations: [], later };

/**
 * Creates the tables of a new file, and migrates those of an older format, in one transaction.
 * @throws UsageError for a file of a newer format, which is not changed, and for one of another program
 */
export function prepareTables(
  database: Database,
  kind: 'shard' | 'shared',
  { tables, migrations, later }: StoreFormat = current,
): void {
  requireNames(database);
  const added = later?.[kind];
  const newest = migrations.length + 1;
  const isComplete = (): boolean => formatOf(database, newest) === newest && !lacks(database, added);
  if (atOneMoment(database, isComplete)) return;
  transaction(database, () => {
    // Another process may have been faster.
    const found = formatOf(database, newest);
    if (found < newest) {
      const steps = found === 0 ? [tables[kind]] : migrations.slice(found - 1).map((step) => step[kind]);
      database.exec(`${steps.join(';')}; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${newest}`);
    }
    if (lacks(database, added)) database.exec(added?.sql ?? '');
  });
}

const lacks = (database: Database, added: { readonly last: string } | undefined): boolean =>
  added !== undefined && database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(added.last) === undefined;

/** The tables of a shard that every build reads. */
const columnsOfShard = [
  'SELECT key, value FROM meta',
  'SELECT v, workflow, hash, info FROM versions',
  'SELECT v, site, info FROM sites',
  'SELECT n, id, v, state, finished, due, adoptions, waits, request, outcome, extra FROM runs',
  'SELECT n, pos, branch, seq, part, kind, site, at, ms, body FROM entries',
];

/** Statements that need all columns and triggers of a file, of whatever build. */
const statements = {
  shard: [
    ...columnsOfShard,
    ...['runs', 'entries'].map((table) => `INSERT INTO ${table} (n) VALUES (?)`),
    ...['versions', 'sites'].map((table) => `INSERT INTO ${table} (v) VALUES (?)`),
    'UPDATE runs SET request = ?, extra = ?, state = ?, finished = ?, due = ?, waits = ?, outcome = ?',
    'UPDATE entries SET body = ?',
  ],
  shared: [
    'SELECT key, value FROM meta',
    'SELECT hash, used, data FROM contents',
    'SELECT scope, key, run, slot, epoch, body, at FROM keys',
    'SELECT id, name, at, until, run, body FROM messages',
    'SELECT name, field, hash, message FROM message_fields',
    'SELECT name, key, body, at, answer FROM message_keys',
    'SELECT id, name, run, place, fields, hash, since, due FROM waiters',
    'SELECT id, run, kind, place, at, body FROM inbox',
    'SELECT id, run, place, workflow, asked, due, state, answered, body, answer FROM tasks',
    'SELECT slot FROM slots',
    ...statementsWithSums,
  ],
};

/** Without its name, a table or trigger would count as missing. @throws an error that counts as damage */
function requireNames(database: Database): void {
  const isNoText = ['type', 'name', 'tbl_name'].map((column) => `typeof(${column}) <> 'text'`).join(' OR ');
  if (database.prepare(`SELECT 1 FROM sqlite_schema WHERE ${isNoText} LIMIT 1`).get() !== undefined)
    throw Object.assign(new Error('A name of the schema is no text.'), { errcode: sqliteCodes.corrupt });
}

/** @throws an error that counts as damage, for a file with tables whose columns or triggers are not those that were written */
export function requireSchema(database: Database, kind: 'shard' | 'shared'): void {
  requireNames(database);
  if (database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined) prepareAll(database, statements[kind]);
}

function prepareAll(database: Database, texts: readonly string[]): void {
  try {
    for (const sql of texts) database.prepare(sql);
  } catch (error) {
    const isSchema = error instanceof Error && /^no such (?:table|column)|^table \w+ has no column/.test(error.message);
    throw isSchema ? Object.assign(new Error(error.message), { errcode: sqliteCodes.corrupt }) : error;
  }
}

/** Whether a shard has its tables. One whose process has just created the file has none yet. @throws an error that counts as damage */
export function hasShardTables(database: Database): boolean {
  if (database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined) return false;
  prepareAll(database, columnsOfShard);
  return true;
}

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
