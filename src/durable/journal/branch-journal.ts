// One line of execution in the journal of a run, with its own positions, log and `now`. Each effect either finds its record or creates one.
// `partOf` distinguishes the rows of one position. A block of concurrent branches or rounds, or a called workflow, records its start, so that
// nothing else can be mistaken for it, and its end, so that it always ends the same way; its branches have positions of their own.
import {
  type AttemptOptions,
  type CalledRun,
  type DurableBranch,
  type DurableCall,
  type DurableFork,
  type EffectSite,
  type ForkEnd,
  type Notify,
  type Performed,
  type Question,
  type Recorded,
  type RemindersAt,
  type Sleep,
  suspend,
  type TaskAnswer,
  type WantedMessage,
} from '../../../runtime/run/durable-run.js';
import type { LogEntry, Value } from '../../../runtime/types.js';
import { knownJson } from '../../../runtime/values/long-json.js';
import {
  type AttemptBody,
  attemptBody,
  type BeginBody,
  type EndBody,
  type EntryRow,
  endBody,
  entryKinds,
  isoOf,
  isRecordedAs,
  partOf,
} from '../model/entries.js';
import type { NewEntry, RunJournal } from './run-journal.js';
import { askAndWait, receiveMessage, untilDue, untilTurn, upToLatest, waitFor } from './waits.js';

/** Maximum milliseconds of uninterrupted replay, so that others get their turn. */
const REPLAY_MS = 8;

/**
 * The recorded part of a branch: nothing; its start; all of it, because its block has ended; or everything up to the moment when another
 * branch of its block ended the run.
 */
type Past = 'none' | 'begun' | 'whole' | 'cut off';

export interface BranchOptions {
  readonly past?: Past;
  /** It runs a called workflow: what is open in it ends with it. */
  readonly isCalled?: boolean;
  /** Milliseconds since 1970: no wait in it lasts longer. */
  readonly deadline?: number;
  readonly onClose?: (branch: BranchJournal) => void;
}

export class BranchJournal implements DurableBranch {
  readonly run: RunJournal;
  /** `""` for the run itself; otherwise position of the block and number of the branch, outermost first: `4.0/2.17`. */
  readonly path: string;
  now: number;
  /** The position of the next effect. */
  seq = 0;
  /** Created when they are needed: many runs log nothing. */
  #entries: LogEntry[] | undefined;
  #ofEffect: LogEntry[] | undefined;
  /** An effect is in progress. Entries logged meanwhile belong to it, and are not logged again on replay. */
  isInEffect = false;
  #replayedSince = 0;
  readonly deadline: number;
  readonly #past: Past;
  readonly #isCalled: boolean;
  readonly #onClose: ((branch: BranchJournal) => void) | undefined;
  #isClosed = false;
  /** Tells the store that nothing more is wanted for the message or the person that the branch waits for. */
  #endAwaited: ((isRecorded: boolean) => void) | undefined;

  constructor(run: RunJournal, path: string, now: number, options: BranchOptions = {}) {
    const { past = 'begun', isCalled = false, deadline = Number.POSITIVE_INFINITY, onClose } = options;
    this.#past = past;
    this.#isCalled = isCalled;
    this.deadline = deadline;
    this.#onClose = onClose;
    this.run = run;
    this.path = path;
    this.now = now;
    run.gate.enter();
  }

