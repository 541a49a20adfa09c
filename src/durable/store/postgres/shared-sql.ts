// Performs the work of shared tables over the connections to a database.
import { stateList, unfinishedStates } from '../../model/run-rows.js';
import type { TextSealing } from '../shared/sealing.js';
import { firstRow, forPostgres, onlyIn, type SharedSql, type SqlRow, type SqlWork, sql } from '../shared/sql.js';
import type { PostgresDatabase, SqlCall } from './postgres-database.js';

async function perform<T>(query: SqlCall, work: SqlWork<T>): Promise<T> {
  let next = work.next([]);
  while (next.done !== true) {
    const { text, values } = forPostgres(next.value);
    next = work.next((await query(text, ...values)) as readonly SqlRow[]); // the tables of wf have no other types
  }
  return next.value;
}

export function postgresSql(database: PostgresDatabase, sealing: TextSealing): SharedSql {
  const transaction = <T>(work: () => SqlWork<T>, lock?: string): Promise<T> =>
    database.transaction(async (query) => {
      if (lock !== undefined) await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', `wf ${lock}`);
      return perform(query, work());
    });
  return {
    sealing,
    change: (work, lock) => database.persist(() => transaction(work, lock)),
    changeNow: (work) => transaction(work),
    statement: (statement) => {
      const { text, values } = forPostgres(statement);
      return database.query(text, ...values) as Promise<readonly SqlRow[]>; // the tables of wf have no other types
    },
    read(work, isPatient = false) {
      const read = () => perform(database.query, work());
      return isPatient ? database.persist(read) : read();
    },
    *isUnfinished(run) {
      const isOpen = onlyIn('postgres', `state IN ${stateList(unfinishedStates)}`);
      const row = yield* firstRow(sql`SELECT 1 AS found FROM wf.runs WHERE id = ${run} AND ${isOpen}`);
      return row !== undefined;
    },
  };
}
