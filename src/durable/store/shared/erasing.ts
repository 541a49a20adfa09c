// Deletes what shared tables keep of a run whose data is erased.
import { IS_ONCE } from './request-keys.js';
import { runId, SqlText, type SqlWork, sql } from './sql.js';

const isOnce = new SqlText([IS_ONCE]);

/**
 * @param runs the id of the run, and those of the workflows that it called
 * @param key the key that it was started with, of this workflow @param hashed what stays of it
 */
export function* eraseRows(
  runs: readonly [string, ...string[]],
  workflow: string,
  key: string | undefined,
  hashed: string | undefined,
): SqlWork<void> {
  for (const run of runs) {
    yield sql`DELETE FROM wf.message_fields WHERE message IN (SELECT id FROM wf.messages WHERE run = ${runId(run)})`;
    yield sql`DELETE FROM wf.messages WHERE run = ${runId(run)}`;
    yield sql`DELETE FROM wf.waiters WHERE run = ${runId(run)}`;
    yield sql`DELETE FROM wf.inbox WHERE run = ${runId(run)}`;
    yield sql`DELETE FROM wf.tasks WHERE run = ${runId(run)}`;
  }
  const [run] = runs;
  yield sql`DELETE FROM wf.keys WHERE run = ${runId(run)} AND ${isOnce}`;
  if (key !== hashed)
    yield sql`UPDATE wf.keys SET key = ${hashed ?? null} WHERE scope = ${workflow} AND key = ${key ?? null} AND run = ${runId(run)}`;
}
