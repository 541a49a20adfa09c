// Translates errors of SQLite into failures in plain words. It matches messages, because not every API reports an error number.
import { type Failure, noConnection } from '../../../runtime/services/call-errors.js';
import { constraintViolated, statementRefused } from '../../../runtime/services/connector-errors.js';
import { causes } from './causes.js';

const constraints: readonly (readonly [RegExp, string])[] = [
  [/^NOT NULL constraint/i, causes.notNull],
  [/^UNIQUE constraint/i, causes.unique],
  [/^FOREIGN KEY constraint/i, causes.foreignKey],
  [/^CHECK constraint/i, causes.check],
  [/constraint failed|cannot store \w+ value in/i, causes.otherConstraint],
];

const refusals: readonly (readonly [RegExp, string])[] = [
  [/^no such table/i, causes.noTable],
  [/no such column|has no column named/i, causes.noColumn],
  [/^datatype mismatch/i, causes.wrongType],
  [/syntax error|incomplete input|unrecognized token/i, causes.notSql],
];

/** @param quotesNames whether SQLite's own words may be shown; false if a value became a name in the statement */
export function sqliteFailure(said: string, quotesNames: boolean): Failure {
  const constraint = constraints.find(([pattern]) => pattern.test(said));
  if (constraint !== undefined) return constraintViolated(constraint[1], said);
  if (/database (table )?is locked/i.test(said))
    return statementRefused('another program has locked the database file', { retryable: true, body: said });
  if (/unable to open/i.test(said))
    return noConnection('the database file cannot be opened: its folder is missing, or permission is denied', false);
  if (/not a database|malformed|encrypted/i.test(said))
    return noConnection('the file is damaged, or is not an SQLite database', false);
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