  /** Whether another branch of its block ended the run before this one had ended. */
  get isCutOff(): boolean {
    return this.#past === 'cut off';
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** @throws a suspension if the run is to be released, or the branch is over */
  check(): void {
    this.run.check();
    if (this.#isClosed) throw suspend('released');
  }

  /**
   * The next effect has no record: waits until no branch can continue with records. `undefined` if none can.
   * @throws a suspension, also if the branch has recorded more
   */
  pass({ line, title }: EffectSite): Promise<void> | undefined {
    this.check();
    if (this.isCutOff) throw suspend('released');
    if (this.#past === 'whole') this.run.diverged('the end of the branch', `line ${line}, "${title}"`);
    return this.run.gate.pass(this)?.then(() => this.check());
  }

  async ready(): Promise<void> {
    if (this.#past === 'none') await this.run.gate.pass(this);
  }

  complete(): void {
    const records = this.run.records.branch(this.path);
    if (this.seq < records.end) this.run.diverged(this.run.host.siteText(records.at(this.seq)?.site ?? null), 'the branch ended');
  }

  /** Takes the next position. @throws a suspension if something else is recorded there, or the run is to be released */
  next(site: EffectSite): number {
    this.check();
    const seq = this.seq++;
    const records = this.run.records.branch(this.path);
    records.forget(seq - 1);
    const recorded = records.at(seq);
    const { host } = this.run;
    if (recorded !== undefined && !(host.isSame(recorded.site, site, this.path, seq) && isRecordedAs(recorded.kind, site))) {
      this.run.diverged(host.siteText(recorded.site), `line ${site.line}, "${site.title}"`);
    }
    if (recorded === undefined) host.onBegin?.(site, this.path);
    host.describe(site);
    return seq;
  }

  part(seq: number, part: number): EntryRow | undefined {
    return this.run.records.branch(this.path).part(seq, part);
  }

  /** Lets other work run now and then during replay. */
  async yieldToEventLoop(): Promise<void> {
    const time = performance.now();
    if (time - this.#replayedSince < REPLAY_MS) return;
    if (this.#replayedSince !== 0) await new Promise((resolve) => setImmediate(resolve));
    this.#replayedSince = performance.now();
  }

  call(site: EffectSite): DurableCall {
    return new CallJournal(this, site, this.next(site));
  }

  pause(site: EffectSite, ms: number, sleep: Sleep, begin: () => void, due?: number): Promise<void> {
    return waitFor(this, site, { ms, due }, sleep, begin);
  }

  receive(site: EffectSite, wanted: WantedMessage, sleep: Sleep): Promise<Recorded<Value>> {
    return receiveMessage(this, site, wanted, sleep);
  }

  ask(
    site: EffectSite,
    question: Question,
    notify: Notify,
    sleep: Sleep,
    remindersAt: RemindersAt,
  ): Promise<Recorded<TaskAnswer | undefined>> {
    return askAndWait(this, site, question, { notify, sleep, remindersAt });
  }

  fork(site: EffectSite, called?: CalledRun): Promise<ForkJournal> {
    return ForkJournal.begin(this, site, this.next(site), called);
  }

  log(entry: LogEntry): boolean {
    // A call that was aborted has no record either, and is not logged again on replay.
    if (this.isInEffect || entry.type === 'call') {
      if (this.run.countLogged()) {
        this.#ofEffect ??= [];
        this.#ofEffect.push(entry);
      }
      return true;
    }
    if (this.#isClosed || !this.run.canEnd || this.run.records.wasLogged(this.path, entry)) return false;
    this.run.host.onLog?.(this.path, this.seq, entry);
    // No one has seen what it did after its last record.
    if (this.isCutOff) return false;
    if (entry.type !== 'set' && this.run.countLogged()) {
      this.#entries ??= [];
      this.#entries.push(entry);
    }
    // A run that is being released may yet continue elsewhere, and log it there.
    return this.run.suspended === undefined;
  }

  /** Writes the accumulated entries, those of an aborted effect as a row of their own. */
  writeLog(): void {
    if (!this.run.canEnd) return;
    if (this.#ofEffect !== undefined) this.run.writeUnlessReleased(this.#rowOf(this.#ofEffect, this.seq - 1));
    if (this.#entries !== undefined) this.run.writeUnlessReleased(this.#rowOf(this.#entries, null));
    this.#ofEffect = undefined;
    this.#entries = undefined;
  }

  /** Writes the entries of the effect at this position. */
  writeLogOf(seq: number): void {
    if (this.#ofEffect !== undefined) this.run.write(this.#rowOf(this.#ofEffect, seq));
    this.#ofEffect = undefined;
  }

  #rowOf(entries: readonly LogEntry[], seq: number | null): NewEntry {
    const at = Date.parse(entries[0]?.time ?? '') || Date.now();
    return { kind: entryKinds.log, branch: this.path, seq, part: null, at, body: JSON.stringify(entries) };
  }

  /** Notes that the branch waits for a message or a person. @param end called when that is over, also if something else ends the branch */
  awaits(end: (isRecorded: boolean) => void): void {
    this.#endAwaited = end;
  }

  /** @param isRecorded false if something else has ended the branch */
  hasAwaited(isRecorded = true): void {
    this.#endAwaited?.(isRecorded);
    this.#endAwaited = undefined;
  }

  close(): void {
    if (this.#isClosed) return;
    if (this.#isCalled) this.run.closeInside(this.path);
    this.writeLog();
    // Its own time limit ended it before its records were replayed.
    if (this.#isCalled && this.run.canEnd && !this.isCutOff && this.seq < this.run.records.branch(this.path).end)
      writeEndsOfSteps(this.run, this.path);
    this.#isClosed = true;
    // Not before the end of the block is written, which follows in this turn: until then, a crash would let the branch wait again.
    if (this.#endAwaited !== undefined && this.run.suspended === undefined) setImmediate(() => this.hasAwaited(false));
    this.run.closed(this);
    this.#onClose?.(this);
    this.run.gate.leave(this);
  }
}

/** @param path the branch that has ended */
function writeEndsOfSteps(run: RunJournal, path: string): void {
  const at = Date.now();
  for (const [branch, ends] of run.records.endsOfSteps(path, isoOf(at)))
    run.writeUnlessReleased({ kind: entryKinds.log, branch, seq: null, part: null, at, body: JSON.stringify(ends) });
}

/** Records one call: each attempt with its result, and each wait between two with its due time. */
class CallJournal implements DurableCall {
  readonly key: string;
  readonly #branch: BranchJournal;
  readonly #site: EffectSite;
  readonly #seq: number;

  constructor(branch: BranchJournal, site: EffectSite, seq: number) {
    this.#branch = branch;
    this.#site = site;
    this.#seq = seq;
    this.key = branch.run.host.keyOf(branch.path, seq);
  }

  hasRecord(attempt: number): boolean {
    return this.#branch.part(this.#seq, partOf.attempt(attempt))?.kind === entryKinds.call;
  }

  async attempt<T>(
    attempt: number,
    perform: () => Promise<Performed<T>>,
    { inDoubt, turn }: AttemptOptions<T> = {},
  ): Promise<Recorded<T>> {
    const branch = this.#branch;
    const row = branch.part(this.#seq, partOf.attempt(attempt));
    if (row?.kind === entryKinds.call) {
      await branch.yieldToEventLoop();
      return { result: attemptBody<T>(row).r, replayed: true };
    }
    const passing = branch.pass(this.#site);
    if (passing !== undefined) await passing;
    branch.run.countEffect();
    const at = Date.now();
    // It was about to be sent when its process died.
    if (row?.kind === entryKinds.intent && inDoubt !== undefined)
      return this.#record(attempt, at, { result: inDoubt(), shown: {} }, 0);
    if (attempt > 0) {
      if (turn !== undefined) await untilTurn(branch, turn);
      if (inDoubt !== undefined) this.#write(entryKinds.intent, partOf.attempt(attempt), at);
      const ahead = branch.run.ahead(branch);
      if (ahead !== undefined) await ahead;
      branch.run.passed(branch);
    } else branch.writeLog();
    const started = Date.now();
    let performed: Performed<T>;
    branch.isInEffect = true;
    try {
      performed = await perform();
    } finally {
      branch.isInEffect = false;
    }
    // Work in progress when the run was released is recorded, unless another process may have recorded it already, or nothing was done.
    const { suspended } = branch.run;
    if (suspended === 'lost' || suspended === 'stuck') branch.run.check();
    return this.#record(attempt, started, performed, Date.now() - started);
  }

  #record<T>(attempt: number, at: number, { result, shown }: Performed<T>, ms: number): Recorded<T> {
    const { rounds } = this.#site;
    const body = this.#branch.run.bodyOf(this.#site, attemptJson({ r: result, shown, rounds }));
    this.#branch.writeLogOf(this.#seq);
    this.#write(entryKinds.call, partOf.attempt(attempt), at, body, ms);
    this.#branch.run.host.flush();
    return { result, replayed: false };
  }

  async pause(attempt: number, ms: number, sleep: Sleep, begin: () => void): Promise<void> {
    const branch = this.#branch;
    const part = partOf.retryAfter(attempt);
    const row = branch.part(this.#seq, part);
    // The next attempt is recorded, so the wait is over.
    if (row !== undefined && this.hasRecord(attempt + 1)) return;
    await branch.pass(this.#site);
    const at = Date.now();
    const length = upToLatest(ms, at);
    const due = row === undefined ? at + length : row.at + (row.ms ?? 0);
    if (row === undefined) {
      begin();
      this.#write(entryKinds.retry, part, at, undefined, length);
    }
    const waiting = {
      kind: 'retry',
      since: isoOf(row?.at ?? at),
      line: this.#site.line,
      ...(this.#site.service === undefined ? {} : { service: this.#site.service }),
    } as const;
    const { host } = branch.run;
    if ((row?.at ?? at) <= (host.retriedAt ?? 0)) return;
    await untilDue(branch, waiting, due, (left) => sleep(left, host.hurried?.()));
  }

  #write(kind: (typeof entryKinds)['call' | 'intent' | 'retry'], part: number, at: number, body?: string, ms?: number): void {
    this.#branch.run.write({ kind, branch: this.#branch.path, seq: this.#seq, part, site: this.#site.site, at, ms, body });
  }
}

/** As JSON, without the time that it takes to write a long value that came as JSON. */
function attemptJson({ r, shown, rounds }: AttemptBody<unknown>): string {
  const { value, ...rest } = r as { readonly ok: boolean; readonly value?: unknown }; // a result
  const known = knownJson(value);
  if (known === undefined) return JSON.stringify({ r, shown, rounds });
  const others = JSON.stringify({ shown, rounds }).slice(1);
  return `{"r":{"value":${known},${JSON.stringify(rest).slice(1)}${others === '}' ? '' : ','}${others}`;
}

/** Maximum characters of a value that is only recorded to be shown. */
const LONGEST_SHOWN = 8 * 1024 * 1024;

class ForkJournal implements DurableFork {
  readonly ended: EndBody<'fork'> | undefined;
  readonly begun: number;
  readonly startedAt: number;
  readonly #called: CalledRun | undefined;
  readonly #outer: BranchJournal;
  readonly #site: EffectSite;
  readonly #seq: number;
  readonly #open = new Set<BranchJournal>();
  #latest = 0;

  static async begin(around: BranchJournal, site: EffectSite, seq: number, called?: CalledRun): Promise<ForkJournal> {
    if (around.part(seq, partOf.begin) === undefined) {
      await around.pass(site);
      around.writeLog();
      const { rounds } = site;
      const begun: BeginBody<'fork'> = {
        ...(rounds === undefined ? {} : { rounds }),
        ...(called === undefined ? {} : { called: { ...withoutLong(called, 'request'), now: around.now } }),
      };
      around.run.write({
        kind: entryKinds.fork,
        branch: around.path,
        seq,
        part: partOf.begin,
        site: site.site,
        at: Date.now(),
        ...(Object.keys(begun).length === 0 ? {} : { body: JSON.stringify(begun) }),
      });
    }
    return new ForkJournal(around, site, seq, called);
  }

  private constructor(around: BranchJournal, site: EffectSite, seq: number, called: CalledRun | undefined) {
    this.#outer = around;
    this.#called = called;
    this.startedAt = around.part(seq, partOf.begin)?.at ?? Date.now();
    this.#site = site;
    this.#seq = seq;
    const row = around.part(seq, partOf.end);
    this.ended = row === undefined ? undefined : { begun: 0, ...endBody('fork', row) };
    this.begun = this.ended?.begun ?? around.run.records.begunOf(around.path, seq);
  }

  branch(index: number): BranchJournal {
    const place = `${this.#seq}.${index}`;
    const path = this.#outer.path === '' ? place : `${this.#outer.path}/${place}`;
    const branch = this.#outer.run.newBranch(path, this.#outer.now, {
      past: this.#pastOf(index),
      isCalled: this.#called !== undefined,
      deadline: Math.min(this.#outer.deadline, this.startedAt + (this.#called?.withinMs ?? Number.POSITIVE_INFINITY)),
      onClose: (closed) => this.#closed(closed),
    });
    // The branch around it does nothing until the block ends.
    if (this.#open.size === 0) this.#outer.run.gate.leave(this.#outer);
    this.#open.add(branch);
    return branch;
  }

  #pastOf(index: number): Past {
    const { ended } = this;
    // A branch inside of one that was cut off was cut off with it.
    if (ended === undefined && this.#outer.isCutOff) return 'cut off';
    if (ended === undefined) return index < this.begun ? 'begun' : 'none';
    if (ended.done !== undefined) return ended.done.includes(index) ? 'whole' : index < this.begun ? 'cut off' : 'none';
    return ended.by === undefined || ended.isStopped === true || ended.by === index ? 'whole' : 'cut off';
  }

  #closed(branch: BranchJournal): void {
    // Pauses inside a branch are over for whatever follows the block.
    this.#latest = Math.max(this.#latest, branch.now);
    this.#open.delete(branch);
    if (this.#open.size === 0) this.#outer.run.gate.enter();
  }

  end(how: ForkEnd): void {
    const { run } = this.#outer;
    const { by, isStopped } = this.ended ?? how;
    if (by !== how.by || isStopped !== how.isStopped)
      run.diverged('another end of the block', `line ${this.#site.line} ended differently`);
    // Between two of them, the run must not look as if all that is left of it waited.
    run.gate.enter();
    for (const branch of this.#open) {
      run.closeInside(branch.path);
      branch.close();
    }
    run.gate.leave(this);
    this.#outer.now = Math.max(this.#outer.now, this.#latest, this.ended?.now ?? 0);
    // A branch that was cut off stays as it was then, also if all that its block began is recorded.
    if (this.ended !== undefined || this.#outer.isCutOff || !run.canEnd) return;
    const { called } = how;
    // A called workflow that ended too late is not executed again, so its pauses are not known either.
    const { now } = this.#outer;
    const body: EndBody<'fork'> = called === undefined ? how : { ...how, called: withoutLong(called, 'outputs'), now };
    run.writeUnlessReleased({
      kind: entryKinds.fork,
      branch: this.#outer.path,
      seq: this.#seq,
      part: partOf.end,
      site: this.#site.site,
      at: Date.now(),
      body: JSON.stringify(body),
    });
  }
}

/** Drops a value that would make a row too long. */
function withoutLong<T extends object, K extends keyof T>(whole: T, key: K): Omit<T, K> & Partial<T> {
  if (whole[key] === undefined || JSON.stringify(whole[key]).length <= LONGEST_SHOWN) return whole;
  const { [key]: _, ...rest } = whole;
  return rest as Omit<T, K> & Partial<T>; // all fields but one
}
