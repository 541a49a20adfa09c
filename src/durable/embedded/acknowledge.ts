// Records that a caller was told that a run is accepted. The next request with its key gets the same answer.
import { toRunHex } from '../run-ids.js';
import type { EmbeddedStore } from './embedded-store.js';
import type { LiveRuns } from './live-runs.js';
import { readExtra } from './stored-run.js';

/** Gives up waiting when the store can't be written: it is recorded later. */
export const acknowledge = async (store: EmbeddedStore, runs: LiveRuns, id: string): Promise<void> =>
  store.whileUsable(recorded(store, runs, id));

async function recorded(store: EmbeddedStore, runs: LiveRuns, id: string): Promise<void> {
  const hex = toRunHex(id) ?? '';
  const live = runs.get(hex);
  if (live !== undefined) {
    live.remember({ acknowledged: true });
    return live.settled();
  }
  // It waits, and has left memory.
  await store.queue.settled();
  const row = (await store.client.reader.findRun(hex))?.row;
  const slot = row === undefined ? undefined : store.slots.get(row.slot);
  if (row === undefined || slot === undefined) return;
  slot.write(['extra', row.n, JSON.stringify({ ...readExtra(row.extra), acknowledged: true })]);
  await store.queue.settled();
}
