// The slots whose files are damaged, as a thread of a store finds them. Their runs are left out, and all others go on.
import { UsageError } from '../../engine/usage-error.js';
import { isDamaged } from './sqlite.js';

const WAY_OUT = 'Stop all processes that use the store, and restore its folder from a backup.';

const fileOf = (slot: number): string => `s${slot}.db`;

function sentence(files: readonly string[]): string {
  if (files.length === 0) return 'A file of the store is damaged';
  return files.length === 1
    ? `The file ${files[0]} of the store is damaged`
    : `The files ${files.join(', ')} of the store are damaged`;
}

/** Reports a damaged file. */
export const damageReport = (file: string): string =>
  `${sentence([file])}: the runs in it are neither shown nor continued. ${WAY_OUT}`;

/** For those who need what is in such files. @param files names, if they are known */
export const damageError = (files: readonly string[] = []): UsageError => new UsageError(`${sentence(files)}.`, WAY_OUT);

export class DamagedSlots {
  readonly #known = new Set<number>();
  readonly #onFound: (file: string) => void;

  /** @param onFound called once for each file */
  constructor(onFound: (file: string) => void) {
    this.#onFound = onFound;
  }

  /** The result of the work with the file of a slot; `undefined` if the file is damaged. */
  tolerate<T>(slot: number, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (!this.#isOf(slot, error)) throw error;
      return undefined;
    }
  }

  /** The same. @throws UsageError if the file is damaged */
  insist<T>(slot: number, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#isOf(slot, error) ? damageError([fileOf(slot)]) : error;
    }
  }

  #isOf(slot: number, error: unknown): boolean {
    if (!isDamaged(error)) return false;
    if (!this.#known.has(slot)) this.#onFound(fileOf(slot));
    this.#known.add(slot);
    return true;
  }
}
