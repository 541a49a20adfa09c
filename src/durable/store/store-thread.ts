// The operations of the writing thread on the slots of its process, called by name. What a method writes is on disk when it resolves.
import { type GivenUp, giveUpFile } from './given-up-files.js';
import { OtherSlots } from './other-slots.js';
import { rekeyFiles, usedElsewhere } from './rekeying.js';
import type { Sealing } from './sealing.js';
import type { SharedFile } from './shared-file.js';
import { isSlotLocked, lockSlot, Slot } from './slot.js';
import { countOldRuns, hasOldRuns } from './slot-pruning.js';
import {
  type Adopted,
  adoptRunning,
  dueRuns,
  type EntryPart,
  earliestDue,
  type OwnRun,
  readEntries,
  releaseRunning,
  runColumns,
  toRunRow,
  type WokenRun,
} from './slot-runs.js';
import type { RunRow, SlotWrite, StoredState } from './slot-writes.js';
import { sqliteCode, sqliteCodes } from './sqlite.js';
import { beginSlot, type TakenSlot } from './taken-slot.js';
import type { UnreadableSlots } from './unreadable-slots.js';

/** What was found of dead processes. */
export interface Abandoned {
  readonly taken: readonly TakenSlot[];
  /** SQLite's code of the last failure that kept a slot from being taken. */
  readonly fault?: number;
}

export class StoreThread {
  readonly #folder: string;
  readonly #shared: SharedFile;
  readonly #slots = new Map<number, Slot>();
  readonly #unreadable: UnreadableSlots;
  readonly #others: OtherSlots;

  constructor(folder: string, shared: SharedFile, unreadable: UnreadableSlots) {
    this.#folder = folder;
    this.#shared = shared;
    this.#unreadable = unreadable;
    this.#others = new OtherSlots(folder, (number) => this.#slots.get(number)?.database, unreadable);
  }

  get sealing(): Sealing {
    return this.#shared.sealing;
  }

