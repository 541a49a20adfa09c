// The checksums of the rows in the shared file. An INSERT brings its own (`newRow`); triggers of this connection compute that of a row that an
// UPDATE changes. Triggers of the file, which an earlier build runs as well, note that a row may have none.
import { DamagedRecord } from '../../model/file-troubles.js';
import type { Sealing } from '../shared/sealing.js';
import {
  type Selected,
  type SqlRow,
  type SqlValue,
  type SummedTable,
  shardOwner,
  summedColumns,
  summedTables,
} from '../shared/sql.js';
import { checksumOf } from './row-sums.js';
import type { OpenDatabase } from './sqlite.js';

/** The key in `meta` that says that rows may have no checksum; absent once all have one. */
const WITHOUT_SUMS = 'without sums';

/** Written often, and not relied on. */
const UNSUMMED_KEYS = `('probed', '${WITHOUT_SUMS}')`;

const tables = Object.keys(summedTables) as SummedTable[]; // it has no other keys

/** The columns that identify a row. */
const identities: Readonly<Record<SummedTable, readonly string[]>> = {
  meta: ['key'],
  keys: ['scope', 'key'],
  messages: ['id'],
  message_keys: ['name', 'key'],
  waiters: ['id'],
  inbox: ['id'],
  tasks: ['id'],
  changes: ['id'],
  views: ['id'],
};

const isNew = (table: SummedTable): string => identities[table].map((column) => `${column} IS NEW.${column}`).join(' AND ');
const andIsKept = (table: SummedTable): string => (table === 'meta' ? `AND NEW.key NOT IN ${UNSUMMED_KEYS}` : '');
const sumNow = (table: SummedTable): string => `(SELECT sum FROM ${table} WHERE ${isNew(table)})`;
const storedColumns = (table: SummedTable): string[] =>
  summedTables[table].flatMap((column) => (column === ('owner' as string) ? shardOwner.columns : [column]));

const MARK = `INSERT INTO meta(key, value) VALUES('${WITHOUT_SUMS}', 1) ON CONFLICT(key) DO NOTHING;`;

/** The columns and triggers of the file, as a table needs them. */
const addedTo = (table: SummedTable): string => `
ALTER TABLE ${table} ADD COLUMN sum;
CREATE TRIGGER ${table}_added AFTER INSERT ON ${table} WHEN NEW.sum IS NULL ${andIsKept(table)} BEGIN ${MARK} END;
CREATE TRIGGER ${table}_changed AFTER UPDATE OF ${storedColumns(table).join(', ')} ON ${table}
  WHEN ${sumNow(table)} IS OLD.sum AND (${listOf('NEW.', table)}) IS NOT (${listOf('OLD.', table)}) ${andIsKept(table)}
  BEGIN UPDATE ${table} SET sum = NULL WHERE ${isNew(table)}; ${MARK} END;
`;

function listOf(prefix: string, table: SummedTable): string {
  return storedColumns(table)
    .map((column) => prefix + column)
    .join(', ');
}

/** Adds checksums to a file. Its rows have none yet. */
export const addSums = `${tables.map(addedTo).join('')}${MARK}`;

/** The last that is added. */
export const LAST_OF_SUMS = `${tables.at(-1)}_changed`;

/** Statements that need all of it. */
export const statementsWithSums = tables.flatMap((table) => [
  `INSERT INTO ${table}(${storedColumns(table)[0]}) VALUES (?)`,
  `UPDATE ${table} SET ${storedColumns(table)[0]} = ?`,
]);

type Sum = ReturnType<Sealing['sum']>;

const sums = new Map(tables.map((table) => [table, checksumOf<string>(['table', ...summedTables[table]])]));

/** A row is bound to its table. No run is the same as one without digits, which SQLite returns. */
const sumOfRow = (table: SummedTable, row: SqlRow, sealing: Pick<Sealing, 'sum'>): Sum => {
  const summing = sums.get(table);
  if (summing === undefined) throw new Error(`Rows of ${table} have no checksum.`);
  return summing({ ...row, ...('run' in row ? { run: row.run === '' ? null : row.run } : {}), table }, sealing);
};

/** In place of the checksum of a row that had a wrong one when it was changed: it stays damaged. */
const WRONG = 'wrong';

export class SharedSums {
  readonly #database: OpenDatabase;
  readonly #onDamaged: (record: string) => void;
  /** The current sealing; while the key is being changed, followed by the former one. */
  #sealings: readonly [Sealing, ...Sealing[]];

