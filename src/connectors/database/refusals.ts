// Refusals that all databases share.
import type { Failure } from '../../../runtime/call-errors.js';
import { statementRefused } from '../../../runtime/connector-errors.js';

/** @param said the database's own message; may be empty */
export const severalStatements = (said: string): Failure =>
  statementRefused('there is more than one statement in it; a call runs one', said === '' ? {} : { body: said });

export const oneTransaction = (): Failure =>
  statementRefused('each call is a transaction of its own: begin and commit cannot stand in one');
