// Connections to PostgreSQL. Abandoned statements are cancelled on the server. A connection that may carry state over from a call
// (settings, locks, an open transaction) is never reused.
import { once } from 'node:events';
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import pg from 'pg';
import { type Failure, noConnection } from '../../../runtime/services/call-errors.js';
import { causeOf } from '../../../runtime/services/cause.js';
import { constraintViolated, resultTooLarge, statementRefused } from '../../../runtime/services/connector-errors.js';
import type { DatabaseTask } from '../../../runtime/services/connector-types.js';
import type { ServerAddress } from './address.js';
import { PostgresQuery, postgresText } from './postgres-query.js';
import { causes, oneTransaction, severalStatements } from './refusals.js';
import type { Result } from './result.js';
import {
  cancelPatience,
  type DatabaseSession,
  Failed,
  hasFixedNames,
  leavesNothingBehind,
  mostReceived,
  OpenSession,
} from './session.js';
import { type Dialect, sqlStatementOf } from './statement.js';
import { connectAsAsked, type TlsOptions, tlsOptions } from './tls-options.js';

const dialect: Dialect = {
  quote: '"',
  longestName: 63,
  parameter: (number) => `$${number}`,
  returning: true,
  emptyRow: 'default values',
  comparesTexts: false,
  keepsNul: false,
};

/** Properties of pg's client that its types leave out: the socket and the server's messages. */
interface Wired {
  readonly connection: {
    readonly stream: NodeJS.EventEmitter & { destroy(): void };
    on(event: 'readyForQuery', listener: (message: { readonly status: string }) => void): void;
  };
  readonly processID: number;
  readonly secretKey: number;
}

/** @throws Failed if it can't connect */
export function connectPostgres(address: ServerAddress, signal: AbortSignal): Promise<DatabaseSession> {
  return connectAsAsked(address.tls, (encrypted) => connect(address, encrypted, signal), signal);
}

async function connect(address: ServerAddress, encrypted: boolean, signal: AbortSignal): Promise<DatabaseSession> {
  const ssl = encrypted ? tlsOptions(address.tls) : false;
  const client = new pg.Client({
    host: address.host,
    port: address.port,
    user: address.user,
    // A function, because without a password pg would search the environment and files for one.
    password: () => address.password,
    database: address.database,
    application_name: address.applicationName,
    ssl,
    keepAlive: true,
  });
  const wired = client as unknown as Wired; // properties that its types leave out
  const stop = (): void => wired.connection.stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  // Connection errors also reject the promise.
  client.on('error', () => {});
  try {
    await client.connect();
    return new PostgresSession(client, wired, () => cancelStatement(address, ssl, wired.processID, wired.secretKey));
  } catch (error) {
    stop();
    throw error instanceof Failed
      ? error
      : new Failed(signal.aborted ? noConnection('no connection in time') : postgresFailure(error, false));
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

class PostgresSession extends OpenSession implements DatabaseSession {
  #status = 'I';
  #received = 0;

  constructor(
    private readonly client: pg.Client,
    private readonly wired: Wired,
    private readonly cancel: () => Promise<void>,
  ) {
    super();
    const lost = (): void => this.broke();
    client.on('error', lost).on('end', lost);
    wired.connection.on('readyForQuery', ({ status }) => {
      this.#status = status;
    });
    wired.connection.stream.on('data', (part: Buffer) => {
      this.#received += part.length;
      if (this.#received > mostReceived) this.#destroy();
    });
  }

  async perform(task: DatabaseTask, signal: AbortSignal): Promise<Result> {
    const statement = sqlStatementOf(task, dialect);
    if (!statement.ok) throw new Failed(statement);
    this.#received = 0;
    const query = new PostgresQuery(statement.text, statement.values.map(postgresText), () => this.#abandon());
    const stop = (): void => void this.#cancelled(query);
    signal.addEventListener('abort', stop, { once: true });
    try {
      this.client.query(query as unknown as pg.Submittable); // pg's type of a connection is incomplete
      const result = await query.result;
      if (task.does === 'run') this.#checkLeftovers(statement.text);
      return result;
    } catch (error) {
      throw this.#failed(error, task);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async close(): Promise<void> {
    if (!this.usable) return this.#destroy();
    this.usable = false;
    const patience = setTimeout(() => this.#destroy(), cancelPatience);
    await this.client.end().catch(() => undefined);
    clearTimeout(patience);
  }

  /** Session state that a statement may leave behind must not reach the next call. */
  #checkLeftovers(text: string): void {
    if (!leavesNothingBehind(text)) this.usable = false;
    if (this.#status !== 'I') {
      this.#destroy();
      throw new Failed(oneTransaction());
    }
  }

  #failed(error: unknown, task: DatabaseTask): Failed {
    if (this.#received > mostReceived) return new Failed(resultTooLarge());
    if (error instanceof Failed) return error;
    return new Failed(postgresFailure(error, hasFixedNames(task)));
  }

  /** Cancels the statement on the server, and closes the connection if that takes too long. */
  async #cancelled(query: PostgresQuery): Promise<void> {
    const patience = setTimeout(() => this.#destroy(), cancelPatience);
    await this.cancel().catch(() => undefined);
    await query.result.catch(() => undefined);
    clearTimeout(patience);
    // A late cancellation would hit the next statement.
    this.usable = false;
  }

  /** Abandons a result. Nothing of the statement is committed, because its sync was never sent. */
  #abandon(): void {
    this.#destroy();
    void this.cancel().catch(() => undefined);
  }

  #destroy(): void {
    this.usable = false;
    this.wired.connection.stream.destroy();
  }
}

/** Time limit of a request to cancel, in milliseconds. */
const CANCEL_TIMEOUT_MS = 1_000;

/** Resolves when the server has received the request. `processId` and `secretKey` belong to the connection to cancel. */
async function cancelStatement(
  { host, port }: ServerAddress,
  ssl: TlsOptions | false,
  processId: number,
  secretKey: number,
): Promise<void> {
  const socket = host.startsWith('/') ? connectSocket(`${host}/.s.PGSQL.${port}`) : connectSocket(port, host);
  socket.on('error', () => {});
  let limit: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    limit = setTimeout(() => reject(new Error('The server did not take the request in time')), CANCEL_TIMEOUT_MS);
  });
  const ask = async (): Promise<void> => {
    await once(socket, 'connect');
    let stream: Socket = socket;
    if (ssl !== false) {
      socket.write(request(80877103));
      await once(socket, 'data');
      stream = connectTls({ ...ssl, socket, host, ...(isIP(host) === 0 ? { servername: host } : {}) });
      stream.on('error', () => {});
      await once(stream, 'secureConnect');
    }
    stream.resume();
    stream.end(request(80877102, processId, secretKey));
    // The server closes the connection after it has sent the signal.
    await once(stream, 'close');
  };
  try {
    await Promise.race([ask(), tooLate]);
  } finally {
    clearTimeout(limit);
    socket.destroy();
  }
}

/** A message without a type byte: its length, then 32-bit numbers. */
function request(...numbers: readonly number[]): Buffer {
  const message = Buffer.alloc(4 + 4 * numbers.length);
  message.writeInt32BE(message.length, 0);
  for (const [index, number] of numbers.entries()) message.writeInt32BE(number, 4 + 4 * index);
  return message;
}

/** The properties of a server error that matter here; pg has no type for its errors. */
interface ServerError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly severity?: unknown;
}

