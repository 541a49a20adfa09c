// Failures of databases, mail servers and folders: codes and sentences. What the system itself said only goes into `body`,
// because it may quote values.
import { type Failure, failed, notSent } from './call-errors.js';

/** Maximum rows of a result. */
export const mostRows = 100_000;

export const noConnector = (what: string): Failure =>
  notSent(
    'WF670',
    `${what} needs a driver, which this program does not have: run the module with wf, or install the package wf-lang next to it`,
  );

export const missingDriver = (what: string, driver: string, why = 'is not installed'): Failure =>
  notSent('WF670', `${what} needs the package ${driver}, which ${why}`);

export const statementRefused = (problem: string, more: Partial<Failure> = {}): Failure => failed('WF663', problem, more);

export const constraintViolated = (problem: string, body: string): Failure => failed('WF664', problem, { status: 409, body });

export const tooManyRows = (): Failure =>
  failed('WF665', 'the result has more than 100,000 rows; ask for fewer, or let the database summarize them');

export const resultTooLarge = (): Failure => failed('WF665', 'the result is larger than 10 MiB; ask for fewer rows or columns');

export const textWithNul = (): Failure =>
  failed('WF665', 'a text in the result contains the character NUL (code 0), so it cannot be read whole; select hex(…) of it');

/** @param what `its file`, `sales.xlsx` */
export const fileTooLarge = (what: string, limit: string): Failure => failed('WF665', `${what} is larger than ${limit}`);

export const badDatabaseValue = (problem: string): Failure => notSent('WF674', problem);

/** @param retryable true for replies 400 to 499, which ask to try again later */
export const mailRefused = (problem: string, more: Partial<Failure>): Failure => failed('WF666', problem, more);

export const badMessage = (problem: string): Failure => notSent('WF667', problem);

export const fileFailed = (problem: string, more: Partial<Failure> = {}): Failure => failed('WF668', problem, more);

export const badFileValue = (problem: string): Failure => notSent('WF668', problem);

export const outsideFolder = (problem: string): Failure => notSent('WF669', problem);
