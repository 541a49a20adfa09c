// Deletes old runs of a folder in a separate thread: while the disk finishes deletions, the thread of the store can commit runs.
import { contentsOf, type VersionInfo } from '../model/versions.js';
import type { SqliteStore } from '../store/sqlite/sqlite-store.js';
import { type StoreClient, startStoreClient } from '../store/sqlite/store-client.js';
import type { StoreThreadData } from '../store/sqlite/store-worker.js';
import { pruneRegularly } from './engine-queries.js';

/** Minimum milliseconds in which runs can be committed, between two slices; a commit checks every 2 whether the file is free. */
const GAP_MS = 4;
/** The pause after a slice, compared with the slice: on a slow disk, runs need more time, too. */
const PAUSE_RATIO = 0.5;
/** Slices after which the write-ahead log is moved into the file. The disk must flush twice for it, and once more when the log is overwritten. */
const SLICES_PER_MOVE = 4;
/** Consecutive checks of a busy file before the rest is postponed. */
const MOST_BUSY = 100;

export class StorePruning {
  readonly #store: SqliteStore;
  readonly #thread: StoreThreadData;
  readonly #clients = new Set<StoreClient>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  constructor(store: SqliteStore, thread: StoreThreadData) {
    this.#store = store;
    this.#thread = thread;
  }

  /** Prunes now and then. @param keepMs how long to keep runs of workflows that do not say so; forever by default */
  start(keepMs: number | undefined): void {
    this.#timer ??= pruneRegularly(keepMs, (olderThanMs) => this.prune(olderThanMs, false));
  }

  async prune(olderThanMs: number | undefined, dryRun: boolean): Promise<{ readonly runs: number }> {
    const { writer, shared, reader } = this.#store.client;
    await this.#store.queue.settled();
    const now = Date.now();
    const before = olderThanMs === undefined ? 0 : now - olderThanMs;
    if (dryRun) return { runs: await writer.countOldRuns(before, now) };
    const runs = (await writer.hasOldRuns(before, now)) ? await this.#deleteRuns(before, now) : 0;
    // In a file that can't be read, there may be others.
    if (this.#store.unreadable.size > 0) return { runs };
    const versions = (await reader.allVersions()).map((info) => JSON.parse(info) as VersionInfo); // written with the version
    const shortest = await writer.shortestTime();
    await shared.prune(
      { before, now, gone: Math.max(before, shortest === undefined ? 0 : now - shortest) },
      versions.flatMap(contentsOf),
    );
    return { runs };
  }

  /** Ends what is in progress. The rest is deleted the next time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await Promise.all([...this.#clients].map((client) => client.close()));
  }

  async #deleteRuns(before: number, now: number): Promise<number> {
    const client = await startStoreClient(this.#thread, () => undefined);
    this.#clients.add(client);
    try {
      return this.#isClosed ? 0 : await deleteRuns(client.pruner, before, now);
    } finally {
      this.#clients.delete(client);
      await client.close();
    }
  }
}

async function deleteRuns(pruner: StoreClient['pruner'], before: number, now: number): Promise<number> {
  let runs = 0;
  let busy = 0;
  let slices = 0;
  for (let isOver = false; !isOver && busy < MOST_BUSY; ) {
    const slice = await gently(() => pruner.pruneSlice(before, now));
    isOver = slice.isOver;
    runs += slice.deleted;
    busy = slice.deleted > 0 ? 0 : busy + 1;
    const { shard } = slice;
    if (shard !== undefined && ++slices % SLICES_PER_MOVE === 0) await gently(() => pruner.moveLog(shard));
  }
  return runs;
}

/** Afterwards, leaves the file and the disk to others for a while. */
async function gently<T>(work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  const result = await work();
  const pause = Math.max(GAP_MS, PAUSE_RATIO * (performance.now() - started));
  await new Promise((resolve) => setTimeout(resolve, pause));
  return result;
}
