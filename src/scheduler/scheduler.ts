// Due times in, runs out: one at a time, counted, and stopped cleanly. What a run does is a function that it is given.
import { durationText } from '../../runtime/duration-text.js';
import type { RunStatus } from '../../runtime/types.js';
import { counted } from '../compiler/diagnostics/summary.js';
import type { StartEngine } from './cron-engine.js';
import type { CronExpression } from './cron-expression.js';
import { DueClock, type Firing } from './due-clock.js';
import { duesBetween, MOST_COUNTED, nextDue, type PassedDues } from './next-due.js';
import type { ScheduleState, StateFile } from './state-file.js';
import type { Zone } from './zone.js';

export interface RunResult {
  readonly status: RunStatus;
  /** The rest of the line that tells of the run, one line: how long it took, and why it was rejected or failed. */
  readonly detail: string;
}

export interface SchedulerOptions {
  readonly cron: CronExpression;
  readonly zone: Zone;
  /** One run; aborting the signal ends it as `error`. */
  readonly run: (number: number, signal: AbortSignal) => Promise<RunResult>;
  /** Prints a line. */
  readonly say: (line: string) => void;
  /** Stop after the first run. */
  readonly once?: boolean;
  /** Each run starts at random within so many milliseconds after its due time. */
  readonly jitterMs?: number;
  /** How long a run may go on after `stop`, in milliseconds. */
  readonly graceMs: number;
  readonly state?: StateFile;
  /** Run once at the start if a due time passed since the state was written. */
  readonly catchUp?: boolean;
  readonly random?: () => number;
  readonly startEngine?: StartEngine;
}

/** Runs by how they ended, and firings that were skipped. */
export interface Tally extends Record<RunStatus, number> {
  skipped: number;
}

/** How long a run that was aborted may take to notice, in milliseconds. */
const ABORT_MS = 5_000;

