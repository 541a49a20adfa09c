// The recorded rows of a run, where effects find their records on replay: by branch, position and part.
import type { LogEntry, Value } from '../../../runtime/types.js';
import { addressOfEffect, blockOf, deepestFirst, isInside, outerBranch, pathOfBlock } from '../model/addresses.js';
import { type EntryRow, endOfStep, entriesOfRow, entryKinds, isBegin, msBetween, partOf, waitKinds } from '../model/entries.js';
import { leavesMemory } from './waits.js';

class BranchRecords {
  /** Rows by position, then by part. */
  #effects: Map<number, Map<number, EntryRow>> | undefined;
  /** Log entries that don't belong to an effect, oldest first. */
  #entries: LogEntry[] | undefined;
  #firstEntry = 0;
  /** The steps that are open in this process: when each was opened in an earlier one, as ISO 8601, or `undefined` if it was in this one. */
  #openSince: (string | undefined)[] | undefined;
  /** The position after the last one that has a row. */
  end = 0;

  add(row: EntryRow): void {
    if (row.kind === entryKinds.log) {
      // Entries of an effect come with its record and are not created again.
      if (row.seq !== null) return;
      this.#entries ??= [];
      this.#entries.push(...entriesOfRow(row).filter(({ type }) => type !== 'warning'));
      return;
    }
    if (row.seq === null) return;
    this.#effects ??= new Map();
    const parts = this.#effects.get(row.seq);
    if (parts === undefined) this.#effects.set(row.seq, new Map([[row.part ?? 0, row]]));
    else parts.set(row.part ?? 0, row);
    this.end = Math.max(this.end, row.seq + 1);
  }

  /** Any row of a position: they agree on its kind and place. */
  at(seq: number): EntryRow | undefined {
    return this.#effects?.get(seq)?.values().next().value;
  }

  part(seq: number, part: number): EntryRow | undefined {
    return this.#effects?.get(seq)?.get(part);
  }

  /** Drops the records of a position that is done. */
  forget(seq: number): void {
    this.#effects?.delete(seq);
  }

  /** Whether this entry was written before. The end of a step gets its whole duration, also if the step began in an earlier process. */
  wasLogged(entry: LogEntry): boolean {
    const next = this.#entries?.[this.#firstEntry];
    const recorded = next?.type === entry.type && next.line === entry.line ? next : undefined;
    if (recorded !== undefined) this.#firstEntry++;
    if (entry.type === 'step') this.#noteStep(entry, recorded);
    return recorded !== undefined;
  }

  #noteStep(entry: LogEntry, recorded: LogEntry | undefined): void {
    if (entry.event === 'start') {
      this.#openSince ??= [];
      this.#openSince.push(recorded?.time);
      return;
    }
    const since = this.#openSince?.pop();
    if (since !== undefined) entry.durationMs = msBetween(since, entry.time);
  }

  /** Ends of the steps that were opened in an earlier process, and neither reached in this one nor closed, innermost first. */
  endsOfSteps(time: string): LogEntry[] {
    const open: LogEntry[] = [];
    for (const entry of this.#entries?.slice(this.#firstEntry) ?? []) {
      if (entry.type === 'step' && entry.event === 'start') open.push(entry);
      else if (entry.type === 'step') open.pop();
    }
    return open.reverse().map((start) => endOfStep(start, time));
  }
}

const isBegunWait = (row: EntryRow): boolean => isBegin(row) && waitKinds.has(row.kind);

/** Collections are created when they are needed: most runs are new and have no records. */
export class RunRecords {
  /** Environment variables with other values than when the run started. */
  changedEnv: readonly string[] = [];
  readonly #main = new BranchRecords();
  #branches: Map<string, BranchRecords> | undefined;
  /** The number of branches of each block that have started, by their common path: `4`, `4.0/2`. */
  #begun: Map<string, number> | undefined;
  /** Logged warnings about the environment. Which branch meets one first is arbitrary, and the current environment may differ. */
  #warnings: Set<Value> | undefined;
  /** Rows so far: the position of the next one. */
  pos = 0;
  /** Attempts, waits, messages and questions so far. */
  effects = 0;
  /** It has waited for a message or a person. */
  isAwaited = false;
  /** Waits that have not ended, and during which a run is not released, by place. */
  #shortWaits: Map<string, EntryRow> | undefined;

