// One run in the memory of this process: executes its module with its journal, writes its progress, and tells those who wait for it. It
// ends with an outcome, or is released; then the store has everything that another execution needs.
import type { Cancellable, EndSignal, LightSignal } from '../../../runtime/run/cancellation.js';
import type { AskedTask, EffectSite, Question, WantedMessage } from '../../../runtime/run/durable-run.js';
import { suspensionOf } from '../../../runtime/run/durable-run.js';
import type { RunOptions, WfRecord } from '../../../runtime/types.js';
import type { RunResult } from '../../engine/engine.js';
import type { FoundAnswer, FoundMessage, JournalHost } from '../journal/journal-host.js';
import { RunJournal } from '../journal/run-journal.js';
import type { RunRecords } from '../journal/run-records.js';
import { keyAddress } from '../model/addresses.js';
import { createdAt } from '../model/run-ids.js';
import { type StoredState, type StoreWrite, storedStates } from '../model/run-rows.js';
import type { DurableStatus, WaitingFor } from '../model/run-views.js';
import { keyOfCall, type RunExtra, storedExtra, storedOutcome, storedRequest } from '../model/stored-run.js';
import type { OwnVersion } from '../model/versions.js';
import type { RunWriter } from '../store/port.js';

/** The reason why a run is ended or released from outside. */
type Stop = 'cancelled' | 'released';

export class LiveRun implements JournalHost {
  readonly id: string;
  readonly n: number;
  readonly startedAt: number;
  readonly parts: LiveRunParts;
  readonly journal: RunJournal;
  /** Resolves when the run has left memory, and the consequences are on disk. */
  readonly left: Promise<LeftMemory>;
  waiting: WaitingFor | undefined;
  /** Whether it waits for so long that its caller is answered, by the clock as it was when the wait began. */
  answersCaller = false;
  extra: RunExtra;
  /** It has waited for a message or a person, so something for it may remain when it ends. */
  isAwaited: boolean;
  /** Something arrived while the run was being released: wake it immediately. */
  isKnocked = false;
  readonly watchers = new RunWatchers();
  readonly #abort = new LightAbort();
  #isAccepted: boolean;
  #generation = 0;
  /** The commit that its first record is part of. */
  #acceptedIn: number | undefined;
  #hasProgress = false;
  #stop: Stop | undefined;
  #knocks: (() => void)[] = [];
  #hurries: (() => void)[] = [];

  constructor(parts: LiveRunParts) {
    this.parts = parts;
    this.id = parts.id;
    this.n = parts.n;
    this.startedAt = createdAt(parts.id);
    this.extra = parts.extra;
    this.isAwaited = parts.records.isAwaited;
    this.#isAccepted = parts.isAccepted;
    this.journal = new RunJournal(this, parts.records);
    this.left = this.#execute();
  }

  get status(): DurableStatus {
    return this.waiting === undefined ? 'running' : 'waiting';
  }

  /** Ends or releases the run immediately, aborting work in progress. */
  stop(why: Stop, message: string = why): void {
    this.#stop ??= why;
    if (why === 'released') this.journal.suspend('released');
    this.#abort.abort(new Error(message));
  }

  /** Starts no more effects; those in progress may end and be recorded. Waits do not delay it. */
  release(): void {
    this.journal.release();
  }

  /** Another process has the run, or may have it. */
  lose(): void {
    this.journal.suspend('lost');
    this.#abort.abort();
  }

