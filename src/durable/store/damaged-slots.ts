// The slots whose files can't be read, as a thread of a store finds them: damaged ones, and those of another user. Their runs are left out,
// and all others go on.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { faultCode } from '../../engine/file-fault.js';
import { UsageError } from '../../engine/usage-error.js';
import { isDamaged, sqliteCode, sqliteCodes } from './sqlite.js';

/** Why a file can't be read. */
export type FileTrouble = 'damaged' | 'denied';

export const troubles = {
  damaged: {
    problem: 'is damaged',
    wayOut: 'Stop all processes that use the store, and restore its folder from a backup.',
  },
  denied: {
    problem: 'cannot be opened: permission is denied',
    wayOut: 'Give it to the user who owns the folder, and run wf as that user only.',
  },
} as const;

/** Reports a file. */
export const troubleReport = (file: string, trouble: FileTrouble): string =>
  `The file ${file} of the store ${troubles[trouble].problem}. The runs in it are neither shown nor continued. ${troubles[trouble].wayOut}`;

/** For those who need what is in such a file. @param file its name, if it is known */
export const troubleError = (trouble: FileTrouble, file?: string): UsageError =>
  new UsageError(
    `${file === undefined ? 'A file' : `The file ${file}`} of the store ${troubles[trouble].problem}.`,
    troubles[trouble].wayOut,
  );

export class DamagedSlots {
  readonly #folder: string;
  readonly #known = new Set<string>();
  readonly #onFound: (file: string, trouble: FileTrouble) => void;

  /** @param onFound called once for each file */
  constructor(folder: string, onFound: (file: string, trouble: FileTrouble) => void) {
    this.#folder = folder;
    this.#onFound = onFound;
  }

  /** The result of the work with the files of a slot; `undefined` if one can't be read. */
  tolerate<T>(slot: number, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (this.#troubleOf(slot, error) === undefined) throw error;
      return undefined;
    }
  }

  /** The same. @throws UsageError if one can't be read */
  insist<T>(slot: number, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#troubleOf(slot, error) ?? error;
    }
  }

  #troubleOf(slot: number, error: unknown): UsageError | undefined {
    const denied = sqliteCode(error) === sqliteCodes.cannotOpen ? this.#deniedFile(slot) : undefined;
    if (denied === undefined && !isDamaged(error)) return undefined;
    const [file, trouble]: [string, FileTrouble] = denied === undefined ? [`s${slot}.db`, 'damaged'] : [denied, 'denied'];
    if (!this.#known.has(file)) this.#onFound(file, trouble);
    this.#known.add(file);
    return troubleError(trouble, file);
  }

  #deniedFile(slot: number): string | undefined {
    return [`s${slot}.db`, `s${slot}.lock`].find((file) => {
      try {
        accessSync(path.join(this.#folder, file), constants.R_OK | constants.W_OK);
        return false;
      } catch (error) {
        return faultCode(error) === 'EACCES';
      }
    });
  }
}
