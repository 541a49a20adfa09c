// A small SQL port: statements that every kind of store understands, and work that performs them, in a thread over SQLite as well as over
// the connections to a database. Two dialects differ in placeholders, in how ids of runs are stored, and in a few hints.
import type { Sealing } from './sealing.js';

/** Values that can be bound to a statement and returned by a column. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/** Columns by name. A database returns 64-bit integers as text. */
export type SqlRow = Readonly<Record<string, SqlValue | undefined>>;

type Dialect = 'sqlite' | 'postgres';

type Part =
  | string
  | { readonly value: SqlValue }
  | { readonly run: string }
  | { readonly only: Dialect; readonly text: string }
  | { readonly sumOf: SummedTable; readonly row: SqlRow };

/**
 * The tables whose rows have a checksum in a folder, with the columns that it covers: all but numbers that are only known once the row is
 * inserted. `owner` is two columns there.
 */
export const summedTables = {
  meta: ['key', 'value'],
  keys: ['scope', 'key', 'run', 'owner', 'body', 'at'],
  messages: ['name', 'at', 'until', 'run', 'body'],
  message_keys: ['name', 'key', 'body', 'at', 'answer'],
  waiters: ['name', 'run', 'place', 'fields', 'hash', 'since', 'due'],
  inbox: ['run', 'kind', 'place', 'at', 'body'],
  tasks: ['id', 'run', 'place', 'workflow', 'asked', 'due', 'state', 'answered', 'body', 'answer'],
  changes: ['run', 'at', 'body'],
  views: ['id', 'body'],
} as const;

export type SummedTable = keyof typeof summedTables;

/** The fate of a row with a wrong checksum: left out of the result, reason for the statement to fail, or marked with `isDamaged`. */
type OfDamaged = 'left out' | 'refused' | 'marked';

/** Which rows a statement selects, if their checksums are to be verified. */
export interface Selected {
  readonly table: SummedTable;
  readonly ofDamaged: OfDamaged;
}

/** Text within a pattern of LIKE, with a backslash as the escape. */
export const escapedLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Versions of a workflow that are looked at. */
export const mostVersionsOf = 100;

/** The pattern for versions that include a file of this name. */
export const withFile = (name: string): string => `%"name":"%${escapedLike(JSON.stringify(name).slice(1))}%`;

/** A statement, or a part of one. */
export class SqlText {
  readonly #parts: readonly Part[];
  readonly selected: Selected | undefined;

  constructor(parts: readonly Part[], selected?: Selected) {
    this.#parts = parts;
    this.selected = selected;
  }

  get parts(): readonly Part[] {
    return this.#parts;
  }
}

/**
 * A statement with its values: sql`SELECT id FROM wf.tasks WHERE run = ${runId(run)}`. Tables are named as in a database. `${…}` is bound as
 * a value, unless it is another part of a statement.
 */
export function sql(texts: TemplateStringsArray, ...values: readonly (SqlValue | SqlText)[]): SqlText {
  const parts: Part[] = [];
  for (const [index, text] of texts.entries()) {
    parts.push(text);
    const value = values[index];
    if (value instanceof SqlText) parts.push(...value.parts);
    else if (value !== undefined) parts.push({ value });
  }
  return new SqlText(parts);
}

/** The id of a run: 32 hexadecimal digits; `NULL` for none. */
export const runId = (run: string | undefined): SqlText => new SqlText([run === undefined ? 'NULL' : { run }]);

/** Whether the column `run` is one of these ids. */
export const isOneOf = (runs: readonly string[]): SqlText =>
  new SqlText([
    { only: 'sqlite', text: 'run IN (SELECT unhex(value) FROM json_each(' },
    { only: 'postgres', text: 'run = ANY (ARRAY(SELECT jsonb_array_elements_text(' },
    { value: JSON.stringify(runs) },
    { only: 'sqlite', text: '))' },
    { only: 'postgres', text: '::jsonb)))' },
  ]);

