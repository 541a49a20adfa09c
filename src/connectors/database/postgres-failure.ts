// Translates errors of PostgreSQL into failures in plain words, by SQLSTATE.
import { type Failure, noConnection } from '../../../runtime/services/call-errors.js';
import { causeOf } from '../../../runtime/services/cause.js';
import { constraintViolated, statementRefused } from '../../../runtime/services/connector-errors.js';
import { causes, severalStatements } from './refusals.js';

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

/** @param quotesNames whether the server's own words may be shown; false if a value became a name in the statement */
export function postgresFailure(thrown: unknown, quotesNames: boolean): Failure {
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
