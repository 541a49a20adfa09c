// Which failures of a database are temporary, and their descriptions. Never includes an address or a password.
import { KeyChanged } from './key-guard.js';

/** Classes and codes of PostgreSQL (appendix A of its manual) after which the same work may succeed later. */
const passing: ReadonlyMap<string, string> = new Map([
  ['08', 'the connection to the database was lost'],
  ['53', 'the database has run out of resources'],
  ['57P', 'the database is restarting'],
  ['25006', 'the database is read-only'],
  ['25P03', 'the connection to the database was lost'],
  ['40', 'the database was busy'],
  ['55P03', 'the database was busy'],
]);

const network: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH', 'EAI_AGAIN', 'ENOTFOUND'],
]);

/** What is wrong in a process with a former key of the store. It is never over. */
export const keyChanged = 'its key was changed';

/** Errors of the driver without a code. */
const lost =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|client has encountered a connection error|query read timeout/i;

const codeOf = (error: unknown): string => {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
};

/** What is wrong, if the same work may succeed later; `undefined` for anything else. */
export function passingFault(error: unknown): string | undefined {
  // Work with the former key waits until its process ends. Processes with the new one take its runs.
  if (error instanceof KeyChanged) return keyChanged;
  if (error instanceof AggregateError) return error.errors.map(passingFault).find((fault) => fault !== undefined);
  const code = codeOf(error);
  for (const [prefix, words] of passing) if (code.startsWith(prefix)) return words;
  if (network.has(code)) return 'the database cannot be reached';
  return error instanceof Error && lost.test(error.message) ? 'the connection to the database was lost' : undefined;
}

/** Why a database can't be opened, as a sentence without a full stop, and what to do. */
export function openingFault(error: unknown, database: string): readonly [problem: string, hint: string] {
  const code = codeOf(error instanceof AggregateError ? error.errors[0] : error);
  if (code === '3D000') return ['the database does not exist', `Create it with: createdb ${database}`];
  if (code.startsWith('28')) return ['the user or the password is wrong', 'Check the user and the password in the address.'];
  if (code === '42501') return ['the user may not create schemas in it', 'Grant it: GRANT CREATE ON DATABASE … TO …'];
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return ['its host is unknown', 'Check the host in the address.'];
  if (code === 'ECONNREFUSED') return ['nothing answers there', 'Check the address, and that PostgreSQL is running.'];
  const words = passingFault(error) ?? (error instanceof Error ? error.message : String(error));
  return [words, 'Check the address, and that PostgreSQL is running.'];
}
