// Encrypts everything in a database with another key, or with none, in one transaction while no other process uses the store.
import { usedElsewhere } from '../../model/file-troubles.js';
import { createSealing, readSecret, sealedTables, storedSecret, type TextSealing, textSealing } from '../shared/sealing.js';
import type { HostProcess } from './host-process.js';
import { isOnlyProcess } from './ownership.js';
import type { SqlCall } from './postgres-database.js';
import { storeLocks } from './store-tables.js';

/** Rows read at a time. */
const BATCH = 200;

/** Columns with sealed text, by table; `owner` says what a row is sealed for. */
const sealedColumns = [
  { table: 'runs', owner: 'id', columns: ['waits', 'request', 'outcome', 'head', 'tail'] },
  ...sealedTables.map(({ table, owner: [word, column], columns }) => ({
    ...{ table, columns, owner: `'${word}' || coalesce(${column}, '')` },
  })),
];

/** @throws UsageError if another process uses the store */
export async function rekeyPostgres(
  { database, lease }: HostProcess,
  from: Uint8Array | undefined,
  to: Uint8Array | undefined,
): Promise<void> {
  await database.closeIdle();
  await database.transaction(async (query) => {
    await query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await query('SELECT pg_advisory_xact_lock($1)', storeLocks.ownership);
    if (!(await isOnlyProcess(query, lease.process))) throw usedElsewhere();
    const [row] = await query(`SELECT value FROM wf.meta WHERE key = 'secret' FOR UPDATE`);
    const secret = row?.value instanceof Uint8Array ? readSecret(row.value, from) : 'needs a key';
    if (typeof secret === 'string') throw new Error('The secret of the store cannot be read.');
    const old = textSealing(createSealing(from, secret));
    const next = textSealing(createSealing(to, secret));
    for (const { table, owner, columns } of sealedColumns) {
      for (let after: unknown; ; ) {
        const where = after === undefined ? 'true' : 'id > $1';
        const sql = `SELECT id, ${owner} AS owner, ${columns.join(', ')} FROM wf.${table} WHERE ${where} ORDER BY id LIMIT ${BATCH}`;
        const rows = await query(sql, ...(after === undefined ? [] : [after]));
        for (const found of rows) {
          const values = columns.map((column) => {
            const value = found[column];
            const sealedFor = String(found.owner);
            if (value === null) return null;
            if (column === 'head' || column === 'tail') return resealedStep(String(value), sealedFor, old, next);
            return next.seal(old.open(String(value), sealedFor), sealedFor);
          });
          const set = columns.map((column, index) => `${column} = $${index + 2}`).join(', ');
          await query(`UPDATE wf.${table} SET ${set} WHERE id = $1`, found.id, ...values);
        }
        if (rows.length < BATCH) break;
        after = rows.at(-1)?.id;
      }
    }
    await rekeySteps(query, old, next);
    await query(`UPDATE wf.meta SET value = $1 WHERE key = 'secret'`, storedSecret(secret, to));
  });
}

/** The output of a step. @param run 32 hexadecimal digits */
function resealedStep(output: string, run: string, old: TextSealing, next: TextSealing): string {
  const stored: unknown = JSON.parse(output);
  const text = typeof stored === 'string' ? old.open(stored, run) : JSON.stringify(stored);
  return next.isEncrypted ? JSON.stringify(next.seal(text, run)) : text;
}

/** The journals, which are outputs of steps. There is no table of them before the first run. */
async function rekeySteps(query: SqlCall, old: TextSealing, next: TextSealing): Promise<void> {
  const [table] = await query(`SELECT to_regclass('dbos.operation_outputs') IS NOT NULL AS is_there`);
  if (table?.is_there !== true) return;
  for (let last: readonly [unknown, unknown] = ['', -1]; ; ) {
    const rows = await query(
      `SELECT workflow_uuid, function_id, output FROM dbos.operation_outputs
       WHERE (workflow_uuid, function_id) > ($1::text, $2::integer) AND output IS NOT NULL ORDER BY workflow_uuid, function_id LIMIT ${BATCH}`,
      ...last,
    );
    for (const { workflow_uuid: leg, function_id: step, output } of rows) {
      const run = String(leg).split(':')[0]?.replaceAll('-', '') ?? '';
      const sealed = resealedStep(String(output), run, old, next);
      await query(
        'UPDATE dbos.operation_outputs SET output = $3 WHERE workflow_uuid = $1 AND function_id = $2',
        leg,
        step,
        sealed,
      );
    }
    const end = rows.at(-1);
    if (end === undefined) return;
    last = [end.workflow_uuid, end.function_id];
  }
}
