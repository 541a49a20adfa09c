// Counts the text of runs that waits in memory to be recorded. A run of which nothing must be on disk yet ends before it is recorded, but
// not while much is waiting: on a slow disk, or one that hangs, that would fill the memory.
import type { StoreWrite } from '../../model/run-rows.js';

/** Characters that may wait. */
const most = 4 * 1024 * 1024;

export class Backlog {
  #characters = 0;

  get isLong(): boolean {
    return this.#characters > most;
  }

  add(write: StoreWrite): void {
    this.#characters += lengthOf(write);
  }

  /** These are recorded, or never will be. */
  remove(writes: readonly StoreWrite[]): void {
    for (const write of writes) this.#characters -= lengthOf(write);
  }
}

function lengthOf(write: StoreWrite): number {
  let length = 0;
  for (const part of write) if (typeof part === 'string') length += part.length;
  return length;
}
