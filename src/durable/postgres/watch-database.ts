// Notices changes in a store on PostgreSQL by any process: the database counts changes of its tables anyway.
import type { PostgresDatabase } from './postgres-database.js';

const EVERY_MS = 500;

const sql = `SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::text AS changes FROM pg_stat_user_tables
WHERE schemaname = 'wf' AND relname IN ('runs', 'tasks') OR schemaname = 'dbos' AND relname = 'operation_outputs'`;

/** Returns a function that stops watching. */
export function watchDatabase(database: PostgresDatabase, onChange: () => void): () => void {
  let last: unknown;
  const check = async (): Promise<void> => {
    const [row] = await database.query(sql);
    if (last !== undefined && row?.changes !== last) onChange();
    last = row?.changes;
  };
  const timer = setInterval(() => void check().catch(() => undefined), EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
