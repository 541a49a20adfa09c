// Reads runs of all processes from the files of a store: one run, pages of the list, journals. Only reads, so it needs no lock.
import { CALLED_PREFIX } from '../run-ids.js';
import type { SharedFile } from './shared-file.js';
import { slotFile } from './slot.js';
import { type EntryPart, readEntries, runColumns, toRunRow } from './slot-runs.js';
import { entryKinds, firstFinished, type RunRow, type StoredState } from './slot-writes.js';
import { type Database, loadSqlite, type SqlValue } from './sqlite.js';
import { type CountedRun, countByState, runsSince, versionsOfUnfinished } from './store-counts.js';
import type { UnreadableSlots } from './unreadable-slots.js';

/** A run with the description of its version. */
export interface FoundRun {
  readonly row: RunRow;
  /** Name in the address. */
  readonly workflow: string;
  /** Hash of its version. */
  readonly hash: string;
  /** `VersionInfo` as JSON. */
  readonly info: string;
}

export interface StoredRunFilter {
  readonly workflow?: string | undefined;
  readonly states?: readonly StoredState[] | undefined;
  /** Ids from this one on, and before this one: 32 hexadecimal digits. */
  readonly from?: string | undefined;
  readonly before?: string | undefined;
  /** Only later ones. */
  readonly after?: string | undefined;
  /** Text within the request. */
  readonly text?: string | undefined;
  readonly limit: number;
  /** Oldest first. */
  readonly ascending?: boolean | undefined;
}

/** The first possible id at a moment. */
const idOfMoment = (ms: number): string => Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0').padEnd(32, '0');

/** Maximum versions kept in memory. */
const MOST_VERSIONS = 200;

type KnownVersion = Pick<FoundRun, 'workflow' | 'hash' | 'info'>;

export class StoreReader {
  readonly #folder: string;
  readonly #shared: SharedFile;
  readonly #unreadable: UnreadableSlots;
  readonly #slots = new Map<number, Database>();
  readonly #versions = new Map<string, KnownVersion>();

  constructor(folder: string, shared: SharedFile, unreadable: UnreadableSlots) {
    this.#folder = folder;
    this.#shared = shared;
    this.#unreadable = unreadable;
  }

