// Turns a task into one SQL statement with bound values. All names are quoted here, and all values become parameters.
import type { Failure } from '../../../runtime/services/call-errors.js';
import { badDatabaseValue } from '../../../runtime/services/connector-errors.js';
import type { StatementTask, TableTask, TaskPairs } from '../../../runtime/services/connector-types.js';
import type { PathPart, Value } from '../../../runtime/types.js';
import { output, show } from '../../../runtime/values/values.js';
import { withoutEnd } from '../../../runtime/values/without-end.js';

/** A parameter: a number, text for everything else, `null` for `empty`. */
export type BoundValue = string | number | boolean | null;

interface SqlStatement {
  readonly ok: true;
  readonly text: string;
  readonly values: readonly BoundValue[];
}

/** The syntax of one kind of database. */
export interface Dialect {
  /** Encloses names, and is doubled inside them. */
  readonly quote: '"' | '`';
  /** Maximum bytes of a name. The database would truncate a longer one, which could then name another table. */
  readonly longestName: number;
  /** A parameter by its number, from 1. */
  readonly parameter: (number: number) => string;
  /** Whether `insert` supports `returning`. */
  readonly returning: boolean;
  /** An `insert` of a row without values. */
  readonly emptyRow: string;
  /**
   * Numbers are compared to a column as text. MySQL converts a text column to numbers for a comparison, so a request with `0` in
   * place of a token would match every row.
   */
  readonly comparesTexts: boolean;
  /** Whether a text can contain the character NUL. SQLite's drivers cut it there, and PostgreSQL refuses it. */
  readonly keepsNul: boolean;
}

/** Maximum items of a list in a condition. */
const mostItems = 10_000;

/** Rows to ask for: one more than the limit, so that a larger result is detected rather than cut. */
const rowsAskedFor = 100_001;

class Refused extends Error {
  constructor(readonly failure: Failure) {
    super(failure.cause);
  }
}

const refuse = (problem: string): Refused => new Refused(badDatabaseValue(problem));

/** Collects the parameters while the text of a statement is built. */
class Writer {
  readonly values: BoundValue[] = [];
  constructor(readonly dialect: Dialect) {}

  bind(value: BoundValue): string {
    if (typeof value === 'string') refuseUnkept(value, this.dialect);
    this.values.push(value);
    return this.dialect.parameter(this.values.length);
  }
}

/** @throws Refused for a text that the database or its driver would change, which could then be that of another row */
function refuseUnkept(text: string, { keepsNul }: Dialect): void {
  if (!keepsNul && text.includes('\0'))
    throw refuse('a text contains the character NUL (code 0), which this database cannot keep');
  if (/\p{Surrogate}/u.test(text))
    throw refuse('a text contains half of a character (a lone surrogate), which no database can keep');
}

/** @param dialect of the database that the statement is for */
export function sqlStatementOf(task: TableTask | StatementTask, dialect: Dialect): SqlStatement | Failure {
  const writer = new Writer(dialect);
  try {
    const text = task.does === 'run' ? written(task.statement, writer) : tableStatement(task, writer);
    return { ok: true, text, values: writer.values };
  } catch (error) {
    if (error instanceof Refused) return error.failure;
    throw error;
  }
}

function tableStatement({ does, wish, table, values, where }: TableTask, writer: Writer): string {
  const name = tableName(table, writer.dialect);
  if (does === 'insert') return insertion(name, values, writer);
  if (does === 'update') {
    const set = values.map(([column, value]) => `${quoted(column, writer.dialect)} = ${writer.bind(stored(value))}`);
    return `update ${name} set ${set.join(', ')}${conditions(where, writer, true)}`;
  }
  if (does === 'delete') return `delete from ${name}${conditions(where, writer, true)}`;
  if (does === 'count') return `select count(*) as count from ${name}${conditions(where, writer, false)}`;
  return `select * from ${name}${conditions(where, writer, false)} limit ${wish === 'record' ? 2 : rowsAskedFor}`;
}

function insertion(name: string, values: TaskPairs, writer: Writer): string {
  const { dialect } = writer;
  const row =
    values.length === 0
      ? dialect.emptyRow
      : `(${values.map(([column]) => quoted(column, dialect)).join(', ')}) values (${values
          .map(([, value]) => writer.bind(stored(value)))
          .join(', ')})`;
  return `insert into ${name} ${row}${dialect.returning ? ' returning *' : ''}`;
}

/** @param needed whether there must be a condition, as for statements that change rows */
function conditions(where: TaskPairs, writer: Writer, needed: boolean): string {
  if (where.length === 0) {
    if (needed) throw refuse('it has no condition, so it would change every row');
    return '';
  }
  return ` where ${where.map(([column, value]) => condition(column, value, writer)).join(' and ')}`;
}

