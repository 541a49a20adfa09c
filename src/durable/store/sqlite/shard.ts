// One shard of a store, in the thread that writes it: the file with the runs of one process, and the lock that reserves it for this
// process. The kernel frees the lock when the process dies, in whatever way; nothing else does.

import { readdirSync } from 'node:fs';
import path from 'node:path';
import { hasEnded, type StoreWrite, storedStates } from '../../model/run-rows.js';
import type { VersionInfo } from '../../model/versions.js';
import { foundHashes, withFound } from '../shared/found-values.js';
import type { Sealing } from '../shared/sealing.js';
import type { SqlValue } from '../shared/sql.js';
import { type Database, loadSqlite, openDurable, sqliteCode, sqliteCodes, transaction } from './sqlite.js';
import { makePrivateFile } from './store-folder.js';
import { prepareTables } from './store-format.js';

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
    try {
      prepareTables(this.database, 'shard');
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
    const sealed = (n: number, text: string | null): SqlValue => (text === null ? null : this.#sealing.seal(text, this.#idOf(n)));
    switch (write[0]) {
      case 'run': {
        const [, n, id, v, state, finished, request, outcome, extra] = write;
        this.#ids.set(n, id);
        const found = foundHashes(this.#findByOf(v), request, this.#sealing);
        this.run(
          'INSERT INTO runs(n, id, v, state, finished, request, outcome, extra) VALUES(?, unhex(?), ?, ?, ?, ?, ?, ?)',
          ...[n, id, v, state, finished, sealed(n, request), sealed(n, outcome), withFound(extra, found)],
        );
        if (hasEnded(state)) this.#ids.delete(n);
        return;
      }
      case 'entry': {
        const [, n, pos, branch, seq, part, kind, site, at, ms, body] = write;
        this.run(
          'INSERT INTO entries(n, pos, branch, seq, part, kind, site, at, ms, body) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
          ...[n, pos, branch, seq, part, kind, site, at, ms, sealed(n, body)],
        );
        return;
      }
      case 'state': {
        const [, n, state, due, waits] = write;
        this.run('UPDATE runs SET state = ?, due = ?, waits = ? WHERE n = ?', state, due, sealed(n, waits), n);
        return;
      }
      case 'end': {
        const [, n, state, finished, outcome] = write;
        this.run(
          'UPDATE runs SET state = ?, finished = ?, due = NULL, waits = NULL, outcome = ? WHERE n = ?',
          ...[state, finished, sealed(n, outcome), n],
        );
        this.#ids.delete(n);
        return;
      }
      case 'progress':
        this.run('UPDATE runs SET adoptions = 0 WHERE n = ?', write[1]);
        return;
      case 'extra':
        // Its process may not know the hashes.
        this.run(
          `UPDATE runs SET extra = CASE WHEN json_extract(extra, '$.found') IS NULL THEN ?1
            ELSE json_set(?1, '$.found', json_extract(extra, '$.found')) END WHERE n = ?2`,
          ...[write[2], write[1]],
        );
        return;
      case 'version':
        this.run('INSERT OR IGNORE INTO versions(v, workflow, hash, info) VALUES(?, ?, ?, ?)', ...write.slice(1));
        return;
      case 'site':
        this.run('INSERT OR IGNORE INTO sites(v, site, info) VALUES(?, ?, ?)', ...write.slice(1));
    }
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
  /** Distinguishes this ownership from earlier ones. */
  readonly epoch: number;
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
  const text = (value: SqlValue | undefined): string => String(value ?? '');
  return {
    shard: shard.number,
    epoch: shard.epoch,
    nextRun: n,
    nextVersion: v,
    versions: shard
      .prepared('SELECT v, workflow, hash, info FROM versions')
      .all()
      .map((row) => ({ v: Number(row.v), workflow: text(row.workflow), hash: text(row.hash), info: text(row.info) })),
    sites: shard
      .prepared('SELECT v, site, info FROM sites')
      .all()
      .map((row) => [Number(row.v), Number(row.site), text(row.info)] as const),
  };
}
