// The parts that all kinds of databases share: a connection that performs one task at a time, the rows of a statement, its numbers, and
// refusals in the same words. Rows are counted as they arrive, so that a result that is too large is abandoned early.
import type { ServiceAnswer } from '../../../runtime/services/attempt.js';
import type { Failure } from '../../../runtime/services/call-errors.js';
import { mostRows, resultTooLarge, statementRefused, tooManyRows } from '../../../runtime/services/connector-errors.js';
import type { DatabaseTask, DatabaseWish } from '../../../runtime/services/connector-types.js';
import type { Value } from '../../../runtime/types.js';
import { withoutEnd } from '../../../runtime/values/without-end.js';
import { columnNames, recordFactory } from '../../input/table.js';

/** Maximum bytes of all values of a result. */
export const mostResultBytes = 10 * 1024 * 1024;

export interface Result {
  /** Absent if the statement returns no rows, as an `update`. */
  readonly columns?: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  /** Number of rows inserted, changed or deleted. */
  readonly affected: number;
}

/** Collects rows up to the limit. */
export class RowCollector {
  readonly rows: Value[][] = [];
  #bytes = 0;

  /** @param bytes of the row's values. @returns why the result is too large, if it is */
  add(row: Value[], bytes: number): Failure | undefined {
    this.#bytes += bytes;
    if (this.#bytes > mostResultBytes) return resultTooLarge();
    if (this.rows.length === mostRows) return tooManyRows();
    this.rows.push(row);
    return undefined;
  }
}

/** The value of a result in a workflow: one record or `empty`, a list of records, or a number. */
export function answerOf(result: Result, wish: DatabaseWish): ServiceAnswer {
  const records = recordsOf(result);
  const [first] = records;
  switch (wish) {
    case 'rows':
      return { ok: true, value: records };
    case 'record':
      return { ok: true, value: first ?? null, ...(records.length > 1 ? { warning: severalRows } : {}) };
    case 'number':
      return { ok: true, value: result.columns === undefined ? result.affected : (result.rows[0]?.[0] ?? null) };
    case 'whatever there is':
      return { ok: true, value: result.columns === undefined ? result.affected : records };
  }
}

const severalRows = 'More than one row matches this call; the result is the first one that the database returned.';

/** Keeps both of two columns with the same name: the second becomes `name-2`. */
function recordsOf({ columns, rows }: Result): { [key: string]: Value }[] {
  if (columns === undefined) return [];
  return rows.map(recordFactory(columnNames(columns).names));
}

/** Significant digits that a double always preserves. */
const certainDigits = 15;

/**
 * `12.50` becomes 12.5. `9007199254740993` and `12345678901234567890.12` remain text, because a double can't represent them. So do
 * `NaN` and `Infinity`.
 */
export function exactNumber(text: string): number | string {
  const [, sign = '', digits = '', fraction = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  if (digits === '' && fraction === '') return text;
  const whole = digits.replace(/^0+/, '');
  const kept = withoutEnd(fraction, '0');
  const number = Number(text);
  const significant = whole === '' ? kept.replace(/^0+/, '').length : whole.length + kept.length;
  if (significant <= certainDigits) return number === 0 ? 0 : number;
  const plain = `${sign}${whole === '' ? '0' : whole}${kept === '' ? '' : `.${kept}`}`;
  return String(number) === plain ? number : text;
}

/** @param said the database's own message; may be empty */
export const severalStatements = (said: string): Failure =>
  statementRefused('the SQL contains several statements, but a call runs only one', said === '' ? {} : { body: said });

export const oneTransaction = (): Failure =>
  statementRefused('each call runs in its own transaction, so its SQL cannot contain begin or commit');

export const causes = {
  notNull: 'a column must not be empty (NOT NULL)',
  unique: 'a value that must be unique already exists (UNIQUE)',
  foreignKey: 'a row refers to a row that does not exist, or other rows still refer to it (FOREIGN KEY)',
  check: 'a value is not allowed (CHECK)',
  otherConstraint: 'the change would violate a constraint of the database',
  conflict: 'the change conflicts with another one that was made at the same time',
  deadlock: 'the database stopped the statement to end a deadlock',
  locked: 'a row or table is locked',
  tooManyConnections: 'the database has too many connections',
  shuttingDown: 'the database is shutting down',
  unavailable: 'the database cannot do this at the moment',
  noPermission: 'the user of its address does not have permission',
  wrongPassword: 'the database does not accept the user and password of its address',
  noDatabase: 'there is no such database',
  noTable: 'there is no such table',
  noColumn: 'there is no such column',
  notSql: 'the statement is not valid SQL',
  wrongType: 'a value does not fit the type of its column',
  diskFull: 'the disk of the database is full',
  brokenConnection: 'the connection to the database broke',
  noEncryption: 'its address requires encryption, which the database does not offer',
} as const;

/** An open connection, used by one task at a time. */
export interface DatabaseSession {
  /** False after it broke, or if it may carry state over to the next task. */
  readonly isUsable: boolean;
  /**
   * Runs one statement in its own transaction. Cancels it on the server when the signal aborts.
   * @throws Failed for everything the database can be blamed for; any other exception is a bug
   */
  perform(task: DatabaseTask, signal: AbortSignal): Promise<Result>;
  close(): Promise<void>;
  /** Calls back when the connection breaks while idle. */
  onBroken(callback: () => void): void;
}

/** Keeps track of whether a connection can still be used. */
export abstract class OpenSession {
  protected usable = true;
  #broken: () => void = () => {};

  get isUsable(): boolean {
    return this.usable;
  }

  onBroken(callback: () => void): void {
    this.#broken = callback;
  }

  protected broke(): void {
    this.usable = false;
    this.#broken();
  }
}

/** Maximum bytes received per result, including protocol overhead. Beyond it, a single row exceeds the limit of results. */
export const mostReceived = 3 * mostResultBytes;

/** Milliseconds that a cancelled statement gets to end before its connection is closed. */
export const cancelPatience = 2_000;

/** Whether all names in the statement are fixed in the workflow, so that a message can quote them. */
export const hasFixedNames = (task: DatabaseTask): boolean =>
  task.does === 'run' || task.table.every((part) => typeof part === 'string');

/** Carries a failure to the call. */
export class Failed extends Error {
  constructor(readonly failure: Failure) {
    super(failure.cause);
  }
}

/** Statements that leave no session state. Any other may leave a setting, a lock or a temporary table. */
const withoutTraces =
  /^\s*(?:select|insert|update|delete|replace|merge|with|values|table|explain|show|drop|alter|create(?!\s+(?:(?:local|global)\s+)?temp))\b/i;

/** Whether a session can be reused after this statement. */
export const leavesNothingBehind = (text: string): boolean => withoutTraces.test(text);
