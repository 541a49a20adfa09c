// The operations of a store's thread on the shared file. The main thread calls these methods by name.

import type { InboxKind, InboxRow } from '../../model/messages.js';
import type { ClaimedKey, ClaimedOnce, KeyClaim, OnceValue } from '../../model/request-keys.js';
import { OnceValues } from '../shared/once-values.js';
import { SharedTables } from '../shared/shared-tables.js';
import { sql as sqlText } from '../shared/sql.js';
import { StoredTimetables } from '../shared/timetables.js';
import type { SharedFile } from './shared-file.js';
import { addToInbox, claimKey, inboxAfter, removeFromInbox, storeContents } from './shared-keys.js';
import { type KnownRuns, type PruningTimes, pruneShared } from './shared-pruning.js';
import { sqliteSql } from './shared-sql.js';

export class SharedThread extends SharedTables {
  readonly #shared: SharedFile;
  readonly #runs: KnownRuns;
  readonly #timetables: StoredTimetables;
  readonly #once: OnceValues;

  constructor(shared: SharedFile, runs: KnownRuns) {
    const sql = sqliteSql(shared, runs.isUnfinished);
    super(sql);
    this.#shared = shared;
    this.#timetables = new StoredTimetables(sql, (text) => text);
    this.#once = new OnceValues(sql, {
      names: sqlText`slot, epoch`,
      text: sqlText`(slot || ' ' || epoch)`,
      recorded: sqlText`epoch = -1`,
      isRecorded: (owner) => owner.endsWith(' -1'),
    });
    this.#runs = runs;
  }

  isEncrypted(): boolean {
    return this.#shared.sealing.isEncrypted;
  }

  /** A sign of life. */
  ping(): void {}

  /** Short hashes that tell texts apart and, without the store's own secret, say nothing about them. */
  shortHashes(texts: readonly string[]): string[] {
    return texts.map((text) => this.#shared.sealing.hash(text).toString('hex', 0, 4));
  }

  /** Writes something small to find out whether the store can be written. */
  probe(at: number): Promise<void> {
    return this.#shared.change(() => {
      this.#shared.run(
        "INSERT INTO meta(key, value) VALUES('probed', ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value",
        at,
      );
    });
  }

  claimKey(claim: KeyClaim, instead?: string): Promise<ClaimedKey> {
    return claimKey(this.#shared, claim, instead);
  }

  /** The owner in the answer: number and epoch of a shard. */
  claimOnce(value: OnceValue, run: string, shard: number, epoch: number, instead?: string): Promise<ClaimedOnce> {
    return this.#once.claim(value, run, sqlText`${shard}, ${epoch}`, instead);
  }

  confirmOnce(value: OnceValue, run: string): Promise<void> {
    return this.#once.confirm(value, run);
  }

  releaseOnce(value: OnceValue, run: string): Promise<void> {
    return this.#once.release(value, run);
  }

  storeContents(contents: readonly (readonly [hash: string, data: string])[], at: number): Promise<void> {
    return storeContents(this.#shared, contents, at);
  }

  inboxAfter(id: number): InboxRow[] {
    return inboxAfter(this.#shared, id);
  }

  addToInbox(run: string, kind: InboxKind, at: number): Promise<void> {
    return addToInbox(this.#shared, run, kind, at);
  }

  removeFromInbox(ids: readonly number[]): Promise<void> {
    return removeFromInbox(this.#shared, ids);
  }

  async prune(times: PruningTimes, inUse: readonly string[]): Promise<void> {
    await pruneShared(this.#shared, times, inUse, { ...this.#runs, endShared: (run) => this.endShared(run) });
    await this.#once.prune(times.now, this.#runs.hasRun);
  }

  timetableSeen(workflow: string, plan: string): Promise<number | undefined> {
    return this.#timetables.seen(workflow, plan);
  }

  timetableDone(workflow: string, plan: string, until: number): Promise<void> {
    return this.#timetables.done(workflow, plan, until);
  }
}
