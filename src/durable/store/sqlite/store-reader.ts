// Reads runs of all processes from the files of a store: one run, pages of the list, journals, figures. Only reads, so it needs no lock.
import { entryKinds, partOf } from '../../model/entries.js';
import { CALLED_PREFIX, idOfMoment, startedAt } from '../../model/run-ids.js';
import {
  type CountedRun,
  type FoundRun,
  hasEnded,
  type RerunRow,
  type RunRow,
  type StoredRunFilter,
  type StoredState,
  stateList,
  toUnfinishedCount,
  type UnfinishedCount,
  unfinishedStates,
} from '../../model/run-rows.js';
import { intactText, type VersionInfo } from '../../model/versions.js';
import type { EntryPart, PlacedState } from '../port.js';
import { foundHash } from '../shared/run-texts.js';
import { escapedLike, mostVersionsOf, type SqlValue, withFile } from '../shared/sql.js';
import { checkStructure, RowSums } from './row-sums.js';
import { shardFile } from './shard.js';
import { damagedRow, readEntries, readEntry, runColumns, toRunRow } from './shard-runs.js';
import type { SharedFile } from './shared-file.js';
import { type Database, isDamaged, loadSqlite } from './sqlite.js';
import { hasShardTables } from './store-format.js';
import type { UnreadableShards } from './unreadable-shards.js';

/** Maximum versions kept in memory. */
const MOST_VERSIONS = 200;

/** Entries of a run that are checked before its effects are counted. */
const MOST_CHECKED = 10_000;

type KnownVersion = Pick<FoundRun, 'workflow' | 'hash' | 'info'>;

/** Of a run whose version can't be read. */
const unknownVersion: KnownVersion = {
  workflow: '',
  hash: '',
  info: JSON.stringify({
    title: '',
    version: 0,
    file: '',
    trigger: '',
    kind: 'linked',
    module: '',
    text: '',
    folder: '',
    env: [],
    sites: [],
  } satisfies VersionInfo),
};

export class StoreReader {
  readonly #folder: string;
  readonly #shared: SharedFile;
  readonly #unreadable: UnreadableShards;
  readonly #shards = new Map<number, Database>();
  readonly #versions = new Map<string, KnownVersion>();
  /** The shards whose structure is sound. */
  readonly #checked = new Set<number>();

  constructor(folder: string, shared: SharedFile, unreadable: UnreadableShards) {
    this.#folder = folder;
    this.#shared = shared;
    this.#unreadable = unreadable;
  }

