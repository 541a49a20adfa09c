// One shard of a store, in the thread that writes it: the file with the runs of one process, and the lock that reserves it for this
// process. The kernel frees the lock when the process dies, in whatever way; nothing else does.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { hasEnded, type RunWrite, type StoredState, type StoreWrite, storedStates } from '../../model/run-rows.js';
import { readExtra } from '../../model/stored-run.js';
import type { VersionInfo } from '../../model/versions.js';
import { foundHashes, withFound } from '../shared/run-texts.js';
import type { Sealing } from '../shared/sealing.js';
import { type SqlValue, shardOwner } from '../shared/sql.js';
import { checkStructure, entrySum, madeSum, RowSums, siteSum, stateSum, versionSum } from './row-sums.js';
import { type Database, loadSqlite, openDurable, sqliteCode, sqliteCodes, transaction } from './sqlite.js';
import { makePrivateFile } from './store-folder.js';
import { prepareTables, requireSchema } from './store-format.js';

/** Maximum pages of the write-ahead log, of 4 KB each, before they are moved into the file. */
export const CHECKPOINT_PAGES = 4_000;

/** Milliseconds that a write waits while another process holds the file, to prune it for example. */
const BUSY_MS = 5_000;
/** The part of it that SQLite waits. It pauses longer each time, up to 100 ms, and would miss the moments in which the file is free. */
const SHORT_MS = 3;

/** Name of the file with the runs of a shard. */
export const shardFileName = (shard: number): string => `s${shard}.db`;

export const shardFile = (folder: string, shard: number): string => path.join(folder, shardFileName(shard));

/** Name of the file whose lock reserves a shard for a process. */
export const shardLockName = (shard: number): string => `s${shard}.lock`;

/** Numbers of the existing shards. */
export function shardNumbers(folder: string): number[] {
  return readdirSync(folder)
    .map((name) => /^s(\d+)\.db$/.exec(name)?.[1])
    .filter((number) => number !== undefined)
    .map(Number)
    .sort((one, other) => one - other);
}

/** The lock of a shard; `undefined` if another process has it. */
export function lockShard(folder: string, shard: number): Database | undefined {
  const file = path.join(folder, shardLockName(shard));
  makePrivateFile(file);
  const { DatabaseSync } = loadSqlite();
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    // In rollback mode, an exclusive transaction locks the file as long as this connection exists.
    lock.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (sqliteCode(error) === sqliteCodes.busy) return undefined;
    throw error;
  }
}

/** Whether another process has a shard. */
export function isShardLocked(folder: string, shard: number): boolean {
  const lock = lockShard(folder, shard);
  lock?.close();
  return lock === undefined;
}

export class Shard {
  readonly number: number;
  readonly database: Database;
  readonly sums: RowSums;
  readonly #lock: Database;
  readonly #sealing: Sealing;
  readonly #statements = new Map<string, ReturnType<Database['prepare']>>();
  /** Ids of the runs being written, by number. Sealed text is bound to them. */
  readonly #ids = new Map<number, string>();

  /** The values by which each version of a workflow finds its runs. */
  readonly #findBy = new Map<number, VersionInfo['findBy']>();