export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #clock: DueClock;
  readonly #tally: Tally = { completed: 0, rejected: 0, error: 0, skipped: 0 };
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();
  readonly #ended: Promise<Tally>;
  #end: (tally: Tally) => void = () => {};
  /** The firing whose run is going, or waits for its moment within the jitter. */
  #current: { readonly firing: Firing; readonly done: Promise<void> } | undefined;
  #isRunning = false;
  #runs = 0;
  #state: ScheduleState | undefined;
  readonly #opened = Date.now();
  #last: ScheduleState | 'other plan' | undefined;
  #passed: PassedDues | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    const { cron, zone, startEngine } = options;
    this.#clock = new DueClock({
      cron,
      zone,
      onDue: (firing) => this.#due(firing),
      onPutBack: (by, next) => this.#putBack(by, next),
      ...(startEngine ? { startEngine } : {}),
    });
  }

  /**
   * Reads the state of the last life and begins the new one.
   * @throws UsageError where the state cannot be read or written.
   */
  async open(): Promise<void> {
    const { state, catchUp, cron, zone } = this.#options;
    const last = await state?.read();
    const passed =
      typeof last === 'object' ? duesBetween((after) => nextDue(cron, zone, after), last.seen, this.#opened) : undefined;
    // What is to be caught up on stays open until its run begins. Writing also proves that it can be done.
    this.#state = { seen: passed && catchUp && typeof last === 'object' ? last.seen : this.#opened };
    await state?.write(this.#state);
    this.#last = last;
    this.#passed = passed;
  }

  /** Runs until `stop`, or with `once` until the first run has ended. */
  async start(): Promise<Tally> {
    if (this.#stop.signal.aborted) return this.#ended;
    this.#sayLast();
    await this.#clock.start(this.#opened);
    if (this.#passed && this.#options.catchUp)
      this.#due({ due: this.#passed.last, first: this.#passed.first, passed: 1, late: false });
    return this.#ended;
  }

  /** No new runs; the run in flight gets the grace time and is aborted then. */
  async stop(): Promise<Tally> {
    if (this.#stop.signal.aborted) return this.#ended;
    this.#stop.abort();
    this.#clock.stop();
    if (this.#isRunning)
      this.#options.say(
        `Stopping: run ${this.#runs} gets up to ${durationText(this.#options.graceMs)} to end. A second signal ends it at once.`,
      );
    const done = this.#current?.done;
    if (done && !(await settles(done, this.#options.graceMs))) {
      this.#abort.abort(new Error('interrupted'));
      if (!(await settles(done, ABORT_MS))) {
        this.#tally.error += 1;
        this.#options.say(`Run ${this.#runs} did not end when it was told to; it counts as an error.`);
      }
    }
    this.#end({ ...this.#tally });
    return this.#ended;
  }

  #due(firing: Firing): void {
    if (this.#stop.signal.aborted) return;
    if (firing.late || firing.passed > 1) this.#sayNow(this.#lateness(firing));
    if (this.#current) {
      this.#skip(firing, this.#current.firing);
      return;
    }
    const done = this.#fire(firing).finally(() => {
      this.#current = undefined;
      if (this.#options.once) void this.stop();
    });
    this.#current = { firing, done };
  }

  #skip(firing: Firing, current: Firing): void {
    const { zone } = this.#options;
    this.#tally.skipped += 1;
    this.#sayNow(`skipped the run due at ${zone.show(firing.due)}: the one due at ${zone.show(current.due)} is still going`);
    void this.#save({ ...this.#state, seen: Date.now() });
  }

  async #fire(firing: Firing): Promise<void> {
    const { jitterMs = 0, random = Math.random, run, zone } = this.#options;
    const wait = Math.floor(random() * jitterMs);
    if (wait > 0 && !(await passes(wait, this.#stop.signal))) {
      return this.#sayNow(`the run due at ${zone.show(firing.due)} was not started: it waited for its moment within --jitter`);
    }
    // Written before the run, so that a pulled plug never makes it run twice.
    const before = this.#state;
    await this.#save({ seen: Date.now(), running: firing.due });
    if (this.#stop.signal.aborted) return this.#save(before);
    this.#isRunning = true;
    const number = ++this.#runs;
    const { status, detail } = await run(number, this.#abort.signal).catch(unexpected);
    this.#isRunning = false;
    this.#tally[status] += 1;
    this.#sayNow(`run ${number}  ${status} ${detail}`);
    await this.#save({ seen: this.#state?.seen ?? Date.now() });
  }

  /** What the last life left behind. */
  #sayLast(): void {
    const { catchUp, zone, say } = this.#options;
    const last = this.#last;
    if (last === 'other plan')
      say('The state file is of another workflow or timetable: it begins anew, and nothing is caught up on.');
    if (typeof last === 'object' && last.running !== undefined) {
      say(`The run due at ${zone.show(last.running)} was cut off when the scheduler ended; it is not repeated.`);
    }
    if (!this.#passed) return;
    const what = `${countText(this.#passed.count)} passed while the scheduler was down, the first at ${zone.show(this.#passed.first)}`;
    say(catchUp ? `${what}: one run now.` : `${what}. With --catch-up there would be a run now.`);
  }

  /** A state that cannot be written is told, and no reason to stop. */
  async #save(state: ScheduleState | undefined): Promise<void> {
    this.#state = state;
    if (!state) return;
    try {
      await this.#options.state?.write(state);
    } catch (error) {
      this.#sayNow(error instanceof Error ? error.message : String(error));
    }
  }

  #lateness({ due, first, passed }: Firing): string {
    const { zone } = this.#options;
    const what = passed === 1 ? `the due time ${zone.show(due)}` : `${countText(passed)} since ${zone.show(first)}`;
    return `${what} passed unnoticed (the machine slept, was too busy, or its clock was put forward); no more than one run makes up for them`;
  }

  #putBack(by: number, next: number | undefined): void {
    const { zone } = this.#options;
    const then = next === undefined ? 'nothing more is due' : `the next is due at ${zone.show(next)}`;
    this.#sayNow(
      `the clock was put back by ${durationText(Math.round(by / 60_000) * 60_000)}; no due time is run twice, ${then}`,
    );
  }

  #sayNow(text: string): void {
    this.#options.say(`${this.#options.zone.show(Date.now(), { seconds: true })}  ${text}`);
  }
}

const countText = (count: number): string => `${counted(count, 'due time')}${count === MOST_COUNTED ? ' or more' : ''}`;

/** A run tells its faults as data; whatever it throws is a bug of ours and must not end the schedule. */
function unexpected(error: unknown): RunResult {
  return { status: 'error', detail: `for a fault in wf itself: ${error instanceof Error ? error.message : String(error)}` };
}

/** Whether the time passed before the signal. */
function passes(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve(true);
    }, milliseconds);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Whether the promise settled within the time; no timer is left behind. */
async function settles(promise: Promise<void>, milliseconds: number): Promise<boolean> {
  const over = new AbortController();
  const isOver = passes(milliseconds, over.signal);
  const settled = await Promise.race([promise.then(() => true), isOver.then(() => false)]);
  over.abort();
  return settled;
}
