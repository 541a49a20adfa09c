// A database for servers under chaos: its connections are cut, and a server that only this process uses is restarted as if it had crashed.
import { Client } from 'pg';
import { ownPostgres } from '../connectors/embedded-postgres.js';
import type { ChaosDatabase } from './chaos-run.js';
import { databaseOn } from './test-database.js';

/** Average milliseconds between two cuts and two restarts. */
const CUT_EVERY_MS = 1_500;
const RESTART_EVERY_MS = 10_000;
/** The same if nothing else happens. */
const CALM_RESTART_EVERY_MS = 4_000;

/** Longer than a lease: a process that sleeps that long has lost its runs. */
const LONGEST_STOP_MS = 14_000;

/** @param store the address of a server; anything else starts one here */
export async function chaosDatabase(
  store: string,
  isCalm = false,
): Promise<ChaosDatabase & { readonly drop: () => Promise<void> }> {
  const own = store.startsWith('postgres://') ? undefined : await ownPostgres();
  const server = own?.address ?? store;
  if (!server.startsWith('postgres://')) throw new Error('No PostgreSQL server can be started here.');
  const { address, drop } = await databaseOn(server);
  return {
    address,
    drop,
    longestStopMs: LONGEST_STOP_MS,
    faults: [
      { everyMs: CUT_EVERY_MS, strike: () => cut(address) },
      ...(own === undefined ? [] : [{ everyMs: isCalm ? CALM_RESTART_EVERY_MS : RESTART_EVERY_MS, strike: own.restart }]),
    ],
  };
}

/** Ends a third of the connections, whatever they are doing. */
export async function cut(address: string): Promise<void> {
  const client = new Client({ connectionString: address });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.33`,
    );
  } catch {
    // The database is being restarted.
  } finally {
    await client.end().catch(() => undefined);
  }
}
