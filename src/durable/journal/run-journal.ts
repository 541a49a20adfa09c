// The journal of one executing run: the counters and rules that its branches share. First replays recorded results. From the first effect
// without a record on, writes each one, and sends nothing before everything ahead of it is on disk.
import { type DurableRun, type EffectSite, refuseRun, type SuspensionReason, suspend } from '../../../runtime/run/durable-run.js';
import { innermostFirst } from '../model/addresses.js';
import { type EntryKind, entryWrite } from '../model/entries.js';
import type { WaitingFor } from '../model/run-views.js';
import { BranchJournal, type BranchOptions } from './branch-journal.js';
import type { JournalHost } from './journal-host.js';
import type { RunRecords } from './run-records.js';

/** Maximum recorded attempts, waits, messages and questions per run. */
const MOST_EFFECTS = 100_000;
/** Maximum stored log entries. */
const MOST_LOGGED = 10_000;
/** Maximum characters of a recorded result, as JSON. */
const LONGEST_RESULT = 8 * 1024 * 1024;

/** One row, without its number and position. */
export interface NewEntry {
  readonly kind: EntryKind;
  readonly branch: string;
  readonly seq: number | null;
  readonly part: number | null;
  readonly site?: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ms?: number | undefined;
  readonly body?: string | undefined;
}

