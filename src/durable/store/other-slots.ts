// Opens the files of other processes' slots, to find out whether they contain unfinished runs, and to delete finished ones. Needs no lock:
// locks determine who executes runs, not who may read or delete them.
import { slotFile } from './slot.js';
import { storedStates } from './slot-writes.js';
import { type Database, loadSqlite } from './sqlite.js';
import type { UnreadableSlots } from './unreadable-slots.js';

/** Maximum milliseconds that a file may be held by its own process. */
export const BUSY_MS = 50;

export class OtherSlots {
  readonly #folder: string;
  readonly #own: (slot: number) => Database | undefined;
  readonly #unreadable: UnreadableSlots;
  readonly #open = new Map<number, Database>();

  /** @param own the file of a slot that this process already has open: a second connection would only wait for the first */
  constructor(folder: string, own: (slot: number) => Database | undefined, unreadable: UnreadableSlots) {
    this.#folder = folder;
    this.#own = own;
    this.#unreadable = unreadable;
  }

  holdsUnfinished(slot: number): boolean {
    const { running, waiting, released } = storedStates;
    const sql = 'SELECT 1 FROM runs WHERE state IN (?, ?, ?) LIMIT 1';
    return this.ask(slot, (file) => file.prepare(sql).get(running, waiting, released)) !== undefined;
  }

  epochOf(slot: number): number {
    const row = this.ask(slot, (file) => file.prepare("SELECT value FROM meta WHERE key = 'epoch'").get());
    return Number(row?.value ?? 0);
  }

  /** `undefined` for a file that is busy or damaged, or was created just now. */
  ask<T>(slot: number, question: (file: Database) => T): T | undefined {
    try {
      return this.#unreadable.tolerate(slot, () => question(this.#own(slot) ?? this.#file(slot)));
    } catch {
      return undefined;
    }
  }

  close(): void {
    for (const file of this.#open.values()) file.close();
    this.#open.clear();
  }

  #file(slot: number): Database {
    let file = this.#open.get(slot);
    if (file === undefined) {
      const { DatabaseSync } = loadSqlite();
      file = new DatabaseSync(slotFile(this.#folder, slot), { timeout: BUSY_MS });
      this.#open.set(slot, file);
    }
    return file;
  }
}