  /** By its id; 32 hexadecimal digits. */
  findRun(id: string): FoundRun | undefined {
    return this.#first((database, slot) => {
      const row = database.prepare(`SELECT ${runColumns} FROM runs WHERE id = unhex(?)`).get(id);
      return row === undefined ? undefined : this.#found(database, slot, row);
    });
  }

  /** Whether a run has not ended. @throws UsageError for one that is nowhere to be found, if it may be in a file that can't be read */
  isUnfinished(id: string): boolean {
    const found = this.#first((database) => database.prepare('SELECT state FROM runs WHERE id = unhex(?)').get(id));
    if (found === undefined) this.#unreadable.refuse();
    return found !== undefined && Number(found.state) < firstFinished;
  }

  /** Whether there is a run with this id, or one that may have called it. @throws UsageError like `isUnfinished` */
  hasRun(id: string): boolean {
    const digits = id.slice(0, CALLED_PREFIX);
    const [first, last] = ['0', 'f'].map((digit) => digits.padEnd(id.length, digit)) as [string, string]; // two ids
    const sql = 'SELECT 1 FROM runs WHERE id BETWEEN unhex(?) AND unhex(?) LIMIT 1';
    const found = this.#first((database) => database.prepare(sql).get(first, last));
    if (found === undefined) this.#unreadable.refuse();
    return found !== undefined;
  }

  list(filter: StoredRunFilter): FoundRun[] {
    const found = this.#each((database, slot) => this.#page(database, filter).map((row) => this.#found(database, slot, row)));
    const direction = filter.ascending === true ? 1 : -1;
    found.sort((one, other) => (one.row.id < other.row.id ? -direction : direction));
    return found.slice(0, filter.limit);
  }

  #page(database: Database, filter: StoredRunFilter): Readonly<Record<string, SqlValue>>[] {
    const conditions: string[] = [];
    const values: SqlValue[] = [];
    const add = (condition: string, ...of: SqlValue[]): void => {
      conditions.push(condition);
      values.push(...of);
    };
    if (filter.workflow !== undefined) add('v IN (SELECT v FROM versions WHERE workflow = ?)', filter.workflow);
    if (filter.states !== undefined) add(`state IN (${filter.states.map(() => '?').join(', ')})`, ...filter.states);
    if (filter.from !== undefined) add('id >= unhex(?)', filter.from);
    if (filter.after !== undefined) add('id > unhex(?)', filter.after);
    if (filter.before !== undefined) add('id < unhex(?)', filter.before);
    if (filter.text !== undefined) add("request LIKE ? ESCAPE '\\'", `%${filter.text.replace(/[\\%_]/g, '\\$&')}%`);
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const order = filter.ascending === true ? 'ASC' : 'DESC';
    // `id` alone would mean the text of the result column, which has no index.
    return database
      .prepare(`SELECT ${runColumns} FROM runs ${where} ORDER BY runs.id ${order} LIMIT ?`)
      .all(...values, filter.limit);
  }

  /** The journal of a run from a position on. @param most rows wanted */
  entries(slot: number, n: number, id: string, from: number, most?: number): EntryPart {
    return this.#unreadable.insist(slot, () => {
      const database = this.#slot(slot);
      if (database === undefined) return { rows: [], isWhole: true };
      return readEntries(database, this.#shared.sealing, { n, id }, from, most);
    });
  }

  /** What the places of a version do: number and JSON. */
  sites(slot: number, v: number): (readonly [site: number, info: string])[] {
    return (this.#slot(slot)?.prepare('SELECT site, info FROM sites WHERE v = ?').all(v) ?? []).map(
      ({ site, info }) => [Number(site), String(info)] as const,
    );
  }

  /** Ids of the runs that repeat this one. */
  rerunsOf(id: string): string[] {
    const sql =
      "SELECT lower(hex(id)) AS id FROM runs WHERE extra IS NOT NULL AND json_extract(extra, '$.rerunOf') = ? ORDER BY id";
    return this.#each((database) => database.prepare(sql).all(id))
      .map((row) => String(row.id))
      .sort();
  }

  /** How many attempts, waits, messages and questions a run has completed. */
  effectsOf({ slot, n }: Pick<RunRow, 'id' | 'slot' | 'n'>): number {
    const { call, wait, message, person } = entryKinds;
    const sql = 'SELECT count(*) AS count FROM entries WHERE n = ? AND (kind = ? OR (part = 1 AND kind IN (?, ?, ?)))';
    return Number(this.#slot(slot)?.prepare(sql).get(n, call, wait, message, person)?.count ?? 0);
  }

  versionOf(hash: string): { readonly workflow: string; readonly info: string } | undefined {
    return this.#first((database) => {
      const row = database.prepare('SELECT workflow, info FROM versions WHERE hash = ?').get(hash);
      return row === undefined ? undefined : { workflow: String(row.workflow), info: String(row.info) };
    });
  }

  /** `VersionInfo` of each version known in a slot, as JSON. @throws UsageError if a slot is damaged: it may know others */
  allVersions(): string[] {
    const ofSlot = (slot: number) => this.#slot(slot)?.prepare('SELECT info FROM versions').all() ?? [];
    return this.#unreadable.slots
      .numbers()
      .flatMap((slot) => this.#unreadable.insist(slot, () => ofSlot(slot)))
      .map(({ info }) => String(info));
  }

  /** @param since milliseconds since 1970 */
  runsSince(since: number): CountedRun[] {
    return this.#each((database) => runsSince(database, idOfMoment(since)));
  }

  countByState(): (readonly [StoredState, number])[] {
    return this.#each((database) => [...countByState(database)]);
  }

  versionsOfUnfinished(): { workflow: string; version: string; runs: number }[] {
    return this.#each(versionsOfUnfinished);
  }

  /** The results from all slots that can be read. */
  #each<T>(work: (database: Database, slot: number) => T[]): T[] {
    return this.#unreadable.slots.numbers().flatMap((slot) => this.#in(slot, work) ?? []);
  }

  #first<T>(work: (database: Database, slot: number) => T | undefined): T | undefined {
    for (const slot of this.#unreadable.slots.numbers()) {
      const found = this.#in(slot, work);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #in<T>(slot: number, work: (database: Database, slot: number) => T): T | undefined {
    return this.#unreadable.tolerate(slot, () => {
      const database = this.#slot(slot);
      return database === undefined ? undefined : work(database, slot);
    });
  }

  readContent(hash: string): string | undefined {
    const found = this.#shared.get('SELECT data FROM contents WHERE hash = ?', hash);
    return found === undefined ? undefined : String(found.data);
  }

  close(): void {
    for (const database of this.#slots.values()) database.close();
    this.#slots.clear();
  }

  #found(database: Database, slot: number, row: Readonly<Record<string, SqlValue>>): FoundRun {
    const { workflow, hash, info } = this.#version(database, slot, Number(row.v));
    return { row: toRunRow(row, slot, this.#shared.sealing), workflow, hash, info };
  }

  /** A version never changes, and a page of the list shows few of them. */
  #version(database: Database, slot: number, v: number): KnownVersion {
    const key = `${slot} ${v}`;
    let known = this.#versions.get(key);
    if (known === undefined) {
      const found = database.prepare('SELECT workflow, hash, info FROM versions WHERE v = ?').get(v);
      if (found === undefined) return { workflow: '', hash: '', info: '{}' };
      known = { workflow: String(found.workflow), hash: String(found.hash), info: String(found.info) };
      if (this.#versions.size >= MOST_VERSIONS) this.#versions.clear();
      this.#versions.set(key, known);
    }
    return known;
  }

  /** `undefined` for one whose process has just created the file, which has no tables yet. */
  #slot(slot: number): Database | undefined {
    const known = this.#slots.get(slot);
    if (known !== undefined) return known;
    const { DatabaseSync } = loadSqlite();
    const database = new DatabaseSync(slotFile(this.#folder, slot), { timeout: 1_000 });
    let hasTables = false;
    try {
      hasTables = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'runs'").get() !== undefined;
    } finally {
      // It may be damaged, for example.
      if (!hasTables) database.close();
    }
    if (!hasTables) return undefined;
    database.exec('PRAGMA query_only = ON');
    this.#slots.set(slot, database);
    return database;
  }
}
