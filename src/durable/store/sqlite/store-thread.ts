// The operations of the writing thread on the shards of its process, called by name. What a method writes is on disk when it resolves.
import { type GivenUp, usedElsewhere } from '../../model/file-troubles.js';
import type { RunRow, StoredState, StoreWrite } from '../../model/run-rows.js';
import type { StoreCopy } from '../../model/run-views.js';
import type { EntryPart } from '../port.js';
import type { Sealing } from '../shared/sealing.js';
import { type SqlValue, shardOwner } from '../shared/sql.js';
import { backUp } from './backup.js';
import { giveUpFile } from './given-up-files.js';
import { OtherShards } from './other-shards.js';
import { rekeyFiles } from './rekeying.js';
import { madeSum, stateSum } from './row-sums.js';
import { beginShard, isShardLocked, lockShard, Shard, shardFile, type TakenShard } from './shard.js';
import { countOldRuns, hasOldRuns, shortestTime } from './shard-pruning.js';
import {
  type Adopted,
  adoptRunning,
  dueRuns,
  earliestDue,
  type OwnRun,
  readEntries,
  releaseRunning,
  runColumns,
  toRunRow,
  type WokenRun,
} from './shard-runs.js';
import type { SharedFile } from './shared-file.js';
import { type Database, openDurable, sqliteCode, sqliteCodes, transaction } from './sqlite.js';
import type { UnreadableShards } from './unreadable-shards.js';

/** The shards of dead processes that were taken. */
export interface Abandoned {
  readonly taken: readonly TakenShard[];
  /** SQLite's code of the last failure that kept a shard from being taken. */
  readonly fault?: number;
}

export class StoreThread {
  readonly #folder: string;
  readonly #shared: SharedFile;
  readonly #shards = new Map<number, Shard>();
  readonly #unreadable: UnreadableShards;
  readonly #others: OtherShards;

  constructor(folder: string, shared: SharedFile, unreadable: UnreadableShards) {
    this.#folder = folder;
    this.#shared = shared;
    this.#unreadable = unreadable;
    this.#others = new OtherShards(folder, (number) => this.#shards.get(number)?.database, unreadable);
  }

  get sealing(): Sealing {
    return this.#shared.sealing;
  }

