// Connections to MySQL and MariaDB. Abandoned statements are cancelled on the server. A connection that may carry state over from a call
// (settings, locks, an open transaction) is never reused.
import { isIP } from 'node:net';
import mysql2, { type Connection, type FieldPacket, type ResultSetHeader, type TypedParameterValue } from 'mysql2';
import { type Failure, noConnection } from '../../../runtime/services/call-errors.js';
import { causeOf } from '../../../runtime/services/cause.js';
import { constraintViolated, resultTooLarge, statementRefused } from '../../../runtime/services/connector-errors.js';
import type { DatabaseTask, TableTask, TaskPairs } from '../../../runtime/services/connector-types.js';
import type { Value } from '../../../runtime/types.js';
import { parseJson } from '../../../runtime/values/json.js';
import { connectAsAsked, type ServerAddress, tlsOptions } from './address.js';
import {
  cancelPatience,
  causes,
  type DatabaseSession,
  exactNumber,
  Failed,
  hasFixedNames,
  leavesNothingBehind,
  mostReceived,
  OpenSession,
  oneTransaction,
  type Result,
  RowCollector,
  severalStatements,
} from './result.js';
import { type BoundValue, type Dialect, holdsSeveralStatements, sqlStatementOf, tableName } from './statement.js';

const mariadb: Dialect = {
  quote: '`',
  longestName: 256,
  parameter: () => '?',
  returning: true,
  emptyRow: '() values ()',
  comparesTexts: true,
  keepsNul: true,
};
const mysql: Dialect = { ...mariadb, returning: false };

/** Properties of mysql2's connection that its types leave out. */
interface Wired {
  readonly stream: NodeJS.EventEmitter;
  readonly _isMariaDB: boolean;
}

/** @throws Failed if it can't connect */
export function connectMysql(address: ServerAddress, signal: AbortSignal): Promise<DatabaseSession> {
  return connectAsAsked(address.tls, (encrypted) => session(address, encrypted, signal), signal);
}

async function session(address: ServerAddress, encrypted: boolean, signal: AbortSignal): Promise<DatabaseSession> {
  const connection = await connect(address, encrypted, signal);
  return new MysqlSession(connection, () => connect(address, encrypted, AbortSignal.timeout(cancelPatience)));
}

