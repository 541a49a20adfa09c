// Translates errors of MySQL and MariaDB into failures in plain words, by error number.
import { type Failure, noConnection } from '../../../runtime/services/call-errors.js';
import { causeOf } from '../../../runtime/services/cause.js';
import { constraintViolated, statementRefused } from '../../../runtime/services/connector-errors.js';
import { causes } from './refusals.js';

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

/** @param quotesNames whether the server's own words may be shown; false if a value became a name in the statement */
export function mysqlFailure(thrown: unknown, quotesNames: boolean): Failure {
  const { errno, sqlState, sqlMessage } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as ServerError; // all its fields are unknown
  const said = typeof sqlMessage === 'string' ? sqlMessage : '';
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

function connectionFailure(thrown: unknown): Failure {
  const { code } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as ServerError; // all its fields are unknown
  if (code === 'PROTOCOL_CONNECTION_LOST') return noConnection(causes.brokenConnection);
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT') return noConnection(causes.noEncryption, false);
  // mysql2 replaces the code of a TLS error but keeps its message.
  if (code === 'HANDSHAKE_SSL_ERROR' && thrown instanceof Error && /certificate|altnames/i.test(thrown.message))
    return noConnection('its certificate is not trusted', false, true);
  return causeOf(thrown);
}