/** The column `run` of a result, as 32 hexadecimal digits. */
export const runColumn = new SqlText([
  { only: 'sqlite', text: 'lower(hex(run)) AS run' },
  { only: 'postgres', text: 'run' },
]);

/** SQL for one dialect only. */
export const onlyIn = (dialect: Dialect, text: string): SqlText => new SqlText([{ only: dialect, text }]);

/** Rows inserted by one statement: a database answers once for them, and two sizes are two statements to prepare. */
const ROWS = 50;

/** Slices of equal length, and what is left one by one. */
export function inParts<T>(rows: readonly T[]): T[][] {
  const whole = rows.length - (rows.length % ROWS);
  const parts = Array.from({ length: whole / ROWS }, (_, part) => rows.slice(part * ROWS, (part + 1) * ROWS));
  return [...parts, ...rows.slice(whole).map((row) => [row])];
}

export const joinedSql = (texts: readonly SqlText[], separator: string): SqlText =>
  new SqlText(texts.flatMap(({ parts }, index) => (index === 0 ? parts : [separator, ...parts])));

/** The owner of a key in a folder: a shard in one of its ownerships. One text for everyone else, two columns in SQLite. */
export const shardOwner = {
  columns: ['slot', 'epoch'],
  selected: (prefix: string): string => `(${prefix}slot || ' ' || ${prefix}epoch)`,
  textOf: (shard: number, epoch: number): string => `${shard} ${epoch}`,
  read(owner: string): readonly [shard: number, epoch: number] {
    const [shard = 0, epoch = 0] = owner.split(' ').map(Number);
    return [shard, epoch];
  },
} as const;

/** Columns of a database that SQLite stores in another form. */
const inSqlite: ReadonlyMap<string, (prefix: string) => string> = new Map([
  ['run', (prefix: string) => `lower(hex(${prefix}run))`],
  ['owner', shardOwner.selected],
]);

/** The columns that a checksum covers, as they are passed to it. @param prefix of their names, with a dot */
export const summedColumns = (table: SummedTable, prefix = ''): string[] =>
  summedTables[table].map((column) => inSqlite.get(column)?.(prefix) ?? `${prefix}${column}`);

const NUMBERED: ReadonlySet<SummedTable> = new Set(['messages', 'waiters', 'inbox', 'changes']);

/**
 * Selects rows, in a folder with their checksums.
 * @param where what follows the name of the table @param alias of the table in `where`
 */
export function rowsOf(table: SummedTable, where: SqlText, ofDamaged: OfDamaged = 'refused', alias?: string): SqlText {
  const prefix = alias === undefined ? '' : `${alias}.`;
  const names: readonly string[] = NUMBERED.has(table) ? ['id', ...summedTables[table]] : summedTables[table];
  const columns = names.map((name) => prefix + name).join(', ');
  const sqliteColumns = names.map((name) => `${inSqlite.get(name)?.(prefix) ?? prefix + name} AS ${name}`).join(', ');
  const parts: Part[] = [
    'SELECT ',
    { only: 'postgres', text: columns },
    { only: 'sqlite', text: `${sqliteColumns}, ${prefix}sum AS sum` },
    alias === undefined ? ` FROM wf.${table} ` : ' FROM ',
    ...where.parts,
  ];
  return new SqlText(parts, { table, ofDamaged });
}

interface NewRow {
  /** Names of columns. */
  readonly names: SqlText;
  readonly values: SqlText;
}

/** Names and values for the INSERT of a row, in a folder with its checksum. @param owner the columns and values for `owner` */
export function newRow(table: SummedTable, row: Columns, owner?: { readonly names: SqlText; readonly values: SqlText }): NewRow {
  const columns = Object.keys(row);
  const isOwner = (column: string): boolean => owner !== undefined && column === 'owner';
  const names = columns.map((column) => (isOwner(column) && owner !== undefined ? owner.names : new SqlText([column])));
  const values = columns.map((column) => (isOwner(column) && owner !== undefined ? owner.values : sql`${row[column] ?? null}`));
  const summed = Object.fromEntries(columns.map((column) => [column, plainValue(row[column])]));
  return {
    names: new SqlText([...joinedSql(names, ', ').parts, { only: 'sqlite', text: ', sum' }]),
    values: new SqlText([...joinedSql(values, ', ').parts, { sumOf: table, row: summed }]),
  };
}