async function connect(address: ServerAddress, encrypted: boolean, signal: AbortSignal): Promise<Connection> {
  // For an IP address, mysql2 compares the certificate with the name "localhost" instead.
  if (address.tls.mode === 'verify-full' && isIP(address.host) !== 0)
    throw new Failed(
      noConnection(
        'its address must contain a host name, not an IP address, because the certificate is checked against it',
        false,
      ),
    );
  const ssl = encrypted ? tlsOptions(address.tls) : undefined;
  const connection = mysql2.createConnection({
    ...(address.host.startsWith('/') ? { socketPath: address.host } : { host: address.host, port: address.port }),
    user: address.user,
    password: address.password,
    ...(address.database === '' ? {} : { database: address.database }),
    ...(ssl === undefined ? {} : { ssl: { ...ssl, verifyIdentity: address.tls.mode === 'verify-full' } }),
    // The caller has its own time limit.
    connectTimeout: 0,
    charset: 'utf8mb4',
    supportBigNumbers: true,
    dateStrings: true,
    jsonStrings: true,
    multipleStatements: false,
    flags: ['-LOCAL_FILES'],
    maxPreparedStatements: 100,
    // Don't generate code from column names.
    disableEval: true,
  });
  const stop = (): void => connection.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      // Destroying a connection emits no event.
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      connection.on('error', reject);
      connection.connect((error) => (error === null ? resolve() : reject(error)));
    });
    return connection;
  } catch (error) {
    stop();
    throw new Failed(signal.aborted ? noConnection('no connection in time') : mysqlFailure(error, false));
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

class MysqlSession extends OpenSession implements DatabaseSession {
  #received = 0;
  /** Rejects the task in progress, because mysql2 doesn't report that its connection broke or was destroyed. */
  #lost: () => void = () => {};
  readonly #dialect: Dialect;

  constructor(
    private readonly connection: Connection,
    private readonly another: () => Promise<Connection>,
  ) {
    super();
    const wired = connection as unknown as Wired; // properties that its types leave out
    this.#dialect = wired._isMariaDB ? mariadb : mysql;
    const lost = (): void => {
      setImmediate(this.#lost);
      this.broke();
    };
    connection.on('error', lost).on('end', lost);
    wired.stream.on('close', lost);
    wired.stream.on('data', (part: Buffer) => {
      this.#received += part.length;
      if (this.#received > mostReceived) this.#destroy();
    });
  }

  async perform(task: DatabaseTask, signal: AbortSignal): Promise<Result> {
    const statement = sqlStatementOf(task, this.#dialect);
    if (!statement.ok) throw new Failed(statement);
    this.#received = 0;
    const work = this.#whileConnected(this.#inOneTransaction(task, statement.text, statement.values));
    const stop = (): void => void this.#cancelled(work);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const result = await work;
      if (task.does === 'run') this.#checkLeftovers(statement.text, result);
      return result;
    } catch (error) {
      throw this.#failed(error, task, statement.text);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async close(): Promise<void> {
    if (!this.usable) return this.#destroy();
    this.usable = false;
    await new Promise<void>((resolve) => {
      const patience = setTimeout(resolve, cancelPatience);
      this.connection.end(() => {
        clearTimeout(patience);
        resolve();
      });
    });
    this.#destroy();
  }

  #whileConnected<T>(work: Promise<T>): Promise<T> {
    const lost = new Promise<never>((_, reject) => {
      this.#lost = () => reject(new Failed(noConnection('the connection to the database broke')));
    });
    lost.catch(() => {});
    return Promise.race([work, lost]);
  }

  /** A single statement is a transaction. If it changes rows and returns some, it is committed after they have been read. */
  async #inOneTransaction(task: DatabaseTask, text: string, values: readonly BoundValue[]): Promise<MysqlResult> {
    const inserts = task.does === 'insert';
    const needsOne = inserts ? !this.#dialect.returning : task.does === 'run' && /\breturning\b/i.test(text);
    if (!needsOne) return this.#run(text, values);
    await this.#run('start transaction', []);
    try {
      const done = await this.#run(text, values);
      const result = inserts ? await this.#readBack(task, done) : done;
      await this.#run('commit', []);
      return { ...result, inTransaction: false };
    } catch (error) {
      // Closing the connection rolls its transaction back.
      this.#destroy();
      throw error;
    }
  }

  async #readBack(task: TableTask, done: MysqlResult): Promise<MysqlResult> {
    return newRow(task, done, this.#dialect, (text, values) => this.#run(text, values));
  }

  #run(text: string, values: readonly BoundValue[]): Promise<MysqlResult> {
    return runMysql(this.connection, text, values, () => this.#destroy());
  }

  /** Session state that a statement may leave behind must not reach the next call. */
  #checkLeftovers(text: string, result: MysqlResult): void {
    if (!leavesNothingBehind(text)) this.usable = false;
    if (!result.inTransaction) return;
    this.#destroy();
    throw new Failed(oneTransaction());
  }

  #failed(error: unknown, task: DatabaseTask, text: string): Failed {
    if (this.#received > mostReceived) return new Failed(resultTooLarge());
    if (error instanceof Failed) return error;
    const failure = mysqlFailure(error, hasFixedNames(task));
    // Without multi-statement mode, the server reports a second statement as a syntax error.
    return new Failed(failure.code === 'WF663' && holdsSeveralStatements(text) ? severalStatements(failure.body ?? '') : failure);
  }

  async #cancelled(work: Promise<unknown>): Promise<void> {
    const patience = setTimeout(() => this.#destroy(), cancelPatience);
    await this.#kill().catch(() => undefined);
    await work.catch(() => undefined);
    clearTimeout(patience);
    // A late cancellation would hit the next statement.
    this.usable = false;
  }

  async #kill(): Promise<void> {
    const other = await this.another();
    try {
      await runMysql(other, `kill query ${Number(this.connection.threadId)}`, [], () => {});
    } finally {
      other.destroy();
    }
  }

  #destroy(): void {
    this.usable = false;
    this.connection.destroy();
    // After the task's own error, if it has one.
    setImmediate(this.#lost);
  }
}

type Run = (text: string, values: readonly BoundValue[]) => Promise<MysqlResult>;

/** Columns of `show columns`, by position. */
const nameAt = 0;
const keyAt = 3;
const extraAt = 5;

