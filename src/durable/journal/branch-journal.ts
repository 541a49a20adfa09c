// One line of execution in the journal of a run: its own numbers, its own log, its own `now`. Each effect either finds its record, or makes
// one. `part` tells the rows of one position apart: twice the number of an attempt, and one more for the wait after it.
import type {
  DurableBranch,
  DurableCall,
  EffectSite,
  Notify,
  Question,
  Recorded,
  Sleep,
  TaskAnswer,
  WantedMessage,
} from '../../../runtime/durable-run.js';
import type { LogEntry, Value } from '../../../runtime/types.js';
import { type EntryRow, entryKinds } from '../store/slot-writes.js';
import { askAndWait, receiveMessage } from './attended-waits.js';
import { CallJournal } from './call-journal.js';
import { ForkJournal } from './fork-journal.js';
import { waitFor } from './long-waits.js';
import type { RunJournal } from './run-journal.js';

/** Milliseconds of replay at a stretch, so that others are not kept waiting. */
const REPLAY_MS = 8;

export class BranchJournal implements DurableBranch {
  readonly run: RunJournal;
  /** `""` for the run itself; else position of the block and number of the branch, from the outermost one on: `4.0/2.17`. */
  readonly path: string;
  now: number;
  /** The position of the next effect. */
  seq = 0;
  #entries: LogEntry[] = [];
  #ofEffect: LogEntry[] = [];
  #inEffect = false;
  #replayedSince = 0;
  readonly #onClose: (now: number) => void;

  /** @param onClose told the moment that the branch has come to */
  constructor(run: RunJournal, path: string, now: number, onClose: (now: number) => void = () => undefined) {
    this.#onClose = onClose;
    this.run = run;
    this.path = path;
    this.now = now;
    run.gate.enter();
  }

  /** Takes the next position. @throws a suspension where something else is recorded there, or the run is to be let go */
  next(site: EffectSite): number {
    this.run.check();
    const seq = this.seq++;
    const records = this.run.records.branch(this.path);
    records.forget(seq - 1);
    const recorded = records.at(seq);
    const { host } = this.run;
    if (
      recorded !== undefined &&
      !(host.isSame(recorded.site, site, this.path, seq) && this.run.isRecordedAs(recorded.kind, site))
    ) {
      this.run.diverged(host.placeOf(recorded.site), `line ${site.line}, "${site.title}"`);
    }
    host.describe(site);
    return seq;
  }

  part(seq: number, part: number): EntryRow | undefined {
    return this.run.records.branch(this.path).part(seq, part);
  }

  /** Lets others have a turn now and then while recorded results are gone through. */
  async breathe(): Promise<void> {
    const time = performance.now();
    if (time - this.#replayedSince < REPLAY_MS) return;
    if (this.#replayedSince !== 0) await new Promise((resolve) => setImmediate(resolve));
    this.#replayedSince = performance.now();
  }

  call(site: EffectSite): DurableCall {
    return new CallJournal(this, site, this.next(site));
  }

  pause(site: EffectSite, ms: number, sleep: Sleep, begin: () => void): Promise<void> {
    return waitFor(this, site, ms, sleep, begin);
  }

  receive(site: EffectSite, wanted: WantedMessage, sleep: Sleep): Promise<Recorded<Value>> {
    return receiveMessage(this, site, wanted, sleep);
  }

  ask(site: EffectSite, question: Question, notify: Notify, sleep: Sleep): Promise<Recorded<TaskAnswer | undefined>> {
    return askAndWait(this, site, question, notify, sleep);
  }

  fork(site: EffectSite): ForkJournal {
    return new ForkJournal(this, site, this.next(site));
  }

  /** An effect is under way: what is logged meanwhile belongs to it, and is not logged again when the run is executed again. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#inEffect = true;
    try {
      return await work();
    } finally {
      this.#inEffect = false;
    }
  }

  log(entry: LogEntry): boolean {
    if (this.#inEffect) {
      if (this.run.countLogged()) this.#ofEffect.push(entry);
      return true;
    }
    if (this.run.suspended !== undefined || this.run.records.branch(this.path).wasLogged(entry)) return false;
    if (entry.type !== 'set' && this.run.countLogged()) this.#entries.push(entry);
    return true;
  }

  /** Writes the entries that came together, as one row. */
  writeLog(): void {
    if (this.#entries.length === 0 || this.run.suspended !== undefined) return;
    this.#write(this.#entries, null);
    this.#entries = [];
  }

  /** Writes the entries that came during the effect at this position. */
  writeLogOf(seq: number): void {
    if (this.#ofEffect.length > 0) this.#write(this.#ofEffect, seq);
    this.#ofEffect = [];
  }

  #write(entries: readonly LogEntry[], seq: number | null): void {
    this.run.write({
      kind: entryKinds.log,
      branch: this.path,
      seq,
      part: null,
      at: Date.parse(entries[0]?.time ?? '') || Date.now(),
      body: JSON.stringify(entries),
    });
  }

  close(): void {
    this.writeLog();
    this.run.closed(this);
    this.#onClose(this.now);
    this.run.gate.leave();
  }
}
