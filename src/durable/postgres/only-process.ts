// Tells whether other processes use a store on PostgreSQL. A suspended one still does after its lease has expired: it has its connections,
// and continues its runs when it wakes.
import type { SqlCall } from './postgres-database.js';
import { storeLocks } from './store-tables.js';

/** Attempts to find no other connection, and milliseconds between two: the server notices a little late that one was closed. */
const ATTEMPTS = [10, 100] as const;

/**
 * Whether no other connection to the store is open, and no other process has a valid lease. If so, no connection can be opened until the end
 * of the transaction.
 * @param query of a transaction, after `closeIdle`
 * @param process id of this process
 */
export async function isOnlyProcess(query: SqlCall, process: string): Promise<boolean> {
  if (!(await isOnlyConnection(query))) return false;
  const leased = await query('SELECT 1 FROM wf.processes WHERE id <> $1 AND expires > clock_timestamp() LIMIT 1', process);
  return leased.length === 0;
}

async function isOnlyConnection(query: SqlCall): Promise<boolean> {
  const [attempts, ms] = ATTEMPTS;
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, ms));
    const [row] = await query('SELECT pg_try_advisory_xact_lock($1) AS has', storeLocks.key);
    if (row?.has === true) return true;
  }
  return false;
}
