// Performs the work of shared tables on the file that all processes of a folder share, in the thread that writes it.
import { forSqlite, type SharedSql, type SqlWork } from '../shared/sql.js';
import type { SharedFile } from './shared-file.js';

/** @param isUnfinished throws for a run that may be in a file that can't be read: then nothing has been changed */
export function sqliteSql(shared: SharedFile, isUnfinished: (run: string) => boolean): SharedSql {
  const perform = <T>(work: SqlWork<T>): T => {
    let next = work.next([]);
    while (next.done !== true) {
      const { text, values } = forSqlite(next.value);
      next = work.next(shared.all(text, ...values));
    }
    return next.value;
  };
  const change = <T>(work: () => SqlWork<T>): Promise<T> => shared.change(() => perform(work()));
  return {
    sealing: shared.sealing,
    // A file has one writer at a time, so no other lock is needed.
    change,
    changeNow: change,
    statement: (statement) => {
      const { text, values } = forSqlite(statement);
      return shared.change(() => shared.all(text, ...values));
    },
    read: async (work) => perform(work()),
    // biome-ignore lint/correctness/useYield: the runs of a folder are in other files
    *isUnfinished(run) {
      return isUnfinished(run);
    },
  };
}