  /** Takes the first sound slot that no living process has and, with `empty`, that contains no unfinished run either. */
  async takeSlot(empty: boolean): Promise<TakenSlot> {
    for (let number = 0; ; number++) {
      if (this.#slots.has(number)) continue;
      const taken = this.#unreadable.tolerate(number, () => this.#take(number, (slot) => !empty || !slot.hasUnfinished()));
      if (taken !== undefined) return this.#listed(taken);
    }
  }

  /** Takes this slot; `undefined` if a living process has it. @throws UsageError if it is damaged */
  async takeThis(number: number): Promise<TakenSlot | undefined> {
    const taken = this.#unreadable.insist(number, () => this.#take(number, () => true));
    return taken === undefined ? undefined : this.#listed(taken);
  }

  /** Takes the slots of dead processes that contain unfinished runs. */
  async takeAbandoned(): Promise<Abandoned> {
    const taken: TakenSlot[] = [];
    let fault: number | undefined;
    for (const number of this.#numbers()) {
      try {
        if (this.#slots.has(number)) {
          this.#unreadable.tolerate(number, () => undefined); // its file may be missing by now
          continue;
        }
        // Its process may have an earlier version of wf, which does not list it.
        const isUnlisted = !this.#unreadable.slots.isListed(number);
        if (isUnlisted && this.#others.epochOf(number) > 0) await this.#unreadable.slots.add(number);
        if (this.#slots.has(number) || !this.#others.holdsUnfinished(number)) continue;
        const found = this.#unreadable.tolerate(number, () => this.#take(number, (slot) => slot.hasUnfinished()));
        if (found !== undefined) taken.push(await this.#listed(found));
      } catch (error) {
        // Keep what else was taken.
        fault = sqliteCode(error);
      }
    }
    return { taken, ...(fault === undefined ? {} : { fault }) };
  }

  adoptRunning(slot: number, at: number, only?: number): Adopted {
    return adoptRunning(this.#slot(slot), at, only);
  }

  dueRuns(slot: number, at: number, limit: number): readonly WokenRun[] {
    return dueRuns(this.#slot(slot), at, limit);
  }

  earliestDue(slot: number): number | undefined {
    return earliestDue(this.#slot(slot));
  }

  commit(slot: number, writes: readonly SlotWrite[]): void {
    this.#slot(slot).commit(writes);
  }

  /** A run of one of this process's slots. */
  loadRun(slot: number, n: number): RunRow | undefined {
    const row = this.#slot(slot).prepared(`SELECT ${runColumns} FROM runs WHERE n = ?`).get(n);
    return row === undefined ? undefined : toRunRow(row, slot, this.sealing);
  }

  /** The journal of a run from a position on. */
  loadEntries(slot: number, n: number, id: string, from: number): EntryPart {
    return readEntries(this.#slot(slot).database, this.sealing, { n, id }, from);
  }

  /** Releases a slot. With `released`, what still runs in it does not count as interrupted. */
  releaseSlot(number: number, released: boolean): void {
    const slot = this.#slot(number);
    if (released) releaseRunning(slot);
    this.#close(slot);
  }

  /** The runs with these ids that are in a slot of this process, with their states. */
  ownRuns(ids: readonly string[]): OwnRun[] {
    const found: OwnRun[] = [];
    for (const slot of this.#slots.values()) {
      for (const id of ids) {
        const row = slot.prepared('SELECT n, state, due FROM runs WHERE id = unhex(?)').get(id);
        if (row === undefined) continue;
        const due = row.due === null ? null : Number(row.due);
        found.push({ id, slot: slot.number, n: Number(row.n), state: row.state as StoredState, due }); // only these are written
      }
    }
    return found;
  }

  countOldRuns(before: number, now: number): number {
    let count = 0;
    for (const number of this.#numbers()) count += this.#others.ask(number, (file) => countOldRuns(file, { before, now })) ?? 0;
    return count;
  }

  /** Whether there may be any. */
  hasOldRuns(before: number, now: number): boolean {
    // Asks all of them, to find those that can't be read.
    const answers = this.#numbers().map((number) => this.#others.ask(number, (file) => hasOldRuns(file, { before, now })));
    return answers.some((has) => has !== false);
  }

  /**
   * Encrypts the store with another key, or with none.
   * @throws UsageError if another process uses the store, or part of it is damaged
   */
  async rekey(key: Uint8Array | undefined): Promise<void> {
    const taken: Slot[] = [];
    try {
      for (const number of this.#numbers()) {
        const slot = this.#slots.has(number) ? undefined : this.#unreadable.insist(number, () => this.#lock(number));
        if (slot === undefined) throw usedElsewhere();
        taken.push(slot);
      }
      await rekeyFiles(this.#shared, taken, key, () => this.#numbers().length === taken.length);
    } finally {
      for (const slot of taken) this.#close(slot);
    }
  }

  /** See `giveUpFile`. @throws UsageError also if another process uses the store */
  async giveUp(file: string): Promise<GivenUp> {
    if (this.isUsedElsewhere()) throw usedElsewhere();
    return giveUpFile(this.#shared, this.#unreadable, file);
  }

  /** Whether another process has a slot of this store. */
  isUsedElsewhere(): boolean {
    return this.#numbers().some((number) => !this.#slots.has(number) && isSlotLocked(this.#folder, number));
  }

  /** Whether this ownership of a slot is over. */
  isGone(number: number, epoch: number): boolean {
    const own = this.#slots.get(number);
    if (own !== undefined) return own.epoch !== epoch;
    return !isSlotLocked(this.#folder, number) || this.#others.epochOf(number) !== epoch;
  }

  close(): void {
    for (const slot of this.#slots.values()) slot.close();
    this.#slots.clear();
    this.#others.close();
  }

  #slot(number: number): Slot {
    const slot = this.#slots.get(number);
    if (slot === undefined) throw new Error(`Slot ${number} is not this process's own`);
    return slot;
  }

  #lock(number: number): Slot | undefined {
    const lock = lockSlot(this.#folder, number);
    if (lock === undefined) return undefined;
    try {
      const slot = new Slot(this.#folder, number, lock, this.sealing);
      this.#slots.set(number, slot);
      return slot;
    } catch (error) {
      lock.close();
      throw error;
    }
  }

  #close(slot: Slot): void {
    this.#slots.delete(slot.number);
    slot.close();
  }

  /** Takes a slot that no living process uses. One that the main thread never learns of must not stay locked. */
  #take(number: number, isWanted: (slot: Slot) => boolean): TakenSlot | undefined {
    let slot: Slot | undefined;
    let taken: TakenSlot | undefined;
    try {
      slot = this.#lock(number);
      // A change of the key looks for slots after it has announced itself, so one of the two notices the other.
      this.#shared.requireKey();
      if (slot !== undefined && isWanted(slot)) taken = beginSlot(slot);
    } catch (error) {
      if (sqliteCode(error) !== sqliteCodes.busy) throw error;
    } finally {
      if (taken === undefined && slot !== undefined) this.#close(slot);
    }
    return taken;
  }

  /** A slot is listed before it has runs, or nobody would miss its file. */
  async #listed(taken: TakenSlot): Promise<TakenSlot> {
    try {
      await this.#unreadable.slots.add(taken.slot);
      return taken;
    } catch (error) {
      const slot = this.#slots.get(taken.slot);
      if (slot !== undefined) this.#close(slot);
      throw error;
    }
  }

  #numbers(): number[] {
    return this.#unreadable.slots.numbers();
  }
}
