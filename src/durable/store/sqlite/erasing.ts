// Erases the data of a finished run from the file of a shard, so that nothing of it can be read in the file either: SQLite leaves deleted
// text where it was until something else needs the space.
import type { RunRow } from '../../model/run-rows.js';
import type { Sealing } from '../shared/sealing.js';
import type { SqlValue } from '../shared/sql.js';
import { madeSum, stateSum } from './row-sums.js';
import { type Database, transaction } from './sqlite.js';

export type PlacedRun = Pick<RunRow, 'id' | 'shard' | 'n'>;

/** Milliseconds that this waits while another process holds the file. */
export const PATIENCE_MS = 5_000;

/** Bytes of the largest file that is rewritten, which takes less than a second. Of larger ones, only deleted rows are overwritten. */
const LARGEST = 128 * 1024 * 1024;

/** Deleted rows are overwritten with zeros. */
const OVERWRITES = 'PRAGMA secure_delete = ON';

/**
 * Deletes request, results, log and outcome of a run.
 * @param request what its request is from now on, sealed
 * @param extra what remains of its other properties
 */
export function eraseRow(database: Database, { n, id }: PlacedRun, request: SqlValue, extra: string, sealing: Sealing): void {
  database.exec(OVERWRITES);
  transaction(
    database,
    () => {
      database.prepare('DELETE FROM entries WHERE n = ?').run(n);
      database
        .prepare('UPDATE runs SET request = ?, outcome = NULL, waits = NULL, due = NULL, extra = ? WHERE n = ? AND id = unhex(?)')
        .run(request, extra, n, id);
      const row = database.prepare('SELECT * FROM runs WHERE n = ?').get(n);
      // A process with an earlier version of wf has its shard.
      if (row?.made === undefined) return;
      database
        .prepare('UPDATE runs SET made = ?, stands = ? WHERE n = ?')
        .run(madeSum({ ...row, id }, sealing), stateSum(row, sealing), n);
    },
    PATIENCE_MS,
  );
}

/** Removes what earlier changes of erased rows have left in the free space of the file and in its log. */
export function scrubFile(database: Database): void {
  database.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
  const number = (name: string): number => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  if (number('page_count') * number('page_size') <= LARGEST) database.exec('VACUUM');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