  /** @param onDamaged called each time that someone comes across a row with a wrong checksum */
  constructor(database: OpenDatabase, sealing: Sealing, onDamaged: (record: string) => void) {
    this.#database = database;
    this.#sealings = [sealing];
    this.#onDamaged = onDamaged;
    database.function('wf_sum', { varargs: true }, (table, stored, ...values) => {
      const columns = summedTables[table as SummedTable]; // the triggers name only these
      const row = (from: number): SqlRow =>
        Object.fromEntries(columns.map((column, index) => [column, values[from + index] ?? null]));
      if (!this.#fits(table as SummedTable, { ...row(0), sum: stored ?? null })) return WRONG;
      return sumOfRow(table as SummedTable, row(columns.length), this.#sealings[0]);
    });
    for (const table of tables) {
      const [before, after] = ['OLD.', 'NEW.'].map((prefix) => summedColumns(table, prefix).join(', '));
      database.exec(`CREATE TEMP TRIGGER ${table}_summed AFTER UPDATE OF ${storedColumns(table).join(', ')} ON main.${table}
        WHEN NEW.sum IS OLD.sum ${andIsKept(table)}
        BEGIN UPDATE ${table} SET sum = wf_sum('${table}', OLD.sum, ${before}, ${after}) WHERE ${isNew(table)}; END`);
    }
  }

  /** The checksum of a new row. */
  of(table: SummedTable, row: SqlRow): Sum {
    return sumOfRow(table, row, this.#sealings[0]);
  }

  /** Rows of a result, without damaged ones if they are to be left out. @param read makes the query @throws DamagedRecord */
  verified({ table, ofDamaged }: Selected, read: () => readonly SqlRow[]): readonly SqlRow[] {
    const rows = read();
    if (rows.every((row) => this.#fits(table, row))) return rows;
    const found: SqlRow[] = [];
    // Another process may have completed the checksums since then, and removed the note that rows have none.
    for (const row of read()) {
      if (this.#fits(table, row)) {
        found.push(row);
        continue;
      }
      const record = recordOf(table, row);
      this.#onDamaged(record);
      if (ofDamaged === 'refused') throw new DamagedRecord(record);
      if (ofDamaged === 'marked') found.push({ ...row, isDamaged: 1 });
    }
    return found;
  }

  /** Gives a checksum to the rows that have none, if there are any. Within a transaction. */
  complete(): void {
    if (!this.#mayBeMissing()) return;
    for (const table of tables) this.#renew(table, 'WHERE sum IS NULL');
    this.#database.prepare('DELETE FROM meta WHERE key = ?').run(WITHOUT_SUMS);
  }

  /** The rows are sealed with another key, within a transaction. */
  change(sealing: Sealing, reseal: () => void): void {
    this.#sealings = [sealing, ...this.#sealings];
    reseal();
    for (const table of tables) this.#renew(table, '');
  }

  /** Reports each damaged row. Returns whether there is any; `undefined` if some rows have no checksum. */
  report(): boolean | undefined {
    let isAny = false;
    for (const table of tables)
      for (const row of this.#database.prepare(`SELECT ${selectedOf(table)} FROM ${table} NOT INDEXED`).iterate()) {
        if (this.#fits(table, row)) continue;
        this.#onDamaged(recordOf(table, row));
        isAny = true;
      }
    return isAny || !this.#mayBeMissing() ? isAny : undefined;
  }

  /** Writes all rows again, damaged ones as they are: no index knows them by what they were, or are. Within a transaction. */
  rebuild(): void {
    for (const table of [...tables, 'message_fields']) {
      const columns = this.#database.prepare(`PRAGMA main.table_info(${table})`).all();
      const names = columns.map(({ name }) => name).join(', ');
      this.#database.exec(`CREATE TEMP TABLE rebuilt AS SELECT ${names} FROM main.${table} NOT INDEXED; DELETE FROM main.${table};
        INSERT OR IGNORE INTO main.${table}(${names}) SELECT ${names} FROM rebuilt; DROP TABLE rebuilt`);
    }
  }

  #renew(table: SummedTable, which: string): void {
    const [column] = storedColumns(table);
    this.#database.exec(`UPDATE ${table} SET ${column} = ${column} ${which}`);
  }

  #fits(table: SummedTable, row: SqlRow): boolean {
    if (table === 'meta' && (row.key === 'probed' || row.key === WITHOUT_SUMS)) return true;
    const { sum: stored } = row;
    if (stored === null || stored === undefined) return this.#mayBeMissing();
    return this.#sealings.some((sealing) => isSame(stored, sumOfRow(table, row, sealing)));
  }

  #mayBeMissing(): boolean {
    return this.#database.prepare('SELECT 1 FROM meta WHERE key = ?').get(WITHOUT_SUMS) !== undefined;
  }
}

const isSame = (stored: SqlValue, sum: Sum): boolean =>
  typeof sum === 'number' ? stored === sum : stored instanceof Uint8Array && Buffer.compare(stored, sum) === 0;

const selectedOf = (table: SummedTable): string => {
  const numbered = identities[table].filter((column) => !(summedTables[table] as readonly string[]).includes(column));
  const columns = summedColumns(table).map((column, index) => `${column} AS ${summedTables[table][index]}`);
  return [...numbered, ...columns, 'sum'].join(', ');
};

/** Names of records, as reports of damage use them. */
const recordNames: Readonly<Record<SummedTable, string>> = {
  meta: 'entry',
  keys: 'key of a request',
  messages: 'message',
  message_keys: 'key of a message',
  waiters: 'wait for a message',
  inbox: 'delivery to a run',
  tasks: 'question',
  changes: 'change',
  views: 'view',
};

const recordOf = (table: SummedTable, row: SqlRow): string =>
  `${recordNames[table]} ${identities[table].map((column) => JSON.stringify(row[column] ?? null)).join(' ')}`;
