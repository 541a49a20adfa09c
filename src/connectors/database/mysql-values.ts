// Converts between values of the language and those of MySQL and MariaDB.
import mysql2, { type FieldPacket, type TypedParameterValue } from 'mysql2';
import type { Value } from '../../../runtime/types.js';
import { parseJson } from '../../../runtime/values/json.js';
import { exactNumber } from './exact-number.js';
import type { BoundValue } from './statement.js';

/** Digits that a FLOAT preserves. Read as a double, it has noise after them. */
const floatDigits = 7;

const { TypedParameter, Types } = mysql2;

const times: ReadonlySet<number | undefined> = new Set([Types.DATETIME, Types.TIMESTAMP]);

/** @param value from mysql2, with dates, large numbers and JSON as text */
export function mysqlValue(value: unknown, field: FieldPacket): Value {
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
export function mysqlParameter(value: BoundValue): BoundValue | TypedParameterValue {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'number' && Number.isSafeInteger(value) ? TypedParameter.BIGINT(value) : value;
}

/** Size of a value in bytes, for the limit on results. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return Buffer.isBuffer(value) ? value.length : 8;
}
