// The row that was just inserted, for servers that cannot give it back with the insertion: found by its primary key.
import type { TableTask, TaskPairs } from '../../../runtime/connector-types.js';
import type { Value } from '../../../runtime/types.js';
import type { MysqlResult } from './mysql-query.js';
import { Failed } from './session.js';
import { type BoundValue, type Dialect, sqlStatementOf, tableName } from './statement.js';

type Run = (text: string, values: readonly BoundValue[]) => Promise<MysqlResult>;

/** Places of `show columns`. */
const nameAt = 0;
const keyAt = 3;
const extraAt = 5;

/** @param done the insertion; a table without a primary key gives back what was inserted, as it was given */
export async function newRow(task: TableTask, done: MysqlResult, dialect: Dialect, run: Run): Promise<MysqlResult> {
  const described = await run(`show columns from ${tableName(task.table, dialect)}`, []);
  const keys = described.rows.filter((row) => row[keyAt] === 'PRI');
  const where = keys.map((row): [string, Value] => {
    const name = String(row[nameAt]);
    const given = task.values.find(([column]) => column.toLowerCase() === name.toLowerCase())?.[1];
    const isCounted = String(row[extraAt]).includes('auto_increment') && done.insertId !== 0;
    return [name, isCounted ? done.insertId : given];
  });
  const isKnown = where.length > 0 && where.every(([, value]) => value !== undefined && value !== null);
  if (!isKnown) return { ...done, ...asGiven(task.values) };
  const select = sqlStatementOf({ ...task, does: 'select', wish: 'record', values: [], where }, dialect);
  if (!select.ok) throw new Failed(select);
  return run(select.text, select.values);
}

const asGiven = (values: TaskPairs): { columns: string[]; rows: Value[][] } => ({
  columns: values.map(([name]) => name),
  rows: [values.map(([, value]) => value)],
});
