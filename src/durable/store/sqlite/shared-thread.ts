// The operations of a store's thread on the shared file. The main thread calls these methods by name.
import type { InboxKind, InboxRow } from '../../model/messages.js';
import { SharedTables, type TableColumns } from '../shared/shared-tables.js';
import { sql } from '../shared/sql.js';
import { type SharedFile, sqliteSql } from './shared-file.js';
import { type KnownRuns, type PruningTimes, pruneShared } from './shared-pruning.js';

/** The owner of a key is a shard, in one of its ownerships. */
export const folderColumns: TableColumns = {
  owner: {
    names: sql`slot, epoch`,
    text: sql`(slot || ' ' || epoch)`,
    of(owner) {
      const [shard = 0, epoch = 0] = owner.split(' ').map(Number);
      return sql`${shard}, ${epoch}`;
    },
    recorded: sql`epoch = -1`,
    isRecorded: (owner) => owner.endsWith(' -1'),
  },
  metaValue: (text) => text,
};

export class SharedThread extends SharedTables {
  readonly #shared: SharedFile;
  readonly #runs: KnownRuns;

  constructor(shared: SharedFile, runs: KnownRuns) {
    super(sqliteSql(shared, runs.isUnfinished), folderColumns);
    this.#shared = shared;
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

  inboxAfter(id: number): InboxRow[] {
    return inboxAfter(this.#shared, id);
  }

  async prune(times: PruningTimes, inUse: readonly string[]): Promise<void> {
    await pruneShared(this.#shared, times, inUse, { ...this.#runs, endShared: (run) => this.endShared(run) });
    await this.pruneOnce(times.now, this.#runs.hasRun);
  }
}

/** Rows that arrived after this one. Their content is read when it is used. */
function inboxAfter(shared: SharedFile, id: number): InboxRow[] {
  return shared
    .all('SELECT id, lower(hex(run)) AS run, kind, place, at FROM inbox WHERE id > ? ORDER BY id LIMIT 1000', id)
    .map((row) => ({
      id: Number(row.id),
      run: String(row.run),
      kind: row.kind as InboxKind, // only these are written
      place: row.place === null ? null : String(row.place),
      at: Number(row.at),
    }));
}
