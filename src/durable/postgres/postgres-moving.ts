// Moves runs from and to a store on PostgreSQL.
import { UsageError } from '../../engine/usage-error.js';
import type { RunLookup } from '../embedded/run-lookup.js';
import { importRuns, type PortableTarget, portableRuns, type RunMoving } from '../portable-runs.js';
import { firstFinished, storedStates } from '../store/slot-writes.js';
import type { HostProcess } from './host-process.js';
import { isOnlyProcess } from './only-process.js';
import type { PostgresStore } from './postgres-store.js';
import { RunRecorder } from './run-recorder.js';
import { storeLocks } from './store-tables.js';

/** @param place a place for one more run */
export function postgresMoving(
  { database, lease }: HostProcess,
  store: PostgresStore,
  lookup: RunLookup,
  place: () => Promise<RunRecorder>,
): RunMoving {
  const target: PortableTarget = {
    async place() {
      const recorder = await place();
      recorder.isImported = true;
      return recorder;
    },
    has: async (id) => (await store.client.reader.findRun(id)) !== undefined,
    keepText: (hash, data) => store.versions.keepText(hash, data),
    version: (_, workflow, hash, info) => store.versions.keep(workflow, hash, info),
    async claimKey(run, scope, key, body) {
      const sql = 'INSERT INTO wf.keys VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (scope, key) DO NOTHING';
      await database.query(sql, scope, key, run, lease.process, store.sealing.hash(body), Date.now());
    },
    async done(written, isOver) {
      if (written instanceof RunRecorder) await written.leave(isOver);
    },
  };
  return {
    async isUsedElsewhere() {
      await database.closeIdle();
      return !(await database.transaction((query) => isOnlyProcess(query, lease.process)));
    },
    async unrecorded() {
      const sql = `SELECT count(DISTINCT r.id) AS runs FROM wf.inbox i JOIN wf.runs r ON r.id = i.run
        WHERE i.place IS NOT NULL AND r.state < $1 AND r.state <> $2`;
      const [row] = await database.query(sql, firstFinished, storedStates.stuck);
      return Number(row?.runs ?? 0);
    },
    export: () => portableRuns(store, lookup),
    import: (lines) =>
      database.transaction(async (query) => {
        await query('SET LOCAL idle_in_transaction_session_timeout = 0');
        const [row] = await query('SELECT pg_try_advisory_xact_lock($1) AS has', storeLocks.import);
        // It would remove the journals that the other one is writing.
        if (row?.has !== true)
          throw new UsageError('Another process is importing runs into the store.', 'Wait until it has finished.');
        return importRuns(target, lines);
      }),
  };
}
