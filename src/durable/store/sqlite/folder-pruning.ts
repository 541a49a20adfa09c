// Deletes old runs of a folder in a thread of its own: while the disk finishes deletions, the thread of the store can commit runs.
import { contentsOf, type VersionInfo } from '../../model/versions.js';
import type { OldRuns, RunDeletion } from '../port.js';
import type { SqliteStore } from './sqlite-store.js';
import { type StoreClient, startStoreClient } from './store-client.js';
import type { StoreThreadData } from './store-worker.js';

/** Slices after which the write-ahead log is moved into the file. The disk must flush twice for it, and once more when the log is overwritten. */
const SLICES_PER_MOVE = 4;

export class FolderPruning implements OldRuns {
  readonly #store: Pick<SqliteStore, 'client' | 'unreadable'>;
  readonly #thread: StoreThreadData;

  constructor(store: Pick<SqliteStore, 'client' | 'unreadable'>, thread: StoreThreadData) {
    this.#store = store;
    this.#thread = thread;
  }

  count(before: number, now: number): Promise<number> {
    return this.#store.client.writer.countOldRuns(before, now);
  }

  async begin(before: number, now: number): Promise<RunDeletion | undefined> {
    if (!(await this.#store.client.writer.hasOldRuns(before, now))) return undefined;
    const client = await startStoreClient(this.#thread, () => undefined);
    return new FolderDeletion(client, before, now);
  }

  async deleteRest(before: number, now: number): Promise<void> {
    // In a file that can't be read, there may be others.
    if (this.#store.unreadable.size > 0) return;
    const { reader, shared } = this.#store.client;
    const versions = (await reader.allVersions()).map((info) => JSON.parse(info) as VersionInfo); // written with the version
    const shortest = await this.#store.client.writer.shortestTime();
    const gone = Math.max(before, shortest === undefined ? 0 : now - shortest);
    await shared.prune({ before, now, gone }, versions.flatMap(contentsOf));
  }
}

class FolderDeletion implements RunDeletion {
  readonly #client: StoreClient;
  readonly #before: number;
  readonly #now: number;
  #slices = 0;
  /** The shard whose log is to be moved next. */
  #toMove: number | undefined;

  constructor(client: StoreClient, before: number, now: number) {
    this.#client = client;
    this.#before = before;
    this.#now = now;
  }

  async slice(): Promise<{ readonly deleted: number; readonly isOver: boolean }> {
    const { pruner } = this.#client;
    if (this.#toMove !== undefined) {
      await pruner.moveLog(this.#toMove);
      this.#toMove = undefined;
      return { deleted: 0, isOver: false };
    }
    const { shard, deleted, isOver } = await pruner.pruneSlice(this.#before, this.#now);
    if (shard !== undefined && ++this.#slices % SLICES_PER_MOVE === 0) this.#toMove = shard;
    return { deleted, isOver };
  }

  end(): Promise<void> {
    return this.#client.close();
  }
}
