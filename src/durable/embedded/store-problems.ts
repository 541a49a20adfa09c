// What failures of a store mean: some pass, and runs wait for that; a damaged file stays damaged.
import { damageCodes, sqliteCodes } from '../store/sqlite.js';
import { StoreFault } from '../store/store-client.js';

const passing: ReadonlyMap<number, string> = new Map([
  [sqliteCodes.full, 'the disk is full'],
  [sqliteCodes.readOnly, 'it is read-only'],
  [sqliteCodes.ioError, 'the disk reports an error'],
  [sqliteCodes.cannotOpen, 'its files cannot be opened'],
  [sqliteCodes.busy, 'another program holds it'],
]);

/** Why the store can't be written at the moment, as the end of a sentence; `undefined` for any other error. */
export const passingProblem = (error: unknown): string | undefined =>
  error instanceof StoreFault ? passing.get(error.sqlite) : undefined;

/** The same for a code of SQLite. That another program holds a file is usual where processes take over from each other. */
export const problemOfCode = (code: number | undefined): string | undefined =>
  code === undefined || code === sqliteCodes.busy ? undefined : passing.get(code);

/** Why something failed, as the end of a sentence. */
export const problemOf = (error: unknown): string =>
  passingProblem(error) ?? (error instanceof Error ? error.message : String(error));

export const isDamage = (error: unknown): boolean => error instanceof StoreFault && damageCodes.has(error.sqlite);
