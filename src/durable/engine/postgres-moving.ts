// Moves runs from and to a PostgreSQL database.
import { UsageError } from '../../engine/usage-error.js';
import { stateList, storedStates, unfinishedStates } from '../model/run-rows.js';
import type { HostProcess } from '../store/postgres/host-process.js';
import { isOnlyProcess } from '../store/postgres/ownership.js';
import type { PostgresStore } from '../store/postgres/postgres-store.js';
import type { RunRecorder } from '../store/postgres/run-recorder.js';
import { storeLocks } from '../store/postgres/store-tables.js';
import { importRuns, type PortableTarget, portableRuns, type RunMoving } from '../transfer/portable-runs.js';
import type { RunLookup } from '../views/run-lookup.js';

/** @param place a place for one more run */
export function postgresMoving(
  host: HostProcess,
  store: PostgresStore,
  lookup: RunLookup,
  place: () => Promise<RunRecorder>,
): RunMoving {
  const { database, lease } = host;
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
      const sql =
        'INSERT INTO wf.keys(scope, key, run, owner, body, at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (scope, key) DO NOTHING';
      await database.query(sql, scope, key, run, lease.process, store.sealing.hash(body), Date.now());
    },
    async done(written, isOver) {
      await written.leave?.(isOver);
    },
  };
  return {
    async isUsedElsewhere() {
      await database.closeIdle();
      return !(await database.transaction((query) => isOnlyProcess(query, lease.process)));
    },
    async unrecorded() {
      const sql = `SELECT count(DISTINCT r.id) AS runs FROM wf.inbox i JOIN wf.runs r ON r.id = i.run
        WHERE i.place IS NOT NULL AND r.state IN ${stateList(unfinishedStates)} AND r.state <> $1`;
      const [row] = await database.query(sql, storedStates.stuck);
      return Number(row?.runs ?? 0);
    },
    export: () => portableRuns(store, lookup),
    async import(lines) {
      // First, because DBOS creates indexes in a new store, which wait until every transaction has ended.
      await host.dbos();
      return database.transaction(async (query) => {
        await query('SET LOCAL idle_in_transaction_session_timeout = 0');
        const [row] = await query('SELECT pg_try_advisory_xact_lock($1) AS has', storeLocks.import);
        // It would remove the journals that the other one is writing.
        if (row?.has !== true)
          throw new UsageError('Another process is importing runs into the store.', 'Wait until it has finished.');
        return importRuns(target, lines);
      });
    },
  };
}