function condition(column: string, value: Value, writer: Writer): string {
  const name = quoted(column, writer.dialect);
  if (!Array.isArray(value))
    return value === null || value === undefined ? `${name} is null` : `${name} = ${compared(column, value, writer)}`;
  if (value.length > mostItems) throw refuse(`the list for ${column} has more than ${mostItems.toLocaleString('en-US')} items`);
  const items = value.filter((item) => item !== null && item !== undefined);
  const either = items.length === 0 ? [] : [`${name} in (${items.map((item) => compared(column, item, writer)).join(', ')})`];
  if (items.length < value.length) either.push(`${name} is null`);
  // An empty list matches no row.
  return either.length === 0 ? '1 = 0' : either.length === 1 ? either.join() : `(${either.join(' or ')})`;
}

/** A value to compare a column with. */
function compared(column: string, value: Value, writer: Writer): string {
  const put = output(value);
  if (typeof put === 'object') {
    throw refuse(
      `the value for ${column} is a ${Array.isArray(put) ? 'list' : 'record'}, but rows are found by text and numbers`,
    );
  }
  if (!writer.dialect.comparesTexts) return writer.bind(put ?? null);
  return writer.bind(show(typeof put === 'boolean' ? Number(put) : put));
}

/** A value to store in a column; lists and records become JSON. */
function stored(value: Value): BoundValue {
  const put = output(value);
  if (put === null || put === undefined) return null;
  return typeof put === 'object' ? show(put) : put;
}

/** The quoted name. Literal text can contain a schema before a dot; a value is always a single name. */
export function tableName(parts: readonly PathPart[], dialect: Dialect): string {
  const names = [''];
  for (const part of parts) {
    if (typeof part !== 'string') {
      names.push(names.pop() + nameOf(part));
      continue;
    }
    const [first = '', ...more] = part.split('.');
    names.push(names.pop() + first, ...more);
  }
  return names.map((name) => quoted(name, dialect)).join('.');
}

function nameOf({ name, value }: Exclude<PathPart, string>): string {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number') return show(value);
  const found = value === null || value === undefined || value === '' ? 'is empty' : 'is not text';
  throw refuse(`${name} ${found}, but the call needs the name of a table there`);
}

function quoted(name: string, { quote, longestName }: Dialect): string {
  if (name === '') throw refuse('the name of a table or column is empty');
  if (/[\u0000-\u001f\u007f]/.test(name)) throw refuse('the name of a table or column contains a control character');
  if (/\p{Surrogate}/u.test(name)) throw refuse('the name of a table or column contains half of a character (a lone surrogate)');
  if (Buffer.byteLength(name) > longestName) throw refuse(`the name of a table or column is longer than ${longestName} bytes`);
  return `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;
}

/** `running "…"`: the text comes from the file, and each value is bound. */
function written(parts: readonly PathPart[], writer: Writer): string {
  return parts
    .map((part, index) => {
      if (typeof part === 'string') return part;
      const { value } = part;
      // A list becomes several parameters only after `in (`; elsewhere its commas would change the statement.
      if (Array.isArray(value) && isListed(parts[index - 1], parts[index + 1])) return listed(part.name, value, writer);
      return writer.bind(stored(value));
    })
    .join('');
}

const isListed = (before: PathPart | undefined, after: PathPart | undefined): boolean =>
  typeof before === 'string' && /\bin\s*\(\s*$/i.test(before) && typeof after === 'string' && /^\s*\)/.test(after);

function listed(name: string, items: readonly Value[], writer: Writer): string {
  if (items.length > mostItems) throw refuse(`${name} has more than ${mostItems.toLocaleString('en-US')} items`);
  return items.length === 0 ? 'null' : items.map((item) => writer.bind(stored(item))).join(', ');
}

/** Quoted text and names, comments, and everything else. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^'"`[\-/;]+|[\s\S]/g;

/** The statements inside a trigger end with semicolons, too. */
const trigger = /^\s*create\s+(?:temp(?:orary)?\s+)?trigger\b/i;

/** Whether anything but white space and comments follows a semicolon. A trigger ends with `end`. */
export function holdsSeveralStatements(sql: string): boolean {
  const text = trigger.test(sql) ? withoutEnd(sql, ' \t\r\n;').replace(/\bend$/i, '') : sql;
  if (text !== sql) return false;
  let ended = false;
  for (const [part] of sql.matchAll(token)) {
    if (part === ';') ended = true;
    else if (ended && !part.startsWith('--') && !part.startsWith('/*') && part.trim() !== '') return true;
  }
  return false;
}