  /** By its id; 32 hexadecimal digits. */
  findRun(id: string): FoundRun | undefined {
    return this.#first((database, shard) => {
      const row = database.prepare('SELECT n FROM runs WHERE id = unhex(?)').get(id);
      return row === undefined ? undefined : this.#one(database, shard, Number(row.n), id);
    });
  }

  /** Whether a run has not ended. @throws UsageError for one that is nowhere to be found, if it may be in a file that can't be read */
  isUnfinished(id: string): boolean {
    const found = this.#first((database) => database.prepare('SELECT state FROM runs WHERE id = unhex(?)').get(id));
    if (found === undefined) this.#unreadable.refuse();
    return found !== undefined && !hasEnded(found.state as StoredState); // only these are written
  }

  statesOf(ids: readonly string[]): PlacedState[] {
    const sql = 'SELECT lower(hex(id)) AS id, state FROM runs WHERE id IN (SELECT unhex(value) FROM json_each(?))';
    return this.#each(
      (database, shard) =>
        database
          .prepare(sql)
          .all(JSON.stringify(ids))
          .map(({ id, state }) => ({ id: String(id), shard, state: state as StoredState })), // only these are written
    );
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

  isEncrypted(): boolean {
    return this.#shared.sealing.isEncrypted;
  }

  list(filter: StoredRunFilter): FoundRun[] {
    const found = this.#each((database, shard) => this.#page(database, shard, filter));
    const direction = filter.ascending === true ? 1 : -1;
    found.sort((one, other) => (one.row.id < other.row.id ? -direction : direction));
    return found.slice(0, filter.limit);
  }

  count(filter: StoredRunFilter): number {
    const counts = this.#each((database, shard) => {
      const { where, values } = this.#conditions(filter);
      const sql = `SELECT count(*) AS count FROM (SELECT 1 FROM runs ${where} LIMIT ?)`;
      try {
        return [Number(database.prepare(sql).get(...values, filter.limit)?.count)];
      } catch (error) {
        if (!isDamaged(error)) throw error;
        return [this.#page(database, shard, filter).length];
      }
    });
    return Math.min(
      filter.limit,
      counts.reduce((sum, count) => sum + count, 0),
    );
  }

  #conditions(filter: StoredRunFilter): { readonly where: string; readonly values: readonly SqlValue[] } {
    const conditions: string[] = [];
    const values: SqlValue[] = [];
    const add = (condition: string, ...of: SqlValue[]): void => {
      conditions.push(condition);
      values.push(...of);
    };
    if (filter.workflow !== undefined) add('v IN (SELECT v FROM versions WHERE workflow = ?)', filter.workflow);
    const { version } = filter;
    if (version !== undefined && 'hashes' in version)
      add(
        `v IN (SELECT v FROM versions WHERE ${version.hashes.map(() => "hash LIKE ? ESCAPE '\\'").join(' OR ')})`,
        ...version.hashes.map((hash) => `${escapedLike(hash)}%`),
      );
    if (version !== undefined && 'number' in version)
      add("v IN (SELECT v FROM versions WHERE CAST(json_extract(info, '$.version') AS TEXT) = ?)", version.number);
    if (filter.calling !== undefined)
      add("v IN (SELECT v FROM versions WHERE info LIKE ? ESCAPE '\\')", withFile(filter.calling));
    if (filter.states !== undefined) add(`state IN (${filter.states.map(() => '?').join(', ')})`, ...filter.states);
    if (filter.from !== undefined) add('id >= unhex(?)', filter.from);
    if (filter.after !== undefined) add('id > unhex(?)', filter.after);
    if (filter.before !== undefined) add('id < unhex(?)', filter.before);
    if (filter.search !== undefined) {
      const { text, ids, searchesOutcome } = filter.search;
      const { sealing } = this.#shared;
      // Encrypted text is binary, and LIKE would compare it.
      const [within, value]: [string, string] = sealing.isEncrypted
        ? ['extra LIKE ?', `%"${foundHash(text, sealing)}"%`]
        : [`${searchesOutcome ? "(request || coalesce(outcome, ''))" : 'request'} LIKE ? ESCAPE '\\'`, `%${escapedLike(text)}%`];
      add(ids === undefined ? within : `(${within} OR id BETWEEN unhex(?) AND unhex(?))`, value, ...(ids ?? []));
    }
    return { where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`, values };
  }

  #page(database: Database, shard: number, filter: StoredRunFilter): FoundRun[] {
    const { where, values } = this.#conditions(filter);
    const order = filter.ascending === true ? 'ASC' : 'DESC';
    // `id` alone would mean the text of the result column, which has no index.
    const page = (columns: string) =>
      database.prepare(`SELECT ${columns} FROM runs ${where} ORDER BY runs.id ${order} LIMIT ?`).all(...values, filter.limit);
    try {
      return page(runColumns).map((row) => this.#found(database, shard, row));
    } catch (error) {
      if (!isDamaged(error)) throw error;
      // One row fails the whole page.
      return page('n, lower(hex(id)) AS hex').map(({ n, hex }) => this.#one(database, shard, Number(n), String(hex)));
    }
  }

  /** @param id of the run with this number, as an index knows it */
  #one(database: Database, shard: number, n: number, id: string): FoundRun {
    try {
      const row = database.prepare(`SELECT ${runColumns} FROM runs WHERE n = ?`).get(n);
      if (row !== undefined) return this.#found(database, shard, row);
    } catch (error) {
      if (!isDamaged(error)) throw error;
    }
    return { row: damagedRow(id, n, shard), ...unknownVersion };
  }

  /** The journal of a run from a position on. @param most rows wanted */
  entries(shard: number, n: number, id: string, from: number, most?: number): EntryPart {
    return this.#unreadable.insist(shard, () => {
      const database = this.#shard(shard);
      if (database === undefined) return { rows: [], isWhole: true };
      const part = readEntries(database, this.#sums(database), { n, id }, from, most);
      return this.#lacksSite(database, n, part) ? { ...part, isDamaged: true } : part;
    });
  }

  /** Whether a call site of these entries is gone. */
  #lacksSite(database: Database, n: number, { rows }: EntryPart): boolean {
    const sql = 'SELECT site FROM sites WHERE v = (SELECT v FROM runs WHERE n = ?)';
    const known = new Set(
      database
        .prepare(sql)
        .all(n)
        .map(({ site }) => site),
    );
    return rows.some(({ site }) => site !== null && !known.has(site));
  }

  #sums(database: Database): RowSums {
    return new RowSums(database, this.#shared.sealing);
  }

  /** The call sites of a version: number and JSON, which is empty for one that can't be read. */
  sites(shard: number, v: number): (readonly [site: number, info: string])[] {
    const database = this.#shard(shard);
    if (database === undefined) return [];
    const sums = this.#sums(database);
    const rows = database.prepare('SELECT * FROM sites WHERE v = ?').all(v);
    return rows.map((row) => [Number(row.site), sums.isSiteIntact(row) ? String(row.info) : ''] as const);
  }

  /** Ids of the runs that repeat this one. */
  rerunsOf(id: string): string[] {
    const sql =
      "SELECT lower(hex(id)) AS id FROM runs WHERE extra IS NOT NULL AND json_extract(extra, '$.rerunOf') = ? ORDER BY id";
    return this.#each((database) => database.prepare(sql).all(id))
      .map((row) => String(row.id))
      .sort();
  }

  rerunsOfAll(ids: readonly string[]): RerunRow[] {
    const of = "json_extract(extra, '$.rerunOf')";
    const sql = `SELECT lower(hex(id)) AS id, ${of} AS origin, state FROM runs
      WHERE extra IS NOT NULL AND ${of} IN (SELECT value FROM json_each(?))`;
    return this.#each((database) => database.prepare(sql).all(JSON.stringify(ids)))
      .map(({ id, origin, state }) => ({ id: String(id), of: String(origin), state: state as StoredState })) // only these are written
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** The number of attempts, waits, messages and questions that a run has completed; `undefined` if its journal is damaged. */
  effectsOf({ shard, n, id }: Pick<RunRow, 'id' | 'shard' | 'n'>): number | undefined {
    const database = this.#shard(shard);
    if (database === undefined) return 0;
    const sums = this.#sums(database);
    for (const row of database.prepare('SELECT * FROM entries WHERE n = ? LIMIT ?').iterate(n, MOST_CHECKED))
      if (row.sum === null ? readEntry(row, sums, id) === undefined : !sums.isEntryIntact(row)) return undefined;
    const { call, wait, message, person } = entryKinds;
    const sql = 'SELECT count(*) AS count FROM entries WHERE n = ? AND (kind = ? OR (part = ? AND kind IN (?, ?, ?)))';
    return Number(database.prepare(sql).get(n, call, partOf.end, wait, message, person)?.count ?? 0);
  }

  versionOf(hash: string): { readonly workflow: string; readonly info: string } | undefined {
    return this.#first((database) => {
      const row = database.prepare('SELECT * FROM versions WHERE hash = ?').get(hash);
      return row === undefined || !this.#sums(database).isVersionIntact(row)
        ? undefined
        : { workflow: String(row.workflow), info: String(row.info) };
    });
  }

  /** `VersionInfo` of each version known in a shard, as JSON. @throws UsageError if a shard is damaged: it may know others */
  allVersions(): string[] {
    const ofShard = (shard: number) => this.#shard(shard)?.prepare('SELECT info FROM versions').all() ?? [];
    return this.#unreadable.shards
      .numbers()
      .flatMap((shard) => this.#unreadable.insist(shard, () => ofShard(shard)))
      .map(({ info }) => String(info));
  }

  /** @param since milliseconds since 1970 */
  runsSince(since: number): CountedRun[] {
    return this.#each((database) => runsSince(database, idOfMoment(since)));
  }

  countByState(): (readonly [StoredState, number])[] {
    return this.#each((database) => [...countByState(database)]);
  }

  countUnfinished(): UnfinishedCount[] {
    return this.#each(countUnfinished);
  }

  versionsOf(workflow: string): string[] {
    const query = 'SELECT hash FROM versions WHERE workflow = ? ORDER BY v DESC';
    return [
      ...new Set(
        this.#each((database) =>
          database
            .prepare(query)
            .all(workflow)
            .map(({ hash }) => String(hash)),
        ),
      ),
    ].slice(0, mostVersionsOf);
  }

  versionsOfUnfinished(): { workflow: string; version: string; runs: number }[] {
    return this.#each(versionsOfUnfinished);
  }

  /** The results from all shards that can be read. */
  #each<T>(work: (database: Database, shard: number) => T[]): T[] {
    return this.#unreadable.shards.numbers().flatMap((shard) => this.#in(shard, work) ?? []);
  }

  #first<T>(work: (database: Database, shard: number) => T | undefined): T | undefined {
    for (const shard of this.#unreadable.shards.numbers()) {
      const found = this.#in(shard, work);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #in<T>(shard: number, work: (database: Database, shard: number) => T): T | undefined {
    return this.#unreadable.tolerate(shard, () => {
      const database = this.#shard(shard);
      return database === undefined ? undefined : work(database, shard);
    });
  }

  readContent(hash: string): string | undefined {
    const found = this.#shared.get('SELECT data FROM contents WHERE hash = ?', hash);
    return intactText(hash, found?.data);
  }

  close(): void {
    for (const database of this.#shards.values()) database.close();
    this.#shards.clear();
  }

  #found(database: Database, shard: number, row: Readonly<Record<string, SqlValue>>): FoundRun {
    const read = toRunRow(row, shard, this.#sums(database));
    const version = this.#version(database, shard, Number(row.v));
    if (version !== undefined) return { row: read, ...version };
    return { row: damagedRow(read.id, read.n, shard, read.state), ...unknownVersion };
  }

  /** A version never changes, and a page of the list shows few of them. */
  #version(database: Database, shard: number, v: number): KnownVersion | undefined {
    const key = `${shard} ${v}`;
    let known = this.#versions.get(key);
    if (known === undefined) {
      const found = database.prepare('SELECT * FROM versions WHERE v = ?').get(v);
      if (found === undefined || !this.#sums(database).isVersionIntact(found)) return undefined;
      known = { workflow: String(found.workflow), hash: String(found.hash), info: String(found.info) };
      if (this.#versions.size >= MOST_VERSIONS) this.#versions.clear();
      this.#versions.set(key, known);
    }
    return known;
  }

  /** `undefined` for one whose process has just created the file, which has no tables yet. */
  #shard(shard: number): Database | undefined {
    const known = this.#shards.get(shard);
    if (known !== undefined) return known;
    const { DatabaseSync } = loadSqlite();
    const database = new DatabaseSync(shardFile(this.#folder, shard), { timeout: 1_000 });
    let isSound = false;
    try {
      if (!hasShardTables(database)) return undefined;
      if (!this.#checked.has(shard)) checkStructure(database, () => this.#sums(database).areAllIntact());
      this.#checked.add(shard);
      isSound = true;
    } finally {
      if (!isSound) database.close();
    }
    database.exec('PRAGMA query_only = ON');
    this.#shards.set(shard, database);
    return database;
  }
}

/** Maximum runs examined for durations, the newest first. */
const MOST_RUNS = 200_000;

/** Runs from an id on. */
function runsSince(database: Database, id: string): CountedRun[] {
  const workflows = new Map(
    database
      .prepare('SELECT v, workflow FROM versions')
      .all()
      .map(({ v, workflow }) => [Number(v), String(workflow)] as const),
  );
  return database
    .prepare(`SELECT v, state, lower(hex(id)) AS id, finished FROM runs WHERE id >= unhex(?) ORDER BY id DESC LIMIT ${MOST_RUNS}`)
    .all(id)
    .map(({ v, state, id: run, finished }) => ({
      id: String(run),
      workflow: workflows.get(Number(v)) ?? '',
      state: state as StoredState, // only these are written
      created: startedAt(String(run)),
      finished: finished === null ? null : Number(finished),
    }));
}

function countByState(database: Database): Map<StoredState, number> {
  const rows = database
    .prepare(`SELECT state, count(*) AS count FROM runs WHERE state IN ${stateList(unfinishedStates)} GROUP BY state`)
    .all();
  return new Map(rows.map(({ state, count }) => [state as StoredState, Number(count)] as const)); // only these are written
}

function countUnfinished(database: Database): UnfinishedCount[] {
  return database
    .prepare(
      `SELECT workflow, state, count(*) AS count, lower(hex(min(id))) AS oldest FROM runs JOIN versions USING (v)
       WHERE state IN ${stateList(unfinishedStates)} GROUP BY workflow, state`,
    )
    .all()
    .map(toUnfinishedCount);
}

/** Versions that unfinished runs use: name, hash, and number of runs. */
function versionsOfUnfinished(database: Database): { workflow: string; version: string; runs: number }[] {
  return database
    .prepare(
      `SELECT workflow, hash, count(*) AS count FROM runs JOIN versions USING (v) WHERE state IN ${stateList(unfinishedStates)} GROUP BY workflow, hash`,
    )
    .all()
    .map(({ workflow, hash, count }) => ({ workflow: String(workflow), version: String(hash), runs: Number(count) }));
}
