// Refusals that all databases share.
import type { Failure } from '../../../runtime/services/call-errors.js';
import { statementRefused } from '../../../runtime/services/connector-errors.js';

/** @param said the database's own message; may be empty */
export const severalStatements = (said: string): Failure =>
  statementRefused('the SQL contains several statements, but a call runs only one', said === '' ? {} : { body: said });

export const oneTransaction = (): Failure =>
  statementRefused('each call runs in its own transaction, so its SQL cannot contain begin or commit');
