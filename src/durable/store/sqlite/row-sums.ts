// The checksums of the rows in the file of a shard: what each covers, and whether a row still is what was written. A row of a version of wf
// that knew no checksums has none.
import type { Sealing } from '../shared/sealing.js';
import type { SqlValue } from '../shared/sql.js';
import { type Database, sqliteCodes } from './sqlite.js';

type Row = Readonly<Record<string, SqlValue>>;

type Summing = Pick<Sealing, 'sum'>;

/** The key in `meta` of the last run that may have rows without checksums; absent if there is none. */
export const LAST_WITHOUT_SUMS = 'last without sums';

/** The columns of a run that rarely change, and those that change with its state. `id` is 32 hexadecimal digits; texts are sealed. */
const madeColumns = ['n', 'id', 'v', 'request', 'extra'] as const;
const stateColumns = ['n', 'state', 'finished', 'due', 'waits', 'outcome'] as const;
const entryColumns = ['n', 'pos', 'branch', 'seq', 'part', 'kind', 'site', 'at', 'ms', 'body'] as const;
const versionColumns = ['v', 'workflow', 'hash', 'info'] as const;
const siteColumns = ['v', 'site', 'info'] as const;

/** The checksum of these columns of a row: of pieces of which no other columns consist. Most rows are one text, which takes least time. */
export const checksumOf =
  <Column extends string>(columns: readonly Column[]) =>
  (row: Readonly<Partial<Record<Column, SqlValue>>>, { sum }: Summing): number | Buffer => {
    let pieces: (string | Uint8Array)[] | undefined;
    let text = '';
    for (const column of columns) {
      const value = row[column] ?? null;
      if (typeof value === 'string') text += `t${value.length}:${value}`;
      else if (value instanceof Uint8Array) {
        pieces ??= [];
        pieces.push(`${text}b${value.length}:`, value);
        text = '';
      } else text += `${value};`;
    }
    if (pieces === undefined) return sum(text);
    pieces.push(text);
    return sum(pieces);
  };

/** `runs.made`. */
export const madeSum = checksumOf(madeColumns);
/** `runs.stands`. */
export const stateSum = checksumOf(stateColumns);
export const entrySum = checksumOf(entryColumns);
export const versionSum = checksumOf(versionColumns);
export const siteSum = checksumOf(siteColumns);

/** Finds out which rows of a shard are as they were written. */
export class RowSums {
  readonly sealing: Sealing;
  readonly #database: Database;

  constructor(database: Database, sealing: Sealing) {
    this.#database = database;
    this.sealing = sealing;
  }

  /** @param id as 32 hexadecimal digits */
  isMadeIntact(row: Row, id: string): boolean {
    return this.#fits(row.made, madeSum({ ...row, id }, this.sealing), row.n);
  }

  isStateIntact(row: Row): boolean {
    return this.#fits(row.stands, stateSum(row, this.sealing), row.n);
  }

  isEntryIntact(row: Row): boolean {
    return this.#fits(row.sum, entrySum(row, this.sealing), row.n);
  }

  isVersionIntact(row: Row): boolean {
    return this.#fits(row.sum, versionSum(row, this.sealing)) && isJson(row.info);
  }

  isSiteIntact(row: Row): boolean {
    return this.#fits(row.sum, siteSum(row, this.sealing)) && isJson(row.info);
  }

  /** @param n the run of the row; absent for one that belongs to several */
  #fits(stored: SqlValue | undefined, sum: number | Buffer, n?: SqlValue): boolean {
    if (stored === null || stored === undefined) return this.#mayLackSum(n);
    if (typeof sum === 'number') return stored === sum;
    return stored instanceof Uint8Array && Buffer.compare(stored, sum) === 0;
  }

  /** In a row that is cut off, the checksum is missing as well. */
  #mayLackSum(n: SqlValue | undefined): boolean {
    const last = this.#database.prepare(`SELECT value FROM meta WHERE key = '${LAST_WITHOUT_SUMS}'`).get()?.value;
    if (last !== undefined) return n === undefined || Number(n) <= Number(last);
    // A living process of an earlier version has the shard, so that it has no checksums yet.
    return this.#database.prepare("SELECT 1 FROM pragma_table_info('entries') WHERE name = 'sum'").get() === undefined;
  }

  /** Whether all rows have the right checksums; `undefined` if some have none. */
  areAllIntact(): boolean | undefined {
    let isSure = true;
    const rows = (table: string, more = '') => this.#database.prepare(`SELECT *${more} FROM ${table} NOT INDEXED`).iterate();
    for (const row of rows('runs', ', lower(hex(id)) AS hex')) {
      if (!this.isMadeIntact(row, String(row.hex)) || !this.isStateIntact(row)) return false;
      isSure &&= hasSum(row.made) && hasSum(row.stands);
    }
    for (const row of rows('entries')) {
      if (!this.isEntryIntact(row)) return false;
      isSure &&= hasSum(row.sum);
    }
    for (const row of rows('versions')) if (!this.isVersionIntact(row)) return false;
    for (const row of rows('sites')) if (!this.isSiteIntact(row)) return false;
    return isSure ? true : undefined;
  }
}

const hasSum = (stored: SqlValue | undefined): boolean => stored !== null && stored !== undefined;

function isJson(text: SqlValue | undefined): boolean {
  try {
    JSON.parse(String(text));
    return true;
  } catch {
    return false;
  }
}

/** Bytes of the largest file that is checked as a whole when it is opened, which takes a fifth of a second. */
const LARGEST = 8 * 1024 * 1024;

/** Whether a file is checked as a whole. */
export function isSmall(database: Database): boolean {
  const number = (name: string): number => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  return number('page_count') * number('page_size') <= LARGEST;
}

/** A page that can't be read now is no damage. */
const isPassing = (code: number): boolean => code !== 0 && (code & 0xff) !== sqliteCodes.corrupt;

/** The message of SQLite about rows and indexes that differ. All its other messages are about the structure of the file. */
const ABOUT_ROWS =
  /^(?:row \d+ missing from index|row \d+ values differ from index|wrong # of entries in index|non-unique entry in index|rowid not at end-of-record|row not in primary key order|\w+ value in) /i;

/**
 * Notices what no checksum of a row tells: rows that cannot be found any more. Builds indexes anew that differ from intact rows.
 * @param areIntact whether all rows have their checksums; `undefined` if some have none
 * @throws an error that counts as damage
 */
export function checkStructure(database: Database, areIntact: () => boolean | undefined): void {
  if (!isSmall(database)) return;
  const found = database
    .prepare('PRAGMA integrity_check(20)')
    .all()
    .map((row) => String(Object.values(row)[0]));
  if (found[0] === 'ok') return;
  const unread = found.map((sentence) => Number(/error code=(\d+)/.exec(sentence)?.[1] ?? 0)).find((code) => isPassing(code));
  if (unread !== undefined) throw Object.assign(new Error('The file cannot be read now.'), { errcode: unread });
  const isOfRows = found.every((sentence) => ABOUT_ROWS.test(sentence));
  const intact = isOfRows ? areIntact() : undefined;
  if (intact === undefined) throw Object.assign(new Error(found[0]), { errcode: sqliteCodes.corrupt });
  // Of a damaged row, the indexes know what it was.
  if (intact) database.exec('REINDEX');
}