  knock(): void {
    this.isKnocked = true;
    for (const resolve of this.#knocks.splice(0)) resolve();
  }

  knocked(): Promise<void> {
    return new Promise((resolve) => this.#knocks.push(resolve));
  }

  get retriedAt(): number {
    return this.extra.retriedAt ?? 0;
  }

  skippedAt(line: number): number {
    return this.extra.skipped?.[line] ?? 0;
  }

  hurried(): Promise<void> {
    return new Promise((resolve) => this.#hurries.push(resolve));
  }

  /** Ends waits early. @param hurried the properties of the run that say which */
  hurry(hurried: (extra: RunExtra) => RunExtra): void {
    this.remember(hurried(this.extra));
    for (const resolve of this.#hurries.splice(0)) resolve();
    // It may be leaving memory.
    this.knock();
  }

  isSame(recorded: number | null, site: EffectSite): boolean {
    return recorded === site.site;
  }

  keyOf(branch: string, seq: number): string {
    return keyOfCall(this.id, keyAddress(branch, seq), this.extra);
  }

  /** The run and its request are on disk: callers may be told of it. */
  get isRecorded(): boolean {
    if (this.parts.isAccepted) return true;
    return this.#acceptedIn !== undefined && this.parts.writer.isDurable(this.#acceptedIn);
  }

  accept(): void {
    if (!this.#isAccepted) this.#writeFirst(storedStates.running, null, null);
  }

  #writeFirst(state: StoredState, finished: number | null, outcome: string | null): void {
    const { version, request, options } = this.parts;
    this.#isAccepted = true;
    this.write([
      'run',
      this.n,
      this.id,
      version.v,
      state,
      finished,
      storedRequest(request, options.received, this.parts.isSealed ? version.hash : undefined),
      outcome,
      storedExtra(this.extra),
    ]);
    this.#acceptedIn = this.#generation;
  }

  write(write: StoreWrite): void {
    this.#generation = this.parts.writer.write(write);
    this.parts.engine.progress(this);
    if (write[0] !== 'entry' || !this.parts.isAccepted || this.#hasProgress) return;
    // It was adopted and has come further than before, so adoptions are counted afresh.
    this.#hasProgress = true;
    this.parts.writer.write(['progress', this.n]);
  }

  flush(): void {
    this.parts.writer.flush();
  }

  /** Saves a rarely used property of a run. */
  remember(more: RunExtra): void {
    this.extra = { ...this.extra, ...more };
    if (this.#isAccepted) this.write(['extra', this.n, JSON.stringify(this.extra)]);
  }

  durable(): Promise<void> | undefined {
    return this.parts.writer.durable(this.#generation);
  }

  get isLost(): boolean {
    return this.parts.writer.isLost === true;
  }

  /** Resolves when everything written is on disk, or the run is lost. */
  async settled(): Promise<void> {
    await this.durable();
    if (this.isLost) this.journal.suspend('lost');
  }

  describe(site: EffectSite): void {
    this.parts.writer.describe(this.parts.version.v, site);
  }

  siteText(site: number | null): string {
    const known = site === null ? undefined : this.parts.writer.siteOf(this.parts.version.v, site);
    return known === undefined ? 'something else' : `line ${known.line}, "${known.title}"`;
  }

  wantMessage(address: string, wanted: WantedMessage, due: number | undefined): Promise<FoundMessage | undefined> {
    return this.parts.engine.wantMessage(this, address, wanted, due);
  }

  messageDone(address: string, isRecorded: boolean): void {
    this.parts.engine.messageDone(this, address, isRecorded);
  }

  openTask(address: string, question: Question, due: number | undefined): Promise<AskedTask> {
    return this.parts.engine.openTask(this, address, question, due);
  }

  answerOf(address: string, isLast?: boolean): Promise<FoundAnswer | undefined> {
    return this.parts.engine.answerOf(this, address, isLast);
  }

  taskDone(address: string): void {
    this.parts.engine.taskDone(this, address);
  }

  showWaiting(waiting: WaitingFor | undefined, due: number | undefined): void {
    const { timeoutMs } = this.parts.version.info;
    const limit = timeoutMs === undefined ? undefined : this.startedAt + timeoutMs;
    const until = due === undefined || (limit !== undefined && limit < due) ? limit : due;
    this.waiting = waiting;
    this.accept();
    if (waiting === undefined) this.write(['state', this.n, storedStates.running, null, null]);
    else this.write(['state', this.n, storedStates.waiting, until ?? null, JSON.stringify(waiting)]);
    this.parts.engine.waits(this, waiting, until);
  }

  async #execute(): Promise<LeftMemory> {
    // The creator of the run needs it before anything can happen.
    await null;
    let left: LeftMemory;
    try {
      left = this.#leave(await this.parts.execute(this, this.#abort));
    } catch (error) {
      left = this.#leaveAfter(error);
    }
    if (left.kind === 'outcome' && !this.journal.hasEffects && !this.parts.isAccepted && this.extra.key === undefined) {
      if (this.parts.writer.flushLazily() === undefined) return left;
    }
    await this.settled();
    // It was cancelled on its way out, when nothing of it could be interrupted any more.
    if (left.kind === 'parked' && this.#stop === 'cancelled') {
      left = this.#cancelled();
      await this.settled();
    }
    // Nothing that was unwritten when the store was lost has happened.
    return this.journal.suspended === 'lost' ? { kind: 'lost' } : left;
  }

  #leave({ outcome, cause }: Executed): LeftMemory {
    const { suspended } = this.journal;
    const isInterrupted = outcome.error?.code === 'WF691';
    if (suspended !== undefined && suspended !== 'released') return this.#suspended(suspended);
    if (isInterrupted && this.#stop === 'released') return this.#suspended('released');
    if (isInterrupted && this.#stop === 'cancelled') {
      this.journal.finish(false);
      return this.#cancelled();
    }
    // A run that exceeded its time limit or was interrupted need not reach everything that is recorded.
    const byItself = outcome.error === undefined || !/^WF69[0-3]$/.test(outcome.error.code);
    this.journal.finish(byItself);
    this.#end(storedStates[outcome.status], outcome);
    return { kind: 'outcome', outcome, cause };
  }

  #cancelled(): LeftMemory {
    this.#end(storedStates.cancelled, { message: 'The run was cancelled.' });
    return { kind: 'cancelled' };
  }

  #end(state: StoredState, outcome: Parameters<typeof storedOutcome>[0]): void {
    // The clock may have been set back.
    const finished = Math.max(Date.now(), this.startedAt);
    const stored = storedOutcome(outcome, this.journal.dropped);
    if (this.#isAccepted) this.write(['end', this.n, state, finished, stored]);
    else this.#writeFirst(state, finished, stored);
  }

  #leaveAfter(error: unknown): LeftMemory {
    const { suspended } = this.journal;
    // A run being released may fail on its way out.
    const reason = suspensionOf(error) ?? (suspended === 'released' || suspended === 'lost' ? suspended : undefined);
    // Its module is gone or damaged, or there is a bug here: someone must look, and nothing may be lost.
    if (reason === undefined) this.journal.stuck = error instanceof Error ? error.message : String(error);
    return this.#suspended(reason ?? 'stuck');
  }

  #suspended(reason: 'parked' | 'lost' | 'released' | 'stuck'): LeftMemory {
    if (reason === 'stuck') {
      this.accept();
      this.write(['state', this.n, storedStates.stuck, null, null]);
      this.remember({ stuck: this.journal.stuck ?? 'The run cannot continue.' });
    }
    if (reason === 'released') {
      this.accept();
      if (this.waiting === undefined) this.write(['state', this.n, storedStates.released, null, null]);
    }
    return { kind: reason };
  }
}

export class LightAbort implements LightSignal {
  #aborted = false;
  #reason: unknown;
  #members: Set<Cancellable> | undefined;

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  listen(member: Cancellable): () => void {
    this.#members ??= new Set();
    const members = this.#members;
    members.add(member);
    return () => members.delete(member);
  }

  /** @param reason an Error whose message says why, if there is more to say than that it was interrupted */
  abort(reason?: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    for (const member of [...(this.#members ?? [])]) member.cancelled();
  }
}

/** The events that watchers wait for; `paused`: the run begins to wait for long. */
export type WatchedEvent = LeftMemory | { readonly kind: 'paused' } | { readonly kind: 'failed'; readonly error: unknown };

type RunWatcher = (event: WatchedEvent) => void;

export class RunWatchers {
  #watchers: RunWatcher[] | undefined;
  #last: WatchedEvent | undefined;
  /** Whether the run has waited for long: its caller may have been answered. */
  hasPaused = false;

  /** Calls back once: at the next event, or immediately if the run has left memory. */
  add(watcher: RunWatcher): void {
    if (this.#last !== undefined) watcher(this.#last);
    else if (this.#watchers === undefined) this.#watchers = [watcher];
    else this.#watchers.push(watcher);
  }

  tell(event: WatchedEvent): void {
    if (event.kind === 'paused') this.hasPaused = true;
    else this.#last = event;
    const watchers = this.#watchers;
    this.#watchers = undefined;
    for (const watcher of watchers ?? []) watcher(event);
  }
}

/** How its module ended. `cause`: the bug behind an internal error. */
type Executed = Pick<RunResult, 'outcome' | 'cause'>;

/** The way in which a run left memory. */
export type LeftMemory =
  | ({ readonly kind: 'outcome' } & Executed)
  | { readonly kind: 'cancelled' | 'parked' | 'released' | 'lost' | 'stuck' };

export interface LiveRunParts {
  readonly writer: RunWriter;
  readonly version: OwnVersion;
  readonly id: string;
  readonly n: number;
  readonly request: WfRecord;
  readonly records: RunRecords;
  readonly isAccepted: boolean;
  /** Its request is stored with a key. */
  readonly isSealed: boolean;
  readonly extra: RunExtra;
  readonly execute: (run: LiveRun, signal: EndSignal) => Promise<Executed>;
  readonly options: RunOptions;
  readonly engine: LiveRunEngine;
}

/** The port of a live run to its engine. */
export interface LiveRunEngine {
  wantMessage(run: LiveRun, address: string, wanted: WantedMessage, due: number | undefined): Promise<FoundMessage | undefined>;
  messageDone(run: LiveRun, address: string, isRecorded: boolean): void;
  openTask(run: LiveRun, address: string, question: Question, due: number | undefined): Promise<AskedTask>;
  answerOf(run: LiveRun, address: string, isLast?: boolean): Promise<FoundAnswer | undefined>;
  taskDone(run: LiveRun, address: string): void;
  /** The run has changed; watchers want to know. */
  progress(run: LiveRun): void;
  /** The run begins or stops waiting. */
  waits(run: LiveRun, waiting: WaitingFor | undefined, due: number | undefined): void;
}
