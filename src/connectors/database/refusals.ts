// Refusals and causes of failures that all databases word alike.
import type { Failure } from '../../../runtime/services/call-errors.js';
import { statementRefused } from '../../../runtime/services/connector-errors.js';

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
