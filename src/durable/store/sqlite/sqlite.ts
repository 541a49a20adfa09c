// Loads the SQLite library, an optional package, when a store is first opened, and opens the files of the store.
import { createRequire } from 'node:module';
import path from 'node:path';
import { distFolder } from '../../../dist-folder.js';
import { UsageError } from '../../../engine/usage-error.js';
import type { SqlValue } from '../shared/sql.js';

export interface SqlQuery {
  run(...values: readonly SqlValue[]): { readonly changes: number | bigint };
  get(...values: readonly SqlValue[]): Readonly<Record<string, SqlValue>> | undefined;
  all(...values: readonly SqlValue[]): Readonly<Record<string, SqlValue>>[];
  iterate(...values: readonly SqlValue[]): IterableIterator<Readonly<Record<string, SqlValue>>>;
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): SqlQuery;
  close(): void;
}

/** A file that this process has opened. */
export interface OpenDatabase extends Database {
  /** A function for statements of this connection. */
  function(name: string, options: { readonly varargs: true }, work: (...values: SqlValue[]) => SqlValue): void;
}

interface Library {
  readonly DatabaseSync: new (file: string, options?: { readonly readOnly?: boolean; readonly timeout?: number }) => OpenDatabase;
  /** Copies a database, page by page, to a new file; with the snapshot that its connection has open. */
  readonly backup: (source: Database, target: string, options?: { readonly rate?: number }) => Promise<number>;
}

/** Older versions can lose committed data when two connections reset the write-ahead log at the same time. */
const SOUND_VERSION = [3, 51, 3] as const;

let library: Library | undefined;

/** @throws UsageError if neither the package nor a sound library in Node.js is available */
export function loadSqlite(): Library {
  if (library !== undefined) return library;
  const load = createRequire(path.join(distFolder, 'wf.cjs'));
  for (const name of ['@photostructure/sqlite', 'node:sqlite']) {
    try {
      const found = load(name) as Library; // both have the interface of node:sqlite
      if (isSound(found)) {
        library = found;
        return found;
      }
    } catch {
      // Not installed, not for this machine, or not in this Node.js.
    }
  }
  throw new UsageError(
    'A store needs the package @photostructure/sqlite, and it is not installed or does not run on this machine.',
    'Install it beside wf: npm install @photostructure/sqlite',
  );
}

function isSound({ DatabaseSync }: Library): boolean {
  const database = new DatabaseSync(':memory:');
  try {
    const version = String(database.prepare('SELECT sqlite_version() AS version').get()?.version ?? '')
      .split('.')
      .map(Number);
    for (const [index, least] of SOUND_VERSION.entries()) {
      const part = version[index] ?? 0;
      if (part !== least) return part > least;
    }
    return true;
  } finally {
    database.close();
  }
}

/** Result codes of SQLite, the low byte of `errcode`. */
export const sqliteCodes = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/** The texts of sqlite3_errstr: the package does not give the codes of errors in the middle of a result. */
const codesByText: ReadonlyMap<string, number> = new Map([
  ['database is locked', sqliteCodes.busy],
  ['attempt to write a readonly database', sqliteCodes.readOnly],
  ['disk I/O error', sqliteCodes.ioError],
  ['database disk image is malformed', sqliteCodes.corrupt],
  ['database or disk is full', sqliteCodes.full],
  ['unable to open database file', sqliteCodes.cannotOpen],
  ['file is not a database', sqliteCodes.notADatabase],
]);

/** SQLite's code for whatever has no other. */
const ERROR = 1;

/**
 * Messages of SQLite and its library about a statement that otherwise works: the schema of the file is not the one that was written, or a
 * column does not contain what was.
 */
const ABOUT_CONTENT = new RegExp(
  `^(?:${[
    'malformed ',
    'no such (?:column|index|function|module|collation)',
    'unrecognized token',
    'unknown ',
    'near ',
    'incomplete input',
    'row value misused',
    'misuse of ',
    'wrong number of arguments',
    'ambiguous column',
    'duplicate column',
    'trigger cannot use',
    'sub-select returns',
    '\\d+ values for',
    'table \\S+ has ',
    'RAISE\\(',
    '.* (?:too large|out of range)',
    '.*cannot be represented',
  ].join('|')})`,
  'i',
);

/** The result code of an error of the library; 0 for any other error. */
export function sqliteCode(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  if ('errcode' in error && typeof error.errcode === 'number' && error.errcode !== ERROR) return error.errcode & 0xff;
  if (ABOUT_CONTENT.test(error.message)) return sqliteCodes.corrupt;
  return 'code' in error && error.code === 'ERR_SQLITE_ERROR' ? (codesByText.get(error.message) ?? 0) : 0;
}

/** Result codes of a damaged file, which stays damaged. */
export const damageCodes: ReadonlySet<number> = new Set([sqliteCodes.corrupt, sqliteCodes.notADatabase]);

export const isDamaged = (error: unknown): boolean => damageCodes.has(sqliteCode(error));

/** Milliseconds between attempts to open a file that another process is just creating. */
const AGAIN_MS = 5;

/**
 * Opens a file for writing so that commits are on disk when they return, even after a power cut.
 * @param busyMs how long to wait for other processes
 */
export function openDurable(file: string, busyMs: number): OpenDatabase {
  const deadline = performance.now() + busyMs;
  for (;;) {
    try {
      return opened(file, busyMs);
    } catch (error) {
      // SQLite does not wait for one that creates the same file: two that wait for each other would never end.
      if (sqliteCode(error) !== sqliteCodes.busy || performance.now() >= deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS);
    }
  }
}

function opened(file: string, busyMs: number): OpenDatabase {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(file);
  try {
    // The time-out comes first, because the change of the journal mode needs a lock itself.
    database.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Runs `work` as one transaction: all of it takes effect, or nothing.
 * @param patienceMs how long to retry if another process holds the file, beyond the time-out of the connection
 */
export function transaction<T>(database: Database, work: () => T, patienceMs = 0): T {
  begin(database, patienceMs);
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // SQLite has already rolled back, for example because the disk is full.
    }
    throw error;
  }
}

function begin(database: Database, patienceMs: number): void {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      database.exec('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      if (sqliteCode(error) !== sqliteCodes.busy || performance.now() >= deadline) throw error;
    }
  }
}
