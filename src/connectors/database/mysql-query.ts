// Runs one statement through MySQL's prepared-statement protocol, and counts its rows as they arrive.

import mysql2, { type Connection, type FieldPacket, type ResultSetHeader, type TypedParameterValue } from 'mysql2';
import type { Failure } from '../../../runtime/services/call-errors.js';
import type { Value } from '../../../runtime/types.js';
import { parseJson } from '../../../runtime/values/json.js';
import { exactNumber } from './exact-number.js';
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

/** Digits that a FLOAT preserves. Read as a double, it has noise after them. */
const floatDigits = 7;

const { TypedParameter, Types } = mysql2;

const times: ReadonlySet<number | undefined> = new Set([Types.DATETIME, Types.TIMESTAMP]);

/** @param value from mysql2, with dates, large numbers and JSON as text */
function mysqlValue(value: unknown, field: FieldPacket): Value {
  const { type, columnType = type } = field;
  if (value === null || value === undefined) return null;
  if (typeof value === 'number') return columnType === Types.FLOAT ? Number(value.toPrecision(floatDigits)) : value;
  if (Buffer.isBuffer(value))
    return columnType === Types.BIT ? exactNumber(BigInt(`0x${value.toString('hex')}`).toString()) : value.toString('base64');
  if (typeof value !== 'string') return JSON.stringify(value);
  if (columnType === Types.NEWDECIMAL || columnType === Types.DECIMAL || columnType === Types.LONGLONG) return exactNumber(value);
  if (times.has(columnType)) return value.replace(' ', 'T');
  // MariaDB stores JSON as text and marks it in the extended type.
  const isJson = columnType === Types.JSON || ('extendedFormat' in field && field.extendedFormat === 'json');
  if (!isJson) return value;
  const parsed = parseJson(value);
  return parsed.ok ? parsed.value : value;
}

/** Sends whole numbers as integers, because MySQL accepts nothing else in `limit`. */
function mysqlParameter(value: BoundValue): BoundValue | TypedParameterValue {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' && Number.isSafeInteger(value) ? TypedParameter.BIGINT(value) : value;
}

/** Size of a value in bytes, for the limit on results. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return Buffer.isBuffer(value) ? value.length : 8;
}