export class RunJournal implements DurableRun {
  readonly protocol = 1;
  readonly main: BranchJournal;
  readonly host: JournalHost;
  readonly records: RunRecords;
  readonly gate = new ReplayGate((waits) => this.#waits(waits));
  /** The reason why the run became `stuck`, in one sentence. */
  stuck: string | undefined;
  /** Number of log entries that were not stored. */
  dropped = 0;
  /** Open branches except for `main`. */
  #open: Set<BranchJournal> | undefined;
  #suspended: SuspensionReason | undefined;
  /** It leaves while it waits: what it waits for is recorded, and its branches close one after the other. */
  #isLeaving = false;
  /** Rows since it was released: it has them only if it ends without another effect. */
  #atEnd: NewEntry[] | undefined;
  #pos: number;
  #effects: number;
  #logged = 0;

  constructor(host: JournalHost, records: RunRecords) {
    this.host = host;
    this.records = records;
    this.#pos = records.pos;
    this.#effects = records.effects;
    if (records.pos === 0) this.gate.open();
    this.main = new BranchJournal(this, '', host.startedAt);
  }

  get id(): string {
    return this.host.id;
  }

  get startedAt(): number {
    return this.host.startedAt;
  }

  get isReplay(): boolean {
    return this.host.isDry === true;
  }

  /** Whether anything happened that must not happen again. */
  get hasEffects(): boolean {
    return this.#pos > 0;
  }

  /** Starts no more effects; those in progress may still be recorded. */
  suspend(reason: SuspensionReason): void {
    this.#suspended ??= reason;
  }

  /** Starts no more effects, and leaves as soon as the run only waits. */
  release(): void {
    this.suspend('released');
    if (this.#suspended === 'released') this.#leave(this.gate.waits ?? [], 'released');
  }

  get suspended(): SuspensionReason | undefined {
    return this.#suspended;
  }

  /** Whether it may come to its end here: a run that is released does, unless it has another effect. */
  get canEnd(): boolean {
    return this.#suspended === undefined || this.#suspended === 'released';
  }

  /** @throws a suspension if the run is to be released */
  check(): void {
    if (this.#suspended !== undefined) throw suspend(this.#suspended);
  }

  /** The run becomes `stuck` at its next effect, or with the current one, of which nothing is recorded. */
  cannotGoOn(why: string): void {
    this.stuck ??= why;
    this.suspend('stuck');
  }

  /** @throws a suspension: the effect recorded at this position differs from the current one */
  diverged(recorded: string, found: string): never {
    this.cannotGoOn(divergedMessage(recorded, found, this.records.changedEnv));
    throw suspend('stuck');
  }

  /** Opens a separate line of execution. */
  newBranch(path: string, now: number, options?: BranchOptions): BranchJournal {
    const branch = new BranchJournal(this, path, now, options);
    this.#open ??= new Set();
    this.#open.add(branch);
    return branch;
  }

  /** Closes what is open in a branch, the innermost first. */
  closeInside(path: string): void {
    const inside = [...(this.#open ?? [])].filter((branch) => branch.path.startsWith(`${path}/`));
    for (const branch of inside.sort(innermostFirst)) branch.close();
  }

  closed(branch: BranchJournal): void {
    this.#open?.delete(branch);
    this.records.drop(branch.path);
  }

  /** Resolves when everything ahead of an effect is on disk; only then may it happen. @throws a suspension */
  async before(branch: BranchJournal): Promise<void> {
    await this.ahead(branch);
    this.passed(branch);
  }

  /**
   * The first part of `before`, for calls, which spare a promise this way: resolves when everything ahead is on disk; `undefined` if it already
   * is. Call `passed` after it. @throws a suspension
   */
  ahead(branch: BranchJournal): Promise<void> | undefined {
    branch.check();
    branch.writeLog();
    this.host.accept();
    return this.host.durable();
  }

  passed(branch: BranchJournal): void {
    if (this.host.isLost === true) this.suspend('lost');
    branch.check();
  }

  /** @throws if the run has made as many attempts as can be stored */
  countEffect(): void {
    if (this.#effects >= MOST_EFFECTS) {
      throw refuseRun({
        code: 'WF631',
        message: `The run was stopped after ${MOST_EFFECTS.toLocaleString('en')} calls and waits: more cannot be kept. Divide the work among several runs.`,
      });
    }
    this.#effects++;
  }

  /** Writes a row, which is on disk after the next commit. */
  write({ branch, seq, part, kind, site, at, ms, body }: NewEntry): void {
    this.host.accept();
    const row = { pos: this.#pos++, branch, seq, part, kind, site: site ?? null, at, ms: ms ?? null, body: body ?? null };
    this.host.write(entryWrite(this.host.n, row));
  }

  /** Writes a row, or keeps it for the end of a run that is being released: it may not come to that here. */
  writeUnlessReleased(entry: NewEntry): void {
    if (this.#suspended === undefined) this.write(entry);
    else {
      this.#atEnd ??= [];
      this.#atEnd.push(entry);
    }
  }

  /** A result as JSON. @throws if it is too long to store */
  bodyOf(site: EffectSite, body: string): string {
    if (body.length <= LONGEST_RESULT) return body;
    throw refuseRun({
      code: 'WF630',
      message: `${site.service ?? site.title} gave ${Math.ceil(body.length / 1024 / 1024)} MB in line ${site.line}; a run with a store can keep results of up to 8 MB.`,
    });
  }

  /** Whether one more log entry can be stored. */
  countLogged(): boolean {
    if (this.#logged >= MOST_LOGGED) {
      this.dropped++;
      return false;
    }
    this.#logged++;
    return true;
  }

  /** All branches wait, or one continues. If none needs the run in memory, it is released. */
  #waits(waits: readonly Paused[] | undefined): void {
    if (this.#isLeaving) return;
    if (this.#suspended !== undefined) {
      // Such a run is not shown as waiting: a branch that stopped at its next effect, instead of ending, goes on as soon as the run does.
      this.#leave(waits ?? [], this.#suspended);
      return;
    }
    // Nothing wakes a run that is not in memory for the turn of a call.
    const first = waits?.every(({ waiting }) => waiting !== undefined) ? waits[0] : undefined;
    const others = (waits?.length ?? 0) - 1;
    this.host.showWaiting(first?.waiting && { ...first.waiting, ...(others > 0 ? { others } : {}) }, first?.due);
    if (waits === undefined) return;
    if (this.host.leavesToWait !== true && !waits.every(({ isLong }) => isLong)) return;
    this.suspend('parked');
    this.#leave(waits, 'parked');
  }

  #leave(waits: readonly Paused[], reason: SuspensionReason): void {
    if (waits.length > 0) this.#isLeaving = true;
    for (const { park } of waits) park(reason);
  }

  /**
   * Records the end of the workflow.
   * @param byItself it reached its end and was not ended from outside
   * @throws a suspension if it did not reach effects that are recorded
   */
  finish(byItself: boolean): void {
    const { end } = this.records.branch('');
    if (byItself && this.main.seq < end)
      this.diverged(this.host.siteText(this.records.branch('').at(this.main.seq)?.site ?? null), 'it ended');
    for (const branch of [...(this.#open ?? [])].sort(innermostFirst)) branch.writeLog();
    this.main.writeLog();
    for (const entry of this.#atEnd ?? []) this.write(entry);
  }
}

/** @param changedEnv variables that have other values than when the run started, the usual cause */
function divergedMessage(recorded: string, found: string, changedEnv: readonly string[]): string {
  const said = `The run took another path than recorded: ${found}, and what was recorded there is ${recorded}. Nothing was sent.`;
  if (changedEnv.length === 0) return said;
  const names = changedEnv.join(', ');
  return changedEnv.length === 1
    ? `${said} The environment variable ${names} has another value than when this run started. Restore it and resume the run, or cancel it.`
    : `${said} Environment variables have other values than when this run started: ${names}. Restore them and resume the run, or cancel it.`;
}

/**
 * Lets no branch of a run send anything while another can still continue with records: which branch ended a block, and what each had done
 * by then, must be the same as recorded. Also knows when a run only waits and need not stay in memory.
 */
class ReplayGate {
  /** Executing branches, except for those that wait for a block of their own. */
  #active = 0;
  #isOpen = false;
  /** By branch: the function that continues it. Like the pauses, created when needed: most runs replay and wait for nothing. */
  #waiting: Map<object, () => void> | undefined;
  #paused: Set<Paused> | undefined;
  readonly #onChange: (waits: readonly Paused[] | undefined) => void;
  #isIdle = false;

  /** @param onChange called with what the run waits for when all its branches do, and with `undefined` when one continues */
  constructor(onChange: (waits: readonly Paused[] | undefined) => void) {
    this.#onChange = onChange;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  enter(): void {
    this.#active++;
  }

  /** Notes that a branch is over, or waits for a block of its own. Its waits no longer count. */
  leave(branch: object): void {
    this.#active--;
    this.#waiting?.delete(branch);
    for (const paused of this.#paused ?? []) if (paused.branch === branch) this.#paused?.delete(paused);
    this.#look();
  }

  /** Resolves when every branch has reached something that is not recorded. */
  pass(branch: object): Promise<void> | undefined {
    if (this.#isOpen) return undefined;
    this.#waiting ??= new Map();
    const waiting = this.#waiting;
    if (this.#active <= waiting.size + 1) {
      this.open();
      return undefined;
    }
    return new Promise((resolve) => waiting.set(branch, resolve));
  }

  /** Notes that a branch waits. */
  pause(paused: Paused): void {
    this.#paused ??= new Set();
    this.#paused.add(paused);
    this.#look();
  }

  resume(paused: Paused): void {
    if (this.#paused?.delete(paused)) this.#look();
  }

  /** The waits of the run; `undefined` if a branch does something else. */
  get waits(): readonly Paused[] | undefined {
    return this.#isIdle ? [...(this.#paused ?? [])] : undefined;
  }

  #look(): void {
    const { size: waiting = 0 } = this.#waiting ?? {};
    if (!this.#isOpen && waiting > 0 && waiting >= this.#active) this.open();
    const paused = this.#paused ?? [];
    const isIdle = this.#paused !== undefined && this.#paused.size > 0 && this.#paused.size >= this.#active;
    if (!isIdle && !this.#isIdle) return;
    this.#isIdle = isIdle;
    const time = ({ due }: Paused): number => due ?? Number.POSITIVE_INFINITY;
    this.#onChange(isIdle ? [...paused].sort((one, other) => time(one) - time(other)) : undefined);
  }

  /** Lets all branches pass: nothing is recorded. */
  open(): void {
    this.#isOpen = true;
    for (const resolve of this.#waiting?.values() ?? []) resolve();
    this.#waiting = undefined;
  }
}

interface Paused {
  /** The branch that waits. */
  readonly branch: object;
  readonly waiting: WaitingFor | undefined;
  /** Milliseconds since 1970; absent if it lasts until something arrives. */
  readonly due: number | undefined;
  /** The run need not stay in memory for it. */
  readonly isLong: boolean;
  /** Abandons the wait: the run is released. */
  readonly park: (reason: SuspensionReason) => void;
}
