// A separate process that holds one SQLite file open. SQLite blocks until a statement is done; here, it blocks nothing else and can be
// killed at any time. SQLite rolls an interrupted change back the next time the file is opened.
import { Worker } from 'node:worker_threads';
import { mostRows } from '../../../runtime/services/connector-errors.js';
import type { Value } from '../../../runtime/types.js';
import { withoutEnd } from '../../../runtime/values/without-end.js';
import { exactNumber, mostResultBytes } from './result.js';
import type { BoundValue } from './statement.js';

/** Milliseconds that a statement waits for a lock of another program. */
const patience = 5_000;

/** The part of the library that is used here; it is optional, so it is loaded by name. */
interface Library {
  readonly DatabaseSync: new (file: string, options: object) => Database;
}

interface Database {
  prepare(text: string): Prepared;
  exec(text: string): void;
  readonly isTransaction: boolean;
}

interface Prepared {
  columns(): { readonly name: string }[];
  setReadBigInts(wanted: boolean): void;
  setReturnArrays(wanted: boolean): void;
  iterate(...values: unknown[]): Iterable<readonly unknown[]>;
  run(...values: unknown[]): { readonly changes: number | bigint };
}

let database: Database | undefined;

async function answer({ file, text, values }: SqliteQuestion): Promise<SqliteReply> {
  let library: Library;
  try {
    const name = '@photostructure/sqlite';
    library = await import(name);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    return { kind: 'no driver', isMissing: code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND' };
  }
  try {
    database ??= new library.DatabaseSync(file, { timeout: patience, defensive: true });
    return run(database, text, values);
  } catch (error) {
    return { kind: 'refused', message: error instanceof Error ? error.message : '' };
  } finally {
    if (database?.isTransaction) database.exec('rollback');
  }
}

function run(open: Database, text: string, values: SqliteQuestion['values']): SqliteReply {
  const statement = open.prepare(text);
  const columns = statement.columns().map(({ name }) => name);
  const bound = values.map((value) => (typeof value === 'boolean' ? Number(value) : value));
  if (columns.length === 0) {
    const { changes } = statement.run(...bound);
    return open.isTransaction ? { kind: 'transaction' } : { kind: 'rows', rows: [], affected: Number(changes) };
  }
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  // A change that returns too many rows is rolled back.
  const changes = /\breturning\b/i.test(text);
  if (changes) open.exec('begin');
  const whole = changes ? undefined : withCheck(open, text, columns.length);
  const reply = collect((whole ?? statement).iterate(...bound), columns, whole !== undefined);
  if (changes && reply.kind === 'rows') open.exec('commit');
  return reply;
}

/**
 * Adds a column to a query: whether a text contains the character NUL, where the library would cut it. `undefined` for a
 * statement that can't be part of another one, such as a pragma.
 */
function withCheck(open: Database, text: string, count: number): Prepared | undefined {
  if (!/^\s*(?:select|with|values)\b/i.test(text) || count > 500) return undefined;
  const names = Array.from({ length: count }, (_, index) => `"${index + 1}"`);
  const checks = names.map((name) => `(typeof(${name}) = 'text' and instr(${name}, char(0)) > 0)`);
  try {
    const query = withoutEnd(text, ' \t\r\n;');
    const checked = open.prepare(`with found(${names}) as (${query}\n) select ${names}, ${checks.join(' or ')} from found`);
    checked.setReadBigInts(true);
    checked.setReturnArrays(true);
    return checked;
  } catch {
    return undefined;
  }
}

/** @param isChecked whether a last column says that a text would be cut */
function collect(found: Iterable<readonly unknown[]>, columns: readonly string[], isChecked: boolean): SqliteReply {
  const rows: Value[][] = [];
  let bytes = 0;
  for (const row of found) {
    if (rows.length === mostRows) return { kind: 'too many rows' };
    if (isChecked && row.at(-1) === 1n) return { kind: 'cut' };
    const values = row.slice(0, columns.length).map(readValue);
    for (const value of values) bytes += typeof value === 'string' ? Buffer.byteLength(value) : 8;
    if (bytes > mostResultBytes) return { kind: 'too large' };
    rows.push(values);
  }
  return { kind: 'rows', columns, rows, affected: 0 };
}

function readValue(value: unknown): Value {
  if (typeof value === 'bigint') return exactNumber(value.toString());
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  return typeof value === 'string' ? value : null;
}

/** Milliseconds between two checks of the parent. */
const lookEvery = 500;

/**
 * While SQLite executes a statement, this thread notices nothing, not even that the parent was killed, so another thread checks. On
 * Windows, a process keeps the id of its parent; there, a killed parent is noticed after the statement.
 */
function endWithParent(): void {
  const look = `
    const parent = ${process.ppid};
    setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, ${lookEvery});`;
  const watcher = new Worker(look, { eval: true, stdin: false, stdout: false, stderr: false });
  watcher.on('error', () => undefined).unref();
}

// Ctrl+C reaches all processes of a terminal, but the parent decides when this one ends.
process.on('SIGINT', () => {}).on('SIGTERM', () => {});
process.on('disconnect', () => process.exit());
endWithParent();
process.on('message', (question: SqliteQuestion) => {
  void answer(question).then((reply) => process.send?.(reply));
});

export interface SqliteQuestion {
  readonly file: string;
  readonly text: string;
  readonly values: readonly BoundValue[];
}

export type SqliteReply =
  | {
      readonly kind: 'rows';
      readonly columns?: readonly string[];
      readonly rows: readonly (readonly Value[])[];
      readonly affected: number;
    }
  | { readonly kind: 'too many rows' | 'too large' | 'cut' | 'transaction' }
  /** SQLite's message. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The library can't be loaded. */
  | { readonly kind: 'no driver'; readonly isMissing: boolean };
