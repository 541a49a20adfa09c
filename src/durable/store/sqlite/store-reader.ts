// Reads runs of all processes from the files of a store: one run, pages of the list, journals, figures. Only reads, so it needs no lock.

import { entryKinds } from '../../model/entries.js';
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
import { intactText } from '../../model/versions.js';
import type { EntryPart } from '../port.js';
import { foundHash } from '../shared/found-values.js';
import { escapedLike, mostVersionsOf, type SqlValue, withFile } from '../shared/sql.js';
import { shardFile } from './shard.js';
import { readEntries, runColumns, toRunRow } from './shard-runs.js';
import type { SharedFile } from './shared-file.js';
import { type Database, loadSqlite } from './sqlite.js';
import type { UnreadableShards } from './unreadable-shards.js';

/** Maximum versions kept in memory. */
const MOST_VERSIONS = 200;

type KnownVersion = Pick<FoundRun, 'workflow' | 'hash' | 'info'>;

export class StoreReader {
  readonly #folder: string;
  readonly #shared: SharedFile;
  readonly #unreadable: UnreadableShards;
  readonly #shards = new Map<number, Database>();
  readonly #versions = new Map<string, KnownVersion>();

  constructor(folder: string, shared: SharedFile, unreadable: UnreadableShards) {
    this.#folder = folder;
    this.#shared = shared;
    this.#unreadable = unreadable;
  }

  /** By its id; 32 hexadecimal digits. */
  findRun(id: string): FoundRun | undefined {
    return this.#first((database, shard) => {
      const row = database.prepare(`SELECT ${runColumns} FROM runs WHERE id = unhex(?)`).get(id);
      return row === undefined ? undefined : this.#found(database, shard, row);
    });
  }

  /** Whether a run has not ended. @throws UsageError for one that is nowhere to be found, if it may be in a file that can't be read */
  isUnfinished(id: string): boolean {
    const found = this.#first((database) => database.prepare('SELECT state FROM runs WHERE id = unhex(?)').get(id));
    if (found === undefined) this.#unreadable.refuse();
    return found !== undefined && !hasEnded(found.state as StoredState); // only these are written
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
    const found = this.#each((database, shard) => this.#page(database, filter).map((row) => this.#found(database, shard, row)));
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
    const { version } = filter;
    if (version !== undefined && 'hash' in version)
      add("v IN (SELECT v FROM versions WHERE hash LIKE ? ESCAPE '\\')", `${escapedLike(version.hash)}%`);
    if (version !== undefined && 'number' in version)
      add("v IN (SELECT v FROM versions WHERE CAST(json_extract(info, '$.version') AS TEXT) = ?)", version.number);
    if (filter.calling !== undefined)
      add("v IN (SELECT v FROM versions WHERE info LIKE ? ESCAPE '\\')", withFile(filter.calling));
    if (filter.states !== undefined) add(`state IN (${filter.states.map(() => '?').join(', ')})`, ...filter.states);
    if (filter.from !== undefined) add('id >= unhex(?)', filter.from);
    if (filter.after !== undefined) add('id > unhex(?)', filter.after);
    if (filter.before !== undefined) add('id < unhex(?)', filter.before);
    if (filter.search !== undefined) {
      const { text, ids } = filter.search;
      const { sealing } = this.#shared;
      // Encrypted text is binary, and LIKE would compare it.
      const [within, value]: [string, string] = sealing.isEncrypted
        ? ['extra LIKE ?', `%"${foundHash(text, sealing)}"%`]
        : ["request LIKE ? ESCAPE '\\'", `%${escapedLike(text)}%`];
      add(ids === undefined ? within : `(${within} OR id BETWEEN unhex(?) AND unhex(?))`, value, ...(ids ?? []));
    }
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const order = filter.ascending === true ? 'ASC' : 'DESC';
    // `id` alone would mean the text of the result column, which has no index.
    return database
      .prepare(`SELECT ${runColumns} FROM runs ${where} ORDER BY runs.id ${order} LIMIT ?`)
      .all(...values, filter.limit);
  }

  /** The journal of a run from a position on. @param most rows wanted */
  entries(shard: number, n: number, id: string, from: number, most?: number): EntryPart {
    return this.#unreadable.insist(shard, () => {
      const database = this.#shard(shard);
      if (database === undefined) return { rows: [], isWhole: true };
      return readEntries(database, this.#shared.sealing, { n, id }, from, most);
    });
  }

  /** The call sites of a version: number and JSON. */
  sites(shard: number, v: number): (readonly [site: number, info: string])[] {
    return (this.#shard(shard)?.prepare('SELECT site, info FROM sites WHERE v = ?').all(v) ?? []).map(
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

  rerunsOfAll(ids: readonly string[]): RerunRow[] {
    const of = "json_extract(extra, '$.rerunOf')";
    const sql = `SELECT lower(hex(id)) AS id, ${of} AS origin, state FROM runs
      WHERE extra IS NOT NULL AND ${of} IN (SELECT value FROM json_each(?))`;
    return this.#each((database) => database.prepare(sql).all(JSON.stringify(ids)))
      .map(({ id, origin, state }) => ({ id: String(id), of: String(origin), state: state as StoredState })) // only these are written
      .sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** The number of attempts, waits, messages and questions that a run has completed. */
  effectsOf({ shard, n }: Pick<RunRow, 'id' | 'shard' | 'n'>): number {
    const { call, wait, message, person } = entryKinds;
    const sql = 'SELECT count(*) AS count FROM entries WHERE n = ? AND (kind = ? OR (part = 1 AND kind IN (?, ?, ?)))';
    return Number(this.#shard(shard)?.prepare(sql).get(n, call, wait, message, person)?.count ?? 0);
  }

  versionOf(hash: string): { readonly workflow: string; readonly info: string } | undefined {
    return this.#first((database) => {
      const row = database.prepare('SELECT workflow, info FROM versions WHERE hash = ?').get(hash);
      return row === undefined ? undefined : { workflow: String(row.workflow), info: String(row.info) };
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
    const { workflow, hash, info } = this.#version(database, shard, Number(row.v));
    return { row: toRunRow(row, shard, this.#shared.sealing), workflow, hash, info };
  }

  /** A version never changes, and a page of the list shows few of them. */
  #version(database: Database, shard: number, v: number): KnownVersion {
    const key = `${shard} ${v}`;
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
  #shard(shard: number): Database | undefined {
    const known = this.#shards.get(shard);
    if (known !== undefined) return known;
    const { DatabaseSync } = loadSqlite();
    const database = new DatabaseSync(shardFile(this.#folder, shard), { timeout: 1_000 });
    let hasTables = false;
    try {
      hasTables = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'runs'").get() !== undefined;
    } finally {
      // It may be damaged, for example.
      if (!hasTables) database.close();
    }
    if (!hasTables) return undefined;
    database.exec('PRAGMA query_only = ON');
    this.#shards.set(shard, database);
    return database;
  }
}

/** Maximum runs examined for durations, the newest first. */
const MOST_RUNS = 200_000;

/** Runs from an id on. */
export function runsSince(database: Database, id: string): CountedRun[] {
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

export function countByState(database: Database): Map<StoredState, number> {
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
export function versionsOfUnfinished(database: Database): { workflow: string; version: string; runs: number }[] {
  return database
    .prepare(
      `SELECT workflow, hash, count(*) AS count FROM runs JOIN versions USING (v) WHERE state IN ${stateList(unfinishedStates)} GROUP BY workflow, hash`,
    )
    .all()
    .map(({ workflow, hash, count }) => ({ workflow: String(workflow), version: String(hash), runs: Number(count) }));
}
