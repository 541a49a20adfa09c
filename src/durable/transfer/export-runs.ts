// Exports the finished runs of a store.

import type { ExportedRun } from '../durable-engine.js';
import { DamagedRun } from '../model/file-troubles.js';
import { idAt, toRunId } from '../model/run-ids.js';
import { hasEnded, type StoredState, storedStates } from '../model/run-rows.js';
import type { StoreAccess } from '../store/port.js';
import type { RunLookup } from '../views/run-lookup.js';

const EXPORT_PAGE = 100;

const finished: readonly StoredState[] = Object.values(storedStates).filter((state) => hasEnded(state));

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
  try {
    for (let next: number | undefined = 0; next !== undefined; ) {
      const part = await lookup.journal(id, { from: next });
      entries.push(...(part?.entries ?? []));
      next = part?.next;
    }
  } catch (error) {
    if (!(error instanceof DamagedRun)) throw error;
    yield { ...detail, message: error.message, journal: [] };
    return;
  }
  yield { ...detail, journal: entries };
  for (const called of entries)
    if (called.run !== undefined && called.finishedAt === undefined && called.workflow === undefined)
      yield* exportedRun(lookup, called.run);
}
