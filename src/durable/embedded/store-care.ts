// Maintains a store: deletes old runs and exports finished ones.
import type { ExportedRun } from '../durable-engine.js';
import { toRunId } from '../run-ids.js';
import { firstFinished, type StoredState, storedStates } from '../store/slot-writes.js';
import { contentsOf, type VersionInfo } from '../stored-version.js';
import type { EmbeddedStore } from './embedded-store.js';
import { idAt, type RunLookup } from './run-lookup.js';
import type { StoreAccess } from './store-access.js';

const EXPORT_PAGE = 100;

/** Milliseconds that a process gets to write to its own file between two slices; it checks every 2 whether the file is free. */
const GAP_MS = 4;
/** Consecutive checks of a busy file before the rest is postponed. */
const MOST_BUSY = 100;

const finished: readonly StoredState[] = Object.values(storedStates).filter((state) => state >= firstFinished);

export async function pruneStore(store: EmbeddedStore, olderThanMs: number, dryRun: boolean): Promise<{ readonly runs: number }> {
  const { writer, shared, reader } = store.client;
  await store.queue.settled();
  const now = Date.now();
  const before = now - olderThanMs;
  if (dryRun) return { runs: await writer.countOldRuns(before, now) };
  let runs = 0;
  let busy = 0;
  for (let isOver = false; !isOver && busy < MOST_BUSY; ) {
    const slice = await writer.pruneSlice(before, now);
    runs += slice.deleted;
    isOver = slice.isOver;
    busy = slice.deleted > 0 ? 0 : busy + 1;
    if (slice.isForeign && !isOver) await new Promise((resolve) => setTimeout(resolve, GAP_MS));
  }
  const versions = (await reader.allVersions()).map((info) => JSON.parse(info) as VersionInfo); // written with the version
  await shared.prune(before, now, versions.flatMap(contentsOf));
  return { runs };
}

/** Finished runs, oldest first. */
export async function* exportRuns(store: StoreAccess, lookup: RunLookup, since: string | undefined): AsyncIterable<ExportedRun> {
  await store.queue.settled();
  let after = since === undefined ? undefined : idAt(since);
  for (;;) {
    const found = await store.client.reader.list({ states: finished, after, ascending: true, limit: EXPORT_PAGE });
    for (const { row } of found) yield* exportedRun(lookup, toRunId(row.id));
    const last = found.at(-1);
    if (last === undefined) return;
    after = last.row.id;
  }
}

/** A run, then the workflows that it has called, oldest first, each followed by those that it has called itself. */
async function* exportedRun(lookup: RunLookup, id: string): AsyncIterable<ExportedRun> {
  const detail = await lookup.get(id);
  // It may have been pruned meanwhile.
  if (detail === undefined) return;
  const entries = [];
  for (let next: number | undefined = 0; next !== undefined; ) {
    const part = await lookup.journal(id, { from: next });
    entries.push(...(part?.entries ?? []));
    next = part?.next;
  }
  yield { ...detail, journal: entries };
  for (const called of entries)
    if (called.run !== undefined && called.finishedAt === undefined && called.workflow === undefined)
      yield* exportedRun(lookup, called.run);
}