  constructor(folder: string, number: number, lock: Database, sealing: Sealing) {
    this.number = number;
    this.#lock = lock;
    this.#sealing = sealing;
    const file = shardFile(folder, number);
    makePrivateFile(file);
    this.database = openDurable(file, BUSY_MS);
    this.sums = new RowSums(this.database, sealing);
    try {
      prepareTables(this.database, 'shard');
      requireSchema(this.database, 'shard');
      checkStructure(this.database, () => this.sums.areAllIntact());
      this.database.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA busy_timeout = ${SHORT_MS}`);
    } catch (error) {
      this.database.close();
      throw error;
    }
  }

  /** Distinguishes this ownership from earlier ones. */
  get epoch(): number {
    return Number(this.prepared("SELECT value FROM meta WHERE key = 'epoch'").get()?.value ?? 0);
  }

  /** The shard has a new owner. */
  begin(): void {
    const sql = "INSERT INTO meta(key, value) VALUES('epoch', 1) ON CONFLICT(key) DO UPDATE SET value = value + 1";
    this.change(() => this.run(sql));
  }

  close(): void {
    this.#statements.clear();
    this.database.close();
    // Only now may another process take the shard.
    this.#lock.close();
  }

  run(sql: string, ...values: readonly SqlValue[]): void {
    this.prepared(sql).run(...values);
  }

  prepared(sql: string): ReturnType<Database['prepare']> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Runs `work` as one transaction, as soon as no other process holds the file. */
  change<T>(work: () => T): T {
    return transaction(this.database, work, BUSY_MS);
  }

  /** Makes all writes durable, or none. */
  commit(writes: readonly StoreWrite[]): void {
    this.change(() => {
      for (const write of writes) this.#write(write);
    });
  }

  #write(write: StoreWrite): void {
    const sealed = (n: number, text: string | null) => this.#sealed(n, text);
    switch (write[0]) {
      case 'run':
        this.#insertRun(write);
        return;
      case 'entry': {
        const [, n, pos, branch, seq, part, kind, site, at, ms, text] = write;
        this.insertEntry({ n, pos, branch, seq, part, kind, site, at, ms, body: sealed(n, text) });
        return;
      }
      case 'state': {
        const [, n, state, due, text] = write;
        const waits = sealed(n, text);
        const sum = stateSum({ n, state, due, waits }, this.#sealing);
        this.run('UPDATE runs SET state = ?, due = ?, waits = ?, stands = ? WHERE n = ?', state, due, waits, sum, n);
        return;
      }
      case 'end': {
        const [, n, state, finished, text] = write;
        const outcome = sealed(n, text);
        const sum = stateSum({ n, state, finished, outcome }, this.#sealing);
        const sql = 'UPDATE runs SET state = ?, finished = ?, due = NULL, waits = NULL, outcome = ?, stands = ? WHERE n = ?';
        this.run(sql, state, finished, outcome, sum, n);
        this.#ids.delete(n);
        return;
      }
      case 'progress':
        this.run('UPDATE runs SET adoptions = 0 WHERE n = ?', write[1]);
        return;
      case 'extra':
        this.#writeExtra(write[1], write[2]);
        return;
      case 'version': {
        const [, v, workflow, hash, info] = write;
        const sum = versionSum({ v, workflow, hash, info }, this.#sealing);
        const sql = 'INSERT OR IGNORE INTO versions(v, workflow, hash, info, sum) VALUES(?, ?, ?, ?, ?)';
        this.run(sql, v, workflow, hash, info, sum);
        return;
      }
      case 'site': {
        const [, v, site, info] = write;
        const sum = siteSum({ v, site, info }, this.#sealing);
        this.run('INSERT OR IGNORE INTO sites(v, site, info, sum) VALUES(?, ?, ?, ?)', v, site, info, sum);
      }
    }
  }

  #sealed(n: number, text: string | null): SqlValue {
    return text === null ? null : this.#sealing.seal(text, this.#idOf(n));
  }

  #insertRun([, n, id, v, state, finished, requested, ended, more]: RunWrite): void {
    this.#ids.set(n, id);
    const extra = withFound(more, foundHashes(this.#findByOf(v), requested, this.#sealing));
    const [request, outcome] = [this.#sealed(n, requested), this.#sealed(n, ended)];
    const row = { n, id, v, state, finished, request, outcome, extra };
    this.run(
      `INSERT INTO runs(n, id, v, state, finished, request, outcome, extra, made, stands)
        VALUES(?, unhex(?), ?, ?, ?, ?, ?, ?, ?, ?)`,
      n,
      id,
      v,
      state,
      finished,
      request,
      outcome,
      extra,
      madeSum(row, this.#sealing),
      stateSum(row, this.#sealing),
    );
    if (hasEnded(state)) this.#ids.delete(n);
  }

  /** @param row the columns of an entry, its body sealed */
  insertEntry(
    row: Readonly<Record<'n' | 'pos' | 'branch' | 'seq' | 'part' | 'kind' | 'site' | 'at' | 'ms' | 'body', SqlValue>>,
  ): void {
    const { n, pos, branch, seq, part, kind, site, at, ms, body } = row;
    this.run(
      'INSERT INTO entries(n, pos, branch, seq, part, kind, site, at, ms, body, sum) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      n,
      pos,
      branch,
      seq,
      part,
      kind,
      site,
      at,
      ms,
      body,
      entrySum(row, this.#sealing),
    );
  }

  /** A damaged row stays as it is, or nobody would notice any more. */
  #writeExtra(n: number, extra: string): void {
    const row = this.prepared('SELECT *, lower(hex(id)) AS hex FROM runs WHERE n = ?').get(n);
    const id = String(row?.hex);
    if (row === undefined || !this.sums.isMadeIntact(row, id)) return;
    // Its process may not know the hashes.
    const { found } = readExtra(row.extra === null ? null : String(row.extra));
    const whole = withFound(extra, found);
    this.run('UPDATE runs SET extra = ?, made = ? WHERE n = ?', whole, madeSum({ ...row, id, extra: whole }, this.#sealing), n);
  }

  /** Changes the states of unfinished runs that execute. Damaged rows stay as they are. */
  changeStates(runs: readonly number[], state: StoredState): void {
    for (const n of runs) {
      const row = this.prepared('SELECT * FROM runs WHERE n = ?').get(n);
      if (row === undefined || !this.sums.isStateIntact(row)) continue;
      const changed = { ...row, state, due: null };
      this.run('UPDATE runs SET state = ?, due = NULL, stands = ? WHERE n = ?', state, stateSum(changed, this.#sealing), n);
    }
  }

  /** The versions and call sites that can be read. */
  described(): Pick<TakenShard, 'versions' | 'sites'> {
    const versions = this.prepared('SELECT * FROM versions').all();
    const sites = this.prepared('SELECT * FROM sites').all();
    return {
      versions: versions
        .filter((row) => this.sums.isVersionIntact(row))
        .map((row) => ({ v: Number(row.v), workflow: String(row.workflow), hash: String(row.hash), info: String(row.info) })),
      sites: sites
        .filter((row) => this.sums.isSiteIntact(row))
        .map((row) => [Number(row.v), Number(row.site), String(row.info)] as const),
    };
  }

  #findByOf(v: number): VersionInfo['findBy'] {
    if (!this.#findBy.has(v)) {
      const info = this.prepared('SELECT info FROM versions WHERE v = ?').get(v)?.info;
      this.#findBy.set(v, (JSON.parse(String(info ?? '{}')) as Partial<VersionInfo>).findBy); // written with the version
    }
    return this.#findBy.get(v);
  }

  #idOf(n: number): string {
    let id = this.#ids.get(n);
    if (id === undefined) {
      id = String(this.prepared('SELECT lower(hex(id)) AS id FROM runs WHERE n = ?').get(n)?.id ?? '');
      this.#ids.set(n, id);
    }
    return id;
  }

  /** The next numbers of runs and versions. */
  next(): { readonly n: number; readonly v: number } {
    const n = this.prepared('SELECT max(n) AS n FROM runs').get()?.n ?? 0;
    const v = this.prepared('SELECT max(v) AS v FROM versions').get()?.v ?? 0;
    return { n: Number(n) + 1, v: Number(v) + 1 };
  }

  hasUnfinished(): boolean {
    const { running, waiting, released } = storedStates;
    const sql = 'SELECT 1 FROM runs WHERE state IN (?, ?, ?) LIMIT 1';
    return this.prepared(sql).get(running, waiting, released) !== undefined;
  }
}

/** A shard that this process has taken. */
export interface TakenShard {
  readonly shard: number;
  /** This ownership of the shard, as keys name their owner. */
  readonly owner: string;
  readonly nextRun: number;
  readonly nextVersion: number;
  readonly versions: readonly StoredVersion[];
  readonly sites: readonly (readonly [v: number, site: number, info: string])[];
}

interface StoredVersion {
  readonly v: number;
  readonly workflow: string;
  readonly hash: string;
  readonly info: string;
}

/** Begins this process's ownership of a shard. */
export function beginShard(shard: Shard): TakenShard {
  shard.begin();
  const { n, v } = shard.next();
  return {
    shard: shard.number,
    owner: shardOwner.textOf(shard.number, shard.epoch),
    nextRun: n,
    nextVersion: v,
    ...shard.described(),
  };
}
