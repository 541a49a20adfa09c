// Connections to PostgreSQL. Abandoned statements are cancelled on the server. A connection that may carry state over from a call
// (settings, locks, an open transaction) is never reused.
import { EventEmitter, once } from 'node:events';
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import pg, { types } from 'pg';
import { type Failure, noConnection } from '../../../runtime/services/call-errors.js';
import { causeOf } from '../../../runtime/services/cause.js';
import {
  constraintViolated,
  mostRows,
  resultTooLarge,
  statementRefused,
  tooManyRows,
} from '../../../runtime/services/connector-errors.js';
import type { DatabaseTask } from '../../../runtime/services/connector-types.js';
import type { Value } from '../../../runtime/types.js';
import { parseJson } from '../../../runtime/values/json.js';
import { show } from '../../../runtime/values/values.js';
import { connectAsAsked, type ServerAddress, type TlsOptions, tlsOptions } from './address.js';
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
import { type BoundValue, type Dialect, sqlStatementOf } from './statement.js';

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
  if (/establishing an SSL connection/i.test(said)) return noConnection('what answers there is not PostgreSQL', false);
  if (/SASL|SCRAM|password must be a string/i.test(said)) return noConnection(causes.wrongPassword, false);
  return causeOf(thrown);
}

// Runs one statement through PostgreSQL's extended protocol, which accepts a single statement and sends values separately. Rows are
// counted as they arrive, and nothing is committed before the last one has been read.

/** Methods of pg's connection, some of which its types leave out. */
interface Wire {
  parse(message: { text: string; name: string; types: readonly number[] }): void;
  bind(message: { portal: string; statement: string; values: readonly (string | null)[]; binary: boolean }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: { portal: string; rows: number }): void;
  flush(): void;
  sync(): void;
  sendCopyFail(reason: string): void;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

interface DataRow {
  /** Length of the message in bytes, without its first byte. */
  readonly length: number;
  readonly fields: readonly (string | null)[];
}

/** For pg's `Client.query`, which calls the `handle…` methods. */
class PostgresQuery extends EventEmitter {
  readonly result: Promise<Result>;
  readonly #text: string;
  readonly #values: readonly (string | null)[];
  readonly #collector = new RowCollector();
  #resolve: (result: Result) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #columns: readonly string[] | undefined;
  #readers: readonly ((text: string) => Value)[] = [];
  #affected = 0;
  #ended = false;

  /** @param giveUp called when the result is too large; the connection can't be used again */
  constructor(
    text: string,
    values: readonly (string | null)[],
    private readonly giveUp: () => void,
  ) {
    super();
    this.#text = text;
    this.#values = values;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.result.catch(() => {});
  }

  submit(wire: Wire): void {
    wire.parse({ text: this.#text, name: '', types: [] });
    wire.bind({ portal: '', statement: '', values: this.#values, binary: false });
    wire.describe({ type: 'P', name: '' });
    wire.execute({ portal: '', rows: mostRows + 1 });
    // No sync yet: the server commits when it receives one, and all rows have to be read before that.
    wire.flush();
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#columns = fields.map(({ name }) => name);
    this.#readers = fields.map(({ dataTypeID }) => postgresReader(dataTypeID));
  }

  handleDataRow({ length, fields }: DataRow): void {
    if (this.#ended) return;
    const row = fields.map((text, index) => (text === null ? null : (this.#readers[index]?.(text) ?? null)));
    const problem = this.#collector.add(row, length - 6 - 4 * fields.length);
    if (problem !== undefined) this.#stop(problem);
  }

  handlePortalSuspended(): void {
    this.#stop(tooManyRows());
  }

  handleCommandComplete({ text }: { readonly text: string }, wire: Wire): void {
    this.#affected = Number(/ (\d+)$/.exec(text)?.[1] ?? 0);
    wire.sync();
  }

  handleEmptyQuery(wire: Wire): void {
    wire.sync();
  }

  handleCopyInResponse(wire: Wire): void {
    wire.sendCopyFail('no data comes with this call');
  }

  handleCopyData(): void {}

  handleReadyForQuery(): void {
    if (this.#ended) return;
    this.#ended = true;
    const columns = this.#columns === undefined ? {} : { columns: this.#columns };
    this.#resolve({ ...columns, rows: this.#collector.rows, affected: this.#affected });
  }

  handleError(error: Error, wire: Wire): void {
    // After an error, the server ignores everything until the next sync.
    if ('severity' in error) wire.sync();
    this.#fail(error);
  }

  #stop(problem: Failure): void {
    this.#fail(new Failed(problem));
    this.giveUp();
  }

  #fail(error: unknown): void {
    this.#ended = true;
    this.#reject(error);
  }
}

type Read = (text: string) => Value;

const boolean: Read = (text) => text === 't';
/** PostgreSQL writes doubles with enough digits to restore them. `NaN` and infinities remain text. */
const float: Read = (text) => (/^-?(\d|\.)/.test(text) ? Number(text) : text);
const json: Read = (text) => {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : text;
};
/** `\x00ff` → base64, the usual form of bytes in JSON. */
const bytes: Read = (text) => (text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex').toString('base64') : text);
/** `2026-03-01 09:30:00+00` → `2026-03-01T09:30:00Z`. Leaves `infinity` and years BC unchanged. */
const time: Read = (text) => {
  const [, date, clock, offset = ''] = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d(?::\d\d)*)?$/.exec(text) ?? [];
  if (date === undefined) return text;
  return `${date}T${clock}${offset === '+00' ? 'Z' : /^[+-]\d\d$/.test(offset) ? `${offset}:00` : offset}`;
};

/** By type (pg_type.oid) and by type of its arrays. All other types remain text. */
const readers = new Map<number, Read>();
const readAs = (read: Read, ...oids: readonly (readonly [one: number, list: number])[]): void => {
  for (const [one, list] of oids) readers.set(one, read).set(list, listOf(read));
};

/** The actual signature; the package's types describe another release. Multidimensional arrays become lists of lists. */
const lists = types.arrayParser as unknown as {
  create(text: string, read: (item: string | null) => Value): { parse(): Value[] };
};

const listOf =
  (read: Read): Read =>
  (text) =>
    lists.create(text, (item) => (item === null ? null : read(item))).parse();

readAs(boolean, [16, 1000]);
readAs(exactNumber, [20, 1016], [21, 1005], [23, 1007], [26, 1028], [1700, 1231]);
readAs(float, [700, 1021], [701, 1022]);
readAs(time, [1114, 1115], [1184, 1185]);
readAs(json, [114, 199], [3802, 3807]);
readAs(bytes, [17, 1001]);
// Text, names, dates, identifiers: only their arrays need parsing.
readAs((text) => text, [25, 1009], [1043, 1015], [1042, 1014], [19, 1003], [1082, 1182], [2950, 2951]);

/** The parser for a type. */
const postgresReader = (oid: number): Read => readers.get(oid) ?? ((text) => text);

/** PostgreSQL infers the type of a text parameter from its place in the statement. */
function postgresText(value: BoundValue): string | null {
  return value === null ? null : show(value);
}
