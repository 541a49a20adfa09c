// The rows of a run's journal → what each effect finds of itself when the run is executed again: by branch, position and part.
import type { LogEntry } from '../../../runtime/types.js';
import { type EntryRow, entryKinds } from '../store/slot-writes.js';

export class BranchRecords {
  /** Rows by position, then by part. */
  readonly #effects = new Map<number, Map<number, EntryRow>>();
  /** Entries of the log that no effect brought, oldest first. */
  readonly #entries: LogEntry[] = [];
  #firstEntry = 0;
  /** The position after the last one that has a row. */
  end = 0;

  add(row: EntryRow): void {
    if (row.kind === entryKinds.log) {
      // Those of an effect come with its record, and are not made again.
      if (row.seq === null) this.#entries.push(...(JSON.parse(row.body ?? '[]') as LogEntry[])); // written by `log`
      return;
    }
    if (row.seq === null) return;
    const parts = this.#effects.get(row.seq);
    if (parts === undefined) this.#effects.set(row.seq, new Map([[row.part ?? 0, row]]));
    else parts.set(row.part ?? 0, row);
    this.end = Math.max(this.end, row.seq + 1);
  }

  /** Any row of a position: they agree about its kind and place. */
  at(seq: number): EntryRow | undefined {
    return this.#effects.get(seq)?.values().next().value;
  }

  part(seq: number, part: number): EntryRow | undefined {
    return this.#effects.get(seq)?.get(part);
  }

  /** The position is behind: what it recorded can be let go of. */
  forget(seq: number): void {
    this.#effects.delete(seq);
  }

  /** Whether this entry was written before. A warning about the environment of today may come between those that were. */
  wasLogged({ type, line, message }: LogEntry): boolean {
    const next = this.#entries[this.#firstEntry];
    if (next === undefined || next.type !== type || next.line !== line) return false;
    if (type === 'warning' && next.message !== message) return false;
    this.#firstEntry++;
    return true;
  }
}

export class RunRecords {
  readonly #branches = new Map<string, BranchRecords>();
  /** Rows so far: the position of the next one. */
  pos = 0;
  /** Attempts so far. */
  effects = 0;

  add(row: EntryRow): void {
    this.pos = row.pos + 1;
    if (row.kind === entryKinds.call) this.effects++;
    if (row.kind !== entryKinds.resumed) this.branch(row.branch).add(row);
  }

  branch(path: string): BranchRecords {
    let branch = this.#branches.get(path);
    if (branch === undefined) {
      branch = new BranchRecords();
      this.#branches.set(path, branch);
    }
    return branch;
  }
}
