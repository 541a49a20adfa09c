// Reads the inserted row back by its primary key, for servers without `returning`.
import type { TableTask, TaskPairs } from '../../../runtime/services/connector-types.js';
import type { Value } from '../../../runtime/types.js';
import type { MysqlResult } from './mysql-query.js';
import { Failed } from './session.js';
import { type BoundValue, type Dialect, sqlStatementOf, tableName } from './statement.js';

type Run = (text: string, values: readonly BoundValue[]) => Promise<MysqlResult>;

/** Columns of `show columns`, by position. */
const nameAt = 0;
const keyAt = 3;
const extraAt = 5;

/** @param done the insertion. For a table without a primary key, the result is the values as they were given */
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
