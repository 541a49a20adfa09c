// Translates errors of SQLite into failures in plain words. It matches messages, because not every API reports an error number.
import { type Failure, noConnection } from '../../../runtime/call-errors.js';
import { constraintViolated, statementRefused } from '../../../runtime/connector-errors.js';

const constraints: readonly (readonly [RegExp, string])[] = [
  [/^NOT NULL constraint/i, 'a column must not be empty (NOT NULL)'],
  [/^UNIQUE constraint/i, 'a value that must be unique is there already (UNIQUE)'],
  [/^FOREIGN KEY constraint/i, 'a row refers to another one that is not there, or is still referred to (FOREIGN KEY)'],
  [/^CHECK constraint/i, 'a value is not allowed (CHECK)'],
  [/constraint failed|cannot store \w+ value in/i, 'a constraint of the database would be violated'],
];

const refusals: readonly (readonly [RegExp, string])[] = [
  [/^no such table/i, 'there is no such table'],
  [/no such column|has no column named/i, 'there is no such column'],
  [/^datatype mismatch/i, 'a value does not fit the type of its column'],
  [/syntax error|incomplete input|unrecognized token/i, 'the statement is not valid SQL'],
];

/** @param quotesNames whether SQLite's own words may be shown; false if a value became a name in the statement */
export function sqliteFailure(said: string, quotesNames: boolean): Failure {
  const constraint = constraints.find(([pattern]) => pattern.test(said));
  if (constraint !== undefined) return constraintViolated(constraint[1], said);
  if (/database (table )?is locked/i.test(said))
    return statementRefused('the database file is locked by another program', { retryable: true, body: said });
  if (/unable to open/i.test(said))
    return noConnection('the database file cannot be opened: its folder is missing, or permission is denied', false);
  if (/not a database|malformed|encrypted/i.test(said))
    return noConnection('the file is damaged, or is no SQLite database', false);
  if (/disk is full|disk I\/O error/i.test(said))
    return statementRefused('the disk is full or cannot be written', { body: said });
  if (/readonly/i.test(said)) return statementRefused('the database file cannot be written', { body: said });
  const known = refusals.find(([pattern]) => pattern.test(said))?.[1];
  const publicCause = known ?? 'the database refused the statement';
  // These are raised before SQLite looks at any value.
  return statementRefused(known !== undefined && quotesNames ? `${publicCause} (${said})` : publicCause, {
    publicCause,
    body: said,
  });
}
