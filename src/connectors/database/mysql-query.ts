// Runs one statement through MySQL's prepared-statement protocol, and counts its rows as they arrive.
import type { Connection, FieldPacket, ResultSetHeader } from 'mysql2';
import type { Failure } from '../../../runtime/services/call-errors.js';
import { mysqlParameter, mysqlValue, sizeOf } from './mysql-values.js';
import { type Result, RowCollector } from './result.js';
import { Failed } from './session.js';
import type { BoundValue } from './statement.js';

export interface MysqlResult extends Result {
  /** The new value of the AUTO_INCREMENT column, or 0. */
  readonly insertId: number;
  /** Whether the statement left a transaction open. */
  readonly inTransaction: boolean;
}

/** Some statements can't be prepared, such as `create trigger`. */
const cannotBePrepared = 1295;
/** SERVER_STATUS_IN_TRANS. */
const inTransaction = 1;

/** @param giveUp called when the result is too large; the connection can't be used again */
export async function runMysql(
  connection: Connection,
  text: string,
  values: readonly BoundValue[],
  giveUp: () => void,
): Promise<MysqlResult> {
  try {
    return await collect(connection.execute({ sql: text, values: values.map(mysqlParameter), rowsAsArray: true }), giveUp);
  } catch (error) {
    const isUnprepared = error instanceof Error && 'errno' in error && error.errno === cannotBePrepared;
    if (!isUnprepared || values.length > 0) throw error;
    // Sent as text. It is still a single statement, because the connection doesn't allow several.
    return collect(connection.query({ sql: text, rowsAsArray: true }), giveUp);
  }
}

/** The events of both kinds of commands; mysql2's types cover only one. */
type Command = ReturnType<Connection['query']>;

function collect(command: Command, giveUp: () => void): Promise<MysqlResult> {
  return new Promise((resolve, reject) => {
    const collector = new RowCollector();
    let fields: readonly FieldPacket[] | undefined;
    let header: ResultSetHeader | undefined;
    let ended = false;
    const fail = (error: unknown): void => {
      ended = true;
      reject(error);
    };
    const stop = (problem: Failure): void => {
      fail(new Failed(problem));
      giveUp();
    };
    command.on('fields', (given: readonly FieldPacket[] | undefined) => {
      fields = given;
    });
    command.on('result', (row: unknown) => {
      if (ended) return;
      if (fields === undefined || !Array.isArray(row)) {
        header = row as ResultSetHeader; // a statement without rows returns one
        return;
      }
      const known = fields;
      const problem = collector.add(
        row.map((value, index) => mysqlValue(value, known[index] ?? ({} as FieldPacket))), // one per column
        row.reduce((sum: number, value: unknown) => sum + sizeOf(value), 0),
      );
      if (problem !== undefined) stop(problem);
    });
    command.on('error', fail);
    command.on('end', () => {
      if (ended) return;
      ended = true;
      resolve({
        ...(fields === undefined ? {} : { columns: fields.map(({ name }) => name) }),
        rows: collector.rows,
        affected: header?.affectedRows ?? 0,
        insertId: header?.insertId ?? 0,
        inTransaction: ((header?.serverStatus ?? 0) & inTransaction) !== 0,
      });
    });
  });
}