/** @param done the insertion. For a table without a primary key, the result is the values as they were given */
async function newRow(task: TableTask, done: MysqlResult, dialect: Dialect, run: Run): Promise<MysqlResult> {
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

/** The properties of an error that matter here. */
interface ServerError {
  readonly errno?: unknown;
  readonly sqlState?: unknown;
  readonly sqlMessage?: unknown;
  readonly code?: unknown;
}

const constraints: ReadonlyMap<unknown, string> = new Map([
  ...[1048, 1364].map((number) => [number, causes.notNull] as const),
  ...[1022, 1062, 1169, 1557, 1586].map((number) => [number, causes.unique] as const),
  ...[1216, 1217, 1451, 1452, 1761, 1762].map((number) => [number, causes.foreignKey] as const),
  ...[3819, 4025].map((number) => [number, causes.check] as const),
]);

const transient: ReadonlyMap<unknown, string> = new Map([
  [1020, causes.conflict],
  [1040, causes.tooManyConnections],
  [1053, causes.shuttingDown],
  [1203, 'the user of its address has too many connections'],
  [1205, causes.locked],
  [1213, causes.deadlock],
  [1927, 'the database closed the connection'],
]);

const signIn: ReadonlySet<unknown> = new Set([1044, 1045, 1698, 1130]);

const refusals: ReadonlyMap<unknown, string> = new Map([
  [1021, causes.diskFull],
  [1054, causes.noColumn],
  [1064, causes.notSql],
  [1114, causes.diskFull],
  [1142, causes.noPermission],
  [1146, causes.noTable],
  ...[1264, 1265, 1292, 1366, 1406].map((number) => [number, causes.wrongType] as const),
]);

/** Errors that can only quote the statement, because the server has not looked at any value yet. */
const aboutTheStatement: ReadonlySet<unknown> = new Set([1054, 1064, 1142, 1146]);

/**
 * Translates errors of MySQL and MariaDB into failures in plain words, by error number.
 * @param quotesNames whether the server's own words may be shown; false if a value became a name in the statement
 */
export function mysqlFailure(thrown: unknown, quotesNames: boolean): Failure {
  const { errno, sqlState, sqlMessage } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as ServerError; // all its fields are unknown
  const said = typeof sqlMessage === 'string' ? withoutCutValue(sqlMessage) : '';
  if (typeof sqlState !== 'string') return connectionFailure(thrown);
  const constraint = constraints.get(errno) ?? (sqlState === '23000' ? causes.otherConstraint : undefined);
  if (constraint !== undefined) return constraintViolated(constraint, said);
  if (signIn.has(errno) || sqlState.startsWith('28')) return noConnection(causes.wrongPassword, false);
  if (errno === 1049) return noConnection(causes.noDatabase, false);
  const passing = transient.get(errno) ?? (sqlState === '40001' || sqlState.startsWith('08') ? causes.unavailable : undefined);
  if (passing !== undefined) return statementRefused(passing, { retryable: true, body: said });
  const publicCause = refusals.get(errno) ?? `the database refused the statement (error ${String(errno)})`;
  const cause = aboutTheStatement.has(errno) && quotesNames && said !== '' ? `${publicCause} (${said})` : publicCause;
  return statementRefused(cause, { publicCause, body: said });
}

/** The shortest value that a server may show in part. */
const cutValue = 60;

/** Without a long value, which the server cuts: redaction doesn't find a secret whose end is missing. */
function withoutCutValue(text: string): string {
  const start = text.search(/(?<=entry |value: )'/) + 1;
  const column = text.lastIndexOf("' for ");
  const end = column > start ? column : text.lastIndexOf("'");
  return start === 0 || end - start < cutValue ? text : `${text.slice(0, start)}…${text.slice(end)}`;
}

function connectionFailure(thrown: unknown): Failure {
  const { code } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as ServerError; // all its fields are unknown
  if (code === 'PROTOCOL_CONNECTION_LOST') return noConnection(causes.brokenConnection);
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT') return noConnection(causes.noEncryption, false);
  // mysql2 replaces the code of a TLS error but keeps its message.
  if (code === 'HANDSHAKE_SSL_ERROR' && thrown instanceof Error && /certificate|altnames/i.test(thrown.message))
    return noConnection('its certificate is not trusted', false, true);
  return causeOf(thrown);
}

// Runs one statement through MySQL's prepared-statement protocol, and counts its rows as they arrive.

interface MysqlResult extends Result {
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
async function runMysql(
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
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return Buffer.isBuffer(value) ? value.length : 8;
}