/** The id of a run is part of a statement. */
function plainValue(value: SqlValue | SqlText | undefined): SqlValue {
  if (!(value instanceof SqlText)) return value ?? null;
  const [part] = value.parts;
  return typeof part === 'object' && 'run' in part ? part.run : null;
}

type Columns = Readonly<Record<string, SqlValue | SqlText>>;

/** A statement that inserts a row. @param more what follows the row */
export const inserted = (table: SummedTable, row: Columns, more?: SqlText): SqlText => allInserted(table, [row], more);

/** A statement that inserts rows with the same columns, and at least one. */
export function allInserted(table: SummedTable, rows: readonly Columns[], more = sql``): SqlText {
  const added = rows.map((row) => newRow(table, row));
  const values = joinedSql(
    added.map((row) => sql`(${row.values})`),
    ', ',
  );
  return sql`INSERT INTO wf.${new SqlText([table])}(${added[0]?.names ?? sql``}) VALUES ${values}${more}`;
}

interface RenderedSql {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** SQLite binds in order, and stores the ids of runs as 16 bytes. Its tables have no schema. @param sumOf the checksum of a new row */
export function forSqlite({ parts }: SqlText, sumOf: (table: SummedTable, row: SqlRow) => SqlValue): RenderedSql {
  const values: SqlValue[] = [];
  const text = parts.map((part) => {
    if (typeof part === 'string') return part.replaceAll('wf.', '');
    if ('only' in part) return part.only === 'sqlite' ? part.text : '';
    if ('sumOf' in part) {
      values.push(sumOf(part.sumOf, part.row));
      return ', ?';
    }
    values.push('run' in part ? part.run : part.value);
    return 'run' in part ? 'unhex(?)' : '?';
  });
  return { text: text.join(''), values };
}

/** PostgreSQL binds by number, and stores the ids of runs as text. */
export function forPostgres({ parts }: SqlText): RenderedSql {
  const values: SqlValue[] = [];
  const text = parts.map((part) => {
    if (typeof part === 'string') return part;
    if ('only' in part) return part.only === 'postgres' ? part.text : '';
    if ('sumOf' in part) return ''; // it has its own
    return `$${values.push('run' in part ? part.run : part.value)}`;
  });
  return { text: text.join(''), values };
}

/** Work that yields statements and receives their rows, so that the same work can be performed at once or with waits in between. */
export type SqlWork<T> = Generator<SqlText, T, readonly SqlRow[]>;

/** The first row of a statement. */
export function* firstRow(statement: SqlText): SqlWork<SqlRow | undefined> {
  const [row] = yield statement;
  return row;
}

/** The tables that all processes of a store share. */
export interface SharedSql {
  readonly sealing: Sealing;
  /**
   * Performs work as one transaction. It may run more than once, and waits for a database that can't be reached.
   * @param lock serializes it with all other work under this name
   */
  change<T>(work: () => SqlWork<T>, lock?: string): Promise<T>;
  /** Like `change`, for someone who does not wait: fails if the store can't be used. */
  changeNow<T>(work: () => SqlWork<T>): Promise<T>;
  /** Performs one statement as a transaction of its own, in one round trip. Fails if the store can't be used. */
  statement(statement: SqlText): Promise<readonly SqlRow[]>;
  /** @param isPatient waits for a database that can't be reached */
  read<T>(work: () => SqlWork<T>, isPatient?: boolean): Promise<T>;
  /** Whether a run has not ended. @throws UsageError for a run that may be in a file that can't be read */
  isUnfinished(run: string): SqlWork<boolean>;
}
