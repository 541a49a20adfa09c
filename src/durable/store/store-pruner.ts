// Deletes old runs from the files of all slots, through connections that do nothing else.
import { OtherSlots } from './other-slots.js';
import { moveLog, type PrunedSlice, pruneFirst, pruneSlice } from './slot-pruning.js';
import type { UnreadableSlots } from './unreadable-slots.js';

export class StorePruner {
  readonly #unreadable: UnreadableSlots;
  readonly #files: OtherSlots;

  constructor(folder: string, unreadable: UnreadableSlots) {
    this.#unreadable = unreadable;
    this.#files = new OtherSlots(folder, () => undefined, unreadable);
  }

  /** Deletes some runs that ended before this moment, of any slot. */
  pruneSlice(before: number, now: number): PrunedSlice {
    return pruneFirst(this.#unreadable.slots.numbers(), (slot) =>
      this.#files.ask(slot, (file) => pruneSlice(file, { before, now })),
    );
  }

  /** Moves the write-ahead log of a slot into its file. */
  moveLog(slot: number): void {
    this.#files.ask(slot, moveLog);
  }

  close(): void {
    this.#files.close();
  }
}
