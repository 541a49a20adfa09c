// The slots whose files can't be read, as a thread of a store finds them: damaged and missing ones, and those of another user. Their runs are
// left out, and all others go on.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { faultCode } from '../../engine/files/file-fault.js';
import { UsageError } from '../../engine/usage-error.js';
import type { ListedSlots } from './listed-slots.js';
import { slotFileName, slotLockName } from './slot.js';
import { isDamaged, sqliteCode, sqliteCodes } from './sqlite.js';

/** Why a file can't be read. */
export type FileTrouble = 'damaged' | 'denied' | 'missing' | 'empty';

const wholeBackup = 'Stop all processes that use the store, and restore its whole folder from one backup.';

export const troubles = {
  damaged: {
    problem: 'is damaged',
    wayOut: 'Stop all processes that use the store, and restore its folder from a backup.',
  },
  denied: {
    problem: 'cannot be opened: permission is denied',
    wayOut: 'Give it to the user who owns the folder, and run wf as that user only.',
  },
  missing: { problem: 'is missing', wayOut: wholeBackup },
  empty: { problem: 'is empty', wayOut: wholeBackup },
} as const;

/** Reports a file. */
export function troubleReport(file: string, trouble: FileTrouble): string {
  const { problem, wayOut } = troubles[trouble];
  const lastWayOut = trouble === 'denied' ? '' : ` Without a backup, give up its runs: wf runs give-up ${file}`;
  return `The file ${file} of the store ${problem}. The runs in it are neither shown nor continued. ${wayOut}${lastWayOut}`;
}

/** Whether a file contains the runs of one of these slots. */
export const isFileOf = (slots: Iterable<number>, file: string): boolean =>
  [...slots].some((slot) => slotFileName(slot) === file);

/** Whether even its own process can't use the file. */
export const isLoss = (trouble: FileTrouble): boolean => trouble === 'missing' || trouble === 'empty';

/** Why a store can't be used any more, as the end of a sentence. */
export const unusable = (trouble: FileTrouble): string => `one of its files ${troubles[trouble].problem}`;

class UnreadableFile extends UsageError {}

/** For those who need what is in such a file. @param file its name, if it is known */
export const troubleError = (trouble: FileTrouble, file?: string): UsageError =>
  new UnreadableFile(
    `${file === undefined ? 'A file' : `The file ${file}`} of the store ${troubles[trouble].problem}.`,
    troubles[trouble].wayOut,
  );

export class UnreadableSlots {
  readonly slots: ListedSlots;
  readonly #known = new Map<string, FileTrouble>();
  readonly #onFound: (file: string, trouble: FileTrouble) => void;

  /** @param onFound called once for each file */
  constructor(slots: ListedSlots, onFound: (file: string, trouble: FileTrouble) => void) {
    this.slots = slots;
    this.#onFound = onFound;
  }

  /** The result of the work with the files of a slot; `undefined` if one can't be read. */
  tolerate<T>(slot: number, work: () => T): T | undefined {
    try {
      return this.insist(slot, work);
    } catch (error) {
      if (error instanceof UnreadableFile) return undefined;
      throw error;
    }
  }

  /** The same. @throws UsageError if one can't be read */
  insist<T>(slot: number, work: () => T): T {
    const loss = this.slots.lossOf(slot);
    if (loss !== undefined) throw this.#found(slotFileName(slot), loss);
    try {
      return work();
    } catch (error) {
      throw this.#noted(slot, error) ?? error;
    }
  }

  /** Why the file with the runs of a slot can't be read, as far as it is known. */
  troubleOf(slot: number): FileTrouble | undefined {
    return this.#known.get(slotFileName(slot)) ?? this.#known.get(slotLockName(slot));
  }

  /** The files of a slot are gone, and nothing is missed any more. */
  forget(slot: number): void {
    this.#known.delete(slotFileName(slot));
  }

  /** @throws UsageError if a file is known that can't be read */
  refuse(): void {
    for (const [file, trouble] of this.#known) throw troubleError(trouble, file);
  }

  #noted(slot: number, error: unknown): UsageError | undefined {
    const denied = sqliteCode(error) === sqliteCodes.cannotOpen ? this.#deniedFile(slot) : undefined;
    if (denied === undefined && !isDamaged(error)) return undefined;
    const [file, trouble]: [string, FileTrouble] = denied === undefined ? [slotFileName(slot), 'damaged'] : [denied, 'denied'];
    return this.#found(file, trouble);
  }

  #found(file: string, trouble: FileTrouble): UsageError {
    if (!this.#known.has(file)) this.#onFound(file, trouble);
    this.#known.set(file, trouble);
    return troubleError(trouble, file);
  }

  #deniedFile(slot: number): string | undefined {
    return [slotFileName(slot), slotLockName(slot)].find((file) => {
      try {
        accessSync(path.join(this.slots.folder, file), constants.R_OK | constants.W_OK);
        return false;
      } catch (error) {
        return faultCode(error) === 'EACCES';
      }
    });
  }
}
