// Translates errors of MySQL and MariaDB into failures in plain words, by error number.
import { type Failure, noConnection } from '../../../runtime/call-errors.js';
import { constraintViolated, statementRefused } from '../../../runtime/connector-errors.js';
import { causeOf } from '../../../runtime/services/cause.js';

/** The properties of an error that matter here. */
interface ServerError {
  readonly errno?: unknown;
  readonly sqlState?: unknown;
  readonly sqlMessage?: unknown;
  readonly code?: unknown;
}

const notNull = 'a column must not be empty (NOT NULL)';
const unique = 'a value that must be unique is there already (UNIQUE)';
const foreignKey = 'a row refers to another one that is not there, or is still referred to (FOREIGN KEY)';
const check = 'a value is not allowed (CHECK)';

const constraints: ReadonlyMap<unknown, string> = new Map([
  ...[1048, 1364].map((number) => [number, notNull] as const),
  ...[1022, 1062, 1169, 1557, 1586].map((number) => [number, unique] as const),
  ...[1216, 1217, 1451, 1452, 1761, 1762].map((number) => [number, foreignKey] as const),
  ...[3819, 4025].map((number) => [number, check] as const),
]);

const transient: ReadonlyMap<unknown, string> = new Map([
  [1020, 'the database could not put this change in order with others'],
  [1040, 'the database has too many connections'],
  [1053, 'the database is shutting down'],
  [1203, 'this user has too many connections'],
  [1205, 'a row or table is locked'],
  [1213, 'the database ended a deadlock'],
  [1927, 'the connection to the database was ended there'],
]);

const signIn: ReadonlySet<unknown> = new Set([1044, 1045, 1698, 1130]);

const refusals: ReadonlyMap<unknown, string> = new Map([
  [1021, 'the disk of the database is full'],
  [1054, 'there is no such column'],
  [1064, 'the statement is not valid SQL'],
  [1114, 'the disk of the database is full'],
  [1142, 'this user may not do that'],
  [1146, 'there is no such table'],
  [1264, 'a value does not fit the type of its column'],
  [1265, 'a value does not fit the type of its column'],
  [1292, 'a value does not fit the type of its column'],
  [1366, 'a value does not fit the type of its column'],
  [1406, 'a value does not fit the type of its column'],
]);

/** Errors that can only quote the statement, because the server has not looked at any value yet. */
const aboutTheStatement: ReadonlySet<unknown> = new Set([1054, 1064, 1142, 1146]);

/** @param quotesNames whether the server's own words may be shown; false if a value became a name in the statement */
export function mysqlFailure(thrown: unknown, quotesNames: boolean): Failure {
  const { errno, sqlState, sqlMessage } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as ServerError; // all its fields are unknown
  const said = typeof sqlMessage === 'string' ? sqlMessage : '';
  if (typeof sqlState !== 'string') return connectionFailure(thrown);
  const constraint =
    constraints.get(errno) ?? (sqlState === '23000' ? 'a constraint of the database would be violated' : undefined);
  if (constraint !== undefined) return constraintViolated(constraint, said);
  if (signIn.has(errno) || sqlState.startsWith('28'))
    return noConnection('the database does not accept the user and password of its address', false);
  if (errno === 1049) return noConnection('there is no such database', false);
  const passing =
    transient.get(errno) ?? (sqlState === '40001' || sqlState.startsWith('08') ? 'the database could not do it now' : undefined);
  if (passing !== undefined) return statementRefused(passing, { retryable: true, body: said });
  const publicCause = refusals.get(errno) ?? `the database refused the statement (error ${String(errno)})`;
  const cause = aboutTheStatement.has(errno) && quotesNames && said !== '' ? `${publicCause} (${said})` : publicCause;
  return statementRefused(cause, { publicCause, body: said });
}

function connectionFailure(thrown: unknown): Failure {
  const { code } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as ServerError; // all its fields are unknown
  if (code === 'PROTOCOL_CONNECTION_LOST') return noConnection('the connection to the database broke');
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT')
    return noConnection('the database offers no encryption, and its address asks for it', false);
  // mysql2 replaces the code of a TLS error but keeps its message.
  if (code === 'HANDSHAKE_SSL_ERROR' && thrown instanceof Error && /certificate|altnames/i.test(thrown.message))
    return noConnection('its certificate is not trusted', false, true);
  return causeOf(thrown);
}
