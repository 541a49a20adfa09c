// Opens the files of other processes' shards, to find unfinished runs and to delete finished ones. Needs no lock: locks decide who executes
// runs, not who may read or delete them.
import { storedStates } from '../../model/run-rows.js';
import { shardFile } from './shard.js';
import { type Database, loadSqlite } from './sqlite.js';
import type { UnreadableShards } from './unreadable-shards.js';

/** Maximum milliseconds that a file may be held by its own process. */
export const BUSY_MS = 50;

export class OtherShards {
  readonly #folder: string;
  readonly #own: (shard: number) => Database | undefined;
  readonly #unreadable: UnreadableShards;
  readonly #open = new Map<number, Database>();

  /** @param own the file of a shard that this process already has open: a second connection would only wait for the first */
  constructor(folder: string, own: (shard: number) => Database | undefined, unreadable: UnreadableShards) {
    this.#folder = folder;
    this.#own = own;
    this.#unreadable = unreadable;
  }

  holdsUnfinished(shard: number): boolean {
    const { running, waiting, released } = storedStates;
    const sql = 'SELECT 1 FROM runs WHERE state IN (?, ?, ?) LIMIT 1';
    return this.ask(shard, (file) => file.prepare(sql).get(running, waiting, released)) !== undefined;
  }

  epochOf(shard: number): number {
    const row = this.ask(shard, (file) => file.prepare("SELECT value FROM meta WHERE key = 'epoch'").get());
    return Number(row?.value ?? 0);
  }

  /** `undefined` for a file that is busy or damaged, or was created just now. */
  ask<T>(shard: number, question: (file: Database) => T): T | undefined {
    try {
      return this.#unreadable.tolerate(shard, () => question(this.#own(shard) ?? this.#file(shard)));
    } catch {
      return undefined;
    }
  }

  close(): void {
    for (const file of this.#open.values()) file.close();
    this.#open.clear();
  }

  #file(shard: number): Database {
    let file = this.#open.get(shard);
    if (file === undefined) {
      const { DatabaseSync } = loadSqlite();
      file = new DatabaseSync(shardFile(this.#folder, shard), { timeout: BUSY_MS });
      this.#open.set(shard, file);
    }
    return file;
  }
}
