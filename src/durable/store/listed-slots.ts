// The slots of a store: those with a file, and those that the shared file lists. A slot is listed once its file is on disk, and before its
// first run, so a listed slot without a file has lost its runs.
import { statSync } from 'node:fs';
import type { SharedFile } from './shared-file.js';
import { slotFile, slotNumbers } from './slot.js';

/** A new file is one page, and its log contains the tables. */
const PAGE_BYTES = 4_096;

export class ListedSlots {
  readonly folder: string;
  readonly #shared: SharedFile;

  constructor(folder: string, shared: SharedFile) {
    this.folder = folder;
    this.#shared = shared;
  }

  /** Numbers of all slots. */
  numbers(): number[] {
    const listed = this.#shared.all('SELECT slot FROM slots').map(({ slot }) => Number(slot));
    return [...new Set([...listed, ...slotNumbers(this.folder)])].sort((one, other) => one - other);
  }

  /** Lists a slot with tables. Earlier versions of wf do not. */
  async add(slot: number): Promise<void> {
    if (this.isListed(slot)) return;
    await this.#shared.change(() => this.#shared.run('INSERT OR IGNORE INTO slots(slot) VALUES(?)', slot));
  }

  /** It is no longer missed. */
  async remove(slot: number): Promise<void> {
    await this.#shared.change(() => {
      this.#shared.run('DELETE FROM slots WHERE slot = ?', slot);
      // A new file counts its owners from the beginning: these keys would seem to belong to one that is about to write the run.
      this.#shared.run('DELETE FROM keys WHERE slot = ?', slot);
    });
  }

  /** How a slot has lost its runs; `undefined` if it has not. */
  lossOf(slot: number): 'missing' | 'empty' | undefined {
    // Another process may have created the file between the first look and the look at the list.
    return this.#lack(slot) === undefined || !this.isListed(slot) ? undefined : this.#lack(slot);
  }

  isListed(slot: number): boolean {
    return this.#shared.get('SELECT 1 FROM slots WHERE slot = ?', slot) !== undefined;
  }

  #lack(slot: number): 'missing' | 'empty' | undefined {
    const file = slotFile(this.folder, slot);
    const bytes = sizeOf(file);
    if (bytes === undefined) return 'missing';
    return bytes === 0 || (bytes <= PAGE_BYTES && (sizeOf(`${file}-wal`) ?? 0) === 0) ? 'empty' : undefined;
  }
}

const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size;
