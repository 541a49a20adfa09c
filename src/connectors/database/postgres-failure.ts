// Translates errors of PostgreSQL into failures in plain words, by SQLSTATE.
import { type Failure, noConnection } from '../../../runtime/call-errors.js';
import { constraintViolated, statementRefused } from '../../../runtime/connector-errors.js';
import { causeOf } from '../../../runtime/services/cause.js';
import { severalStatements } from './refusals.js';

/** The properties of a server error that matter here; pg has no type for its errors. */
interface ServerError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly severity?: unknown;
}

const constraints: Readonly<Record<string, string>> = {
  '23502': 'a column must not be empty (NOT NULL)',
  '23503': 'a row refers to another one that is not there, or is still referred to (FOREIGN KEY)',
  '23505': 'a value that must be unique is there already (UNIQUE)',
  '23514': 'a value is not allowed (CHECK)',
  '23P01': 'a row overlaps another one (EXCLUDE)',
};

const transient: Readonly<Record<string, string>> = {
  '40001': 'the database could not put this change in order with others (serialization failure)',
  '40P01': 'the database ended a deadlock',
  '55P03': 'a row or table is locked',
  '53300': 'the database has too many connections',
  '57P01': 'the database is shutting down',
  '57P02': 'the database is shutting down',
  '57P03': 'the database is starting or shutting down',
};

const refusals: Readonly<Record<string, string>> = {
  '22P02': 'a value does not fit the type of its column',
  '3D000': 'there is no such database',
  '42501': 'this user may not do that',
  '42601': 'the statement is not valid SQL',
  '42703': 'there is no such column',
  '42P01': 'there is no such table',
  '42P18': 'the type of a value cannot be told; write it, such as {request.id}::integer',
  '53100': 'the disk of the database is full',
};

/** @param quotesNames whether the server's own words may be shown; false if a value became a name in the statement */
export function postgresFailure(thrown: unknown, quotesNames: boolean): Failure {
  const { code, message, severity } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as ServerError;
  const said = typeof message === 'string' ? message : '';
  if (typeof code !== 'string' || typeof severity !== 'string') return connectionFailure(thrown, said);
  if (code.startsWith('23'))
    return constraintViolated(constraints[code] ?? 'a constraint of the database would be violated', said);
  if (code.startsWith('28')) return noConnection('the database does not accept the user and password of its address', false);
  const passing = transient[code] ?? (/^(08|53[234])/.test(code) ? 'the database could not do it now' : undefined);
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
  if (/connection terminated|connection ended|not queryable/i.test(said))
    return noConnection('the connection to the database broke');
  if (/does not support SSL/i.test(said))
    return noConnection('the database offers no encryption, and its address asks for it', false);
  if (/SASL|SCRAM|password must be a string/i.test(said))
    return noConnection('the database does not accept the user and password of its address', false);
  return causeOf(thrown);
}