  add(row: EntryRow): void {
    this.pos = row.pos + 1;
    if (row.kind === entryKinds.call || isBegunWait(row)) this.effects++;
    if (row.kind === entryKinds.message || row.kind === entryKinds.person) this.isAwaited = true;
    if (row.kind === entryKinds.resumed) return;
    if (row.kind === entryKinds.log) this.#noteWarnings(row);
    if (row.ms !== null || row.kind === entryKinds.wait) this.#noteWait(row);
    if (row.branch !== '' && this.#branches?.has(row.branch) !== true) this.#count(row.branch);
    this.branch(row.branch).add(row);
  }

  #noteWait(row: EntryRow): void {
    const { kind, branch, seq, ms } = row;
    const begins = kind === entryKinds.retry || (kind === entryKinds.wait && isBegin(row));
    if (begins && !leavesMemory(ms ?? 0)) {
      this.#shortWaits ??= new Map();
      this.#shortWaits.set(addressOfEffect(branch, seq), row);
    } else if (kind === entryKinds.call || kind === entryKinds.wait) this.#shortWaits?.delete(addressOfEffect(branch, seq));
  }

  /** Whether a run that waits stays in memory for it. */
  get waitsInMemory(): boolean {
    return [...(this.#shortWaits?.values() ?? [])].some(({ branch }) => !this.isOver(branch));
  }

  #noteWarnings(row: EntryRow): void {
    this.#warnings ??= new Set();
    for (const { type, message } of entriesOfRow(row)) if (type === 'warning') this.#warnings.add(message);
  }

  /** Notes that a branch has started, and so have those around it. */
  #count(path: string): void {
    this.#begun ??= new Map();
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const dot = path.lastIndexOf('.', end - 1);
      const block = path.slice(0, dot);
      this.#begun.set(block, Math.max(this.#begun.get(block) ?? 0, Number(path.slice(dot + 1, end)) + 1));
    }
  }

  /** Whether a block around this branch has ended. */
  isOver(path: string): boolean {
    if (path === '') return false;
    const outer = outerBranch(path);
    return this.branch(outer).part(blockOf(path), partOf.end) !== undefined || this.isOver(outer);
  }

  /** The number of branches of the block at this position that have started. */
  begunOf(path: string, seq: number): number {
    return this.#begun?.get(pathOfBlock(path, seq)) ?? 0;
  }

  /** Whether this entry of a branch was written before. */
  wasLogged(path: string, entry: LogEntry): boolean {
    return entry.type === 'warning' ? this.#warnings?.has(entry.message) === true : this.branch(path).wasLogged(entry);
  }

  /**
   * For a called workflow that ended before its records were replayed: the ends of the steps that it left open, by branch, the innermost
   * first. @param path its branch; includes those inside of it that were not opened
   */
  endsOfSteps(path: string, time: string): (readonly [branch: string, ends: LogEntry[]])[] {
    const inside = [...(this.#branches?.keys() ?? [])].filter((other) => isInside(other, path) && !this.isOver(other));
    return inside
      .sort(deepestFirst)
      .map((branch) => [branch, this.branch(branch).endsOfSteps(time)] as const)
      .filter(([, ends]) => ends.length > 0);
  }

  /** Drops the records of a branch that is over. */
  drop(path: string): void {
    if (path !== '') this.#branches?.delete(path);
  }

  branch(path: string): BranchRecords {
    if (path === '') return this.#main;
    this.#branches ??= new Map();
    let branch = this.#branches.get(path);
    if (branch === undefined) {
      branch = new BranchRecords();
      this.#branches.set(path, branch);
    }
    return branch;
  }
}