  /** Takes the first sound shard that no living process has and, with `empty`, that contains no unfinished run either. */
  async takeShard(empty: boolean): Promise<TakenShard> {
    for (let number = 0; ; number++) {
      if (this.#shards.has(number)) continue;
      const taken = this.#unreadable.tolerate(number, () => this.#take(number, (shard) => !empty || !shard.hasUnfinished()));
      if (taken !== undefined) return this.#listed(taken);
    }
  }

  /** Takes this shard; `undefined` if a living process has it. @throws UsageError if it is damaged */
  async takeThis(number: number): Promise<TakenShard | undefined> {
    const taken = this.#unreadable.insist(number, () => this.#take(number, () => true));
    return taken === undefined ? undefined : this.#listed(taken);
  }

  /** Takes the shards of dead processes that contain unfinished runs. */
  async takeAbandoned(): Promise<Abandoned> {
    const taken: TakenShard[] = [];
    let fault: number | undefined;
    for (const number of this.#numbers()) {
      try {
        if (this.#shards.has(number)) {
          this.#unreadable.tolerate(number, () => undefined); // its file may be missing by now
          continue;
        }
        // Its process may have an earlier version of wf, which does not list it.
        const isUnlisted = !this.#unreadable.shards.isListed(number);
        if (isUnlisted && this.#others.epochOf(number) > 0) await this.#unreadable.shards.add(number);
        if (this.#shards.has(number) || !this.#others.holdsUnfinished(number)) continue;
        const found = this.#unreadable.tolerate(number, () => this.#take(number, (shard) => shard.hasUnfinished()));
        if (found !== undefined) taken.push(await this.#listed(found));
      } catch (error) {
        // Keep what else was taken.
        fault = sqliteCode(error);
      }
    }
    return { taken, ...(fault === undefined ? {} : { fault }) };
  }

  adoptRunning(shard: number, at: number, only?: number): Adopted {
    return adoptRunning(this.#shard(shard), at, only);
  }

  dueRuns(shard: number, at: number, limit: number): readonly WokenRun[] {
    return dueRuns(this.#shard(shard), at, limit);
  }

  earliestDue(shard: number): number | undefined {
    return earliestDue(this.#shard(shard));
  }

  commit(shard: number, writes: readonly StoreWrite[]): void {
    this.#shard(shard).commit(writes);
  }

  /** A run of one of this process's shards. */
  loadRun(shard: number, n: number): RunRow | undefined {
    const own = this.#shard(shard);
    const row = own.prepared(`SELECT ${runColumns} FROM runs WHERE n = ?`).get(n);
    return row === undefined ? undefined : toRunRow(row, shard, own.sums);
  }

  /** The journal of a run from a position on. */
  loadEntries(shard: number, n: number, id: string, from: number): EntryPart {
    const { database, sums } = this.#shard(shard);
    return readEntries(database, sums, { n, id }, from);
  }

  /** Releases a shard. With `released`, what still runs in it does not count as interrupted. */
  releaseShard(number: number, released: boolean): void {
    const shard = this.#shard(number);
    if (released) releaseRunning(shard);
    this.#close(shard);
  }

  /** The runs with these ids that are in a shard of this process, with their states. */
  ownRuns(ids: readonly string[]): OwnRun[] {
    const found: OwnRun[] = [];
    for (const shard of this.#shards.values()) {
      for (const id of ids) {
        const row = shard.prepared('SELECT n, state, due FROM runs WHERE id = unhex(?)').get(id);
        if (row === undefined) continue;
        const due = row.due === null ? null : Number(row.due);
        found.push({ id, shard: shard.number, n: Number(row.n), state: row.state as StoredState, due }); // only these are written
      }
    }
    return found;
  }

  countOldRuns(before: number, now: number): number {
    let count = 0;
    for (const number of this.#numbers()) count += this.#others.ask(number, (file) => countOldRuns(file, { before, now })) ?? 0;
    return count;
  }

  /** Whether there may be any. */
  hasOldRuns(before: number, now: number): boolean {
    // Asks all of them, to find those that can't be read.
    const answers = this.#numbers().map((number) => this.#others.ask(number, (file) => hasOldRuns(file, { before, now })));
    return answers.some((has) => has !== false);
  }

  /** See `eraseRow`. Needs no lock of the shard: a finished run belongs to no process. */
  eraseRun(run: PlacedRun, extra: string): void {
    const request = this.sealing.seal('{}', run.id);
    this.#unreadable.insist(run.shard, () =>
      this.#withFile(run.shard, (file) => eraseRow(file, run, request, extra, this.sealing)),
    );
  }

  /** Rewrites the files from which something was erased, and the shared one. */
  scrub(shards: readonly number[]): void {
    for (const shard of shards) this.#unreadable.tolerate(shard, () => this.#withFile(shard, scrubFile));
    scrubFile(this.#shared.database);
  }

  /** Opens the file of a shard for a change, unless it is this process's own. */
  #withFile(shard: number, work: (file: Database) => void): void {
    const own = this.#shards.get(shard)?.database;
    const file = own ?? openDurable(shardFile(this.#folder, shard), PATIENCE_MS);
    try {
      work(file);
    } finally {
      if (own === undefined) file.close();
    }
  }

  /** See `backUp`. */
  backUp(target: string): Promise<StoreCopy> {
    return backUp(this.#folder, target, this.#unreadable);
  }

  /** The shortest time for which a workflow says that its runs are kept, in milliseconds. */
  shortestTime(): number | undefined {
    const times = this.#numbers().map((number) => this.#others.ask(number, shortestTime));
    return times.filter((ms) => ms !== undefined).sort((one, other) => one - other)[0];
  }

  /**
   * Encrypts the store with another key, or with none.
   * @throws UsageError if another process uses the store, or part of it is damaged
   */
  async rekey(key: Uint8Array | undefined): Promise<void> {
    const taken: Shard[] = [];
    try {
      for (const number of this.#numbers()) {
        const shard = this.#shards.has(number) ? undefined : this.#unreadable.insist(number, () => this.#lock(number));
        if (shard === undefined) throw usedElsewhere();
        taken.push(shard);
      }
      await rekeyFiles(this.#shared, taken, key, () => this.#numbers().length === taken.length);
    } finally {
      for (const shard of taken) this.#close(shard);
    }
  }

  /** See `giveUpFile`. @throws UsageError also if another process uses the store */
  async giveUp(file: string): Promise<GivenUp> {
    if (this.isUsedElsewhere()) throw usedElsewhere();
    return giveUpFile(this.#shared, this.#unreadable, file);
  }

  /** Whether another process has a shard of this store. */
  isUsedElsewhere(): boolean {
    return this.#numbers().some((number) => !this.#shards.has(number) && isShardLocked(this.#folder, number));
  }

  /** Whether this ownership of a shard is over. */
  isGone(owner: string): boolean {
    const [number, epoch] = shardOwner.read(owner);
    const own = this.#shards.get(number);
    if (own !== undefined) return own.epoch !== epoch;
    return !isShardLocked(this.#folder, number) || this.#others.epochOf(number) !== epoch;
  }

  close(): void {
    for (const shard of this.#shards.values()) shard.close();
    this.#shards.clear();
    this.#others.close();
  }

  #shard(number: number): Shard {
    const shard = this.#shards.get(number);
    if (shard === undefined) throw new Error(`Shard ${number} is not this process's own`);
    return shard;
  }

  #lock(number: number): Shard | undefined {
    const lock = lockShard(this.#folder, number);
    if (lock === undefined) return undefined;
    try {
      const shard = new Shard(this.#folder, number, lock, this.sealing);
      this.#shards.set(number, shard);
      return shard;
    } catch (error) {
      lock.close();
      throw error;
    }
  }

  #close(shard: Shard): void {
    this.#shards.delete(shard.number);
    shard.close();
  }

  /** Takes a shard that no living process uses. One that the main thread never learns of must not stay locked. */
  #take(number: number, isWanted: (shard: Shard) => boolean): TakenShard | undefined {
    let shard: Shard | undefined;
    let taken: TakenShard | undefined;
    try {
      shard = this.#lock(number);
      // A change of the key looks for shards after it has announced itself, so one of the two notices the other.
      this.#shared.requireKey();
      if (shard !== undefined && isWanted(shard)) taken = beginShard(shard);
    } catch (error) {
      if (sqliteCode(error) !== sqliteCodes.busy) throw error;
    } finally {
      if (taken === undefined && shard !== undefined) this.#close(shard);
    }
    return taken;
  }

  /** A shard is listed before it has runs, or nobody would miss its file. */
  async #listed(taken: TakenShard): Promise<TakenShard> {
    try {
      await this.#unreadable.shards.add(taken.shard);
      return taken;
    } catch (error) {
      const shard = this.#shards.get(taken.shard);
      if (shard !== undefined) this.#close(shard);
      throw error;
    }
  }

  #numbers(): number[] {
    return this.#unreadable.shards.numbers();
  }
}

type PlacedRun = Pick<RunRow, 'id' | 'shard' | 'n'>;

/** Milliseconds that erasing waits while another process holds the file. */
const PATIENCE_MS = 5_000;

/** Bytes of the largest file that is rewritten, which takes less than a second. Of larger ones, only deleted rows are overwritten. */
const LARGEST_REWRITTEN = 128 * 1024 * 1024;

/** Deleted rows are overwritten with zeros. */
const OVERWRITES = 'PRAGMA secure_delete = ON';

/**
 * Deletes request, results, log and outcome of a finished run from the file of its shard. Nothing of it can be read in the file either:
 * SQLite would leave deleted text where it was until something else needs the space.
 * @param request what its request is from now on, sealed
 * @param extra what remains of its other properties
 */
function eraseRow(database: Database, { n, id }: PlacedRun, request: SqlValue, extra: string, sealing: Sealing): void {
  database.exec(OVERWRITES);
  transaction(
    database,
    () => {
      database.prepare('DELETE FROM entries WHERE n = ?').run(n);
      database
        .prepare('UPDATE runs SET request = ?, outcome = NULL, waits = NULL, due = NULL, extra = ? WHERE n = ? AND id = unhex(?)')
        .run(request, extra, n, id);
      const row = database.prepare('SELECT * FROM runs WHERE n = ?').get(n);
      // A process with an earlier version of wf has its shard.
      if (row?.made === undefined) return;
      database
        .prepare('UPDATE runs SET made = ?, stands = ? WHERE n = ?')
        .run(madeSum({ ...row, id }, sealing), stateSum(row, sealing), n);
    },
    PATIENCE_MS,
  );
}

/** Removes what earlier changes of erased rows have left in the free space of the file and in its log. */
function scrubFile(database: Database): void {
  database.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
  const number = (name: string): number => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  if (number('page_count') * number('page_size') <= LARGEST_REWRITTEN) database.exec('VACUUM');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
