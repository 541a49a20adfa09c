// Moves runs from and to a store in a folder.
import { hasEnded, storedStates } from '../model/run-rows.js';
import type { OwnShard } from '../store/sqlite/own-shard.js';
import type { SqliteStore } from '../store/sqlite/sqlite-store.js';
import { importRuns, type PortableTarget, portableRuns, type RunMoving } from '../transfer/portable-runs.js';
import type { RunLookup } from '../views/run-lookup.js';

export function folderMoving(store: SqliteStore, lookup: RunLookup): RunMoving {
  const { reader, shared, writer } = store.client;
  const place = (): Promise<OwnShard> => store.primary.take(true);
  const target: PortableTarget = {
    place,
    has: async (id) => (await reader.findRun(id)) !== undefined,
    keepText: (hash, data) => shared.storeContents([[hash, data]], Date.now()),
    version: async (_, workflow, hash, { environment: _ofOtherStore, ...info }) => (await place()).version(workflow, hash, info),
    async claimKey(run, scope, key, body) {
      const { shard, epoch } = await place();
      await shared.claimKey({ scope, key, run, shard, epoch, bodies: [body], onlyAsks: false, at: Date.now() });
    },
    done: async () => undefined,
  };
  return {
    isUsedElsewhere: () => writer.isUsedElsewhere(),
    async unrecorded() {
      const found = new Set<string>();
      let rows = await shared.inboxAfter(0);
      for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
        for (const { run, place } of rows) if (place !== null) found.add(run);
        rows = await shared.inboxAfter(last.id);
      }
      const runs = await Promise.all([...found].map((run) => reader.findRun(run)));
      return runs.filter((run) => run !== undefined && run.row.state !== storedStates.stuck && !hasEnded(run.row.state)).length;
    },
    export: () => portableRuns(store, lookup),
    import: (lines) => importRuns(target, lines),
  };
}