const constraints: Readonly<Record<string, string>> = {
  '23502': causes.notNull,
  '23503': causes.foreignKey,
  '23505': causes.unique,
  '23514': causes.check,
  '23P01': 'a row overlaps another one (EXCLUDE)',
};

const transient: Readonly<Record<string, string>> = {
  '40001': causes.conflict,
  '40P01': causes.deadlock,
  '55P03': causes.locked,
  '53300': causes.tooManyConnections,
  '57P01': causes.shuttingDown,
  '57P02': causes.shuttingDown,
  '57P03': 'the database is starting or shutting down',
};

const refusals: Readonly<Record<string, string>> = {
  '22P02': causes.wrongType,
  '3D000': causes.noDatabase,
  '42501': causes.noPermission,
  '42601': causes.notSql,
  '42703': causes.noColumn,
  '42P01': causes.noTable,
  '42P18': 'the type of a value is unclear: name it, as in {request.id}::integer',
  '53100': causes.diskFull,
};

/**
 * Translates errors of PostgreSQL into failures in plain words, by SQLSTATE.
 * @param quotesNames whether the server's own words may be shown; false if a value became a name in the statement
 */
function postgresFailure(thrown: unknown, quotesNames: boolean): Failure {
  const { code, message, severity } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as ServerError;
  const said = typeof message === 'string' ? message : '';
  if (typeof code !== 'string' || typeof severity !== 'string') return connectionFailure(thrown, said);
  if (code.startsWith('23')) return constraintViolated(constraints[code] ?? causes.otherConstraint, said);
  if (code.startsWith('28')) return noConnection(causes.wrongPassword, false);
  const passing = transient[code] ?? (/^(08|53[234])/.test(code) ? causes.unavailable : undefined);
  if (passing !== undefined) return statementRefused(passing, { retryable: true, body: said });
  if (/multiple commands/.test(said)) return severalStatements(said);
  const known = refusals[code] ?? (code.startsWith('22') ? 'a value does not fit' : undefined);
  const publicCause = known ?? `the database refused the statement (SQLSTATE ${code})`;
  // Errors of class 42 are raised before the server looks at any value, so they can only quote the statement.
  const cause = code.startsWith('42') && quotesNames && said !== '' ? `${publicCause} (${said})` : publicCause;
  return statementRefused(cause, { publicCause, body: said });
}

function connectionFailure(thrown: unknown, said: string): Failure {
  // These errors of pg have no code.
  if (/connection terminated|connection ended|not queryable/i.test(said)) return noConnection(causes.brokenConnection);
  if (/does not support SSL/i.test(said)) return noConnection(causes.noEncryption, false);
  if (/SASL|SCRAM|password must be a string/i.test(said)) return noConnection(causes.wrongPassword, false);
  return causeOf(thrown);
}
