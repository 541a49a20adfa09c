// Turns due times into runs: one at a time, counted, and stopped cleanly. The run itself is a function passed in.
import type { RunStatus } from '../../runtime/types.js';
import { durationText } from '../../runtime/values/time-units.js';
import { counted } from '../compiler/diagnostics/render-text.js';
import { settlesWithin, sleepUnlessAborted } from '../engine/bounded-waits.js';
import type { LateSchedule } from '../engine/records/alerts.js';
import type { CronExpression } from '../timetable/cron-expression.js';
import { duesBetween, MOST_COUNTED, nextDue, type PassedDues } from '../timetable/next-due.js';
import type { Zone } from '../timetable/zone.js';
import type { StartEngine } from './cron-engine.js';
import { DueClock, type Firing } from './due-clock.js';

/** The way in which a stored run left this process without an outcome. `interrupted`: another start continues it. */
type UnfinishedStatus = 'waiting' | 'stuck' | 'cancelled' | 'interrupted';

export interface ScheduledResult {
  readonly status: RunStatus | UnfinishedStatus;
  /** The rest of the run's line: how long it took, and why it was rejected or failed. */
  readonly detail: string;
}

/** No run was started: an earlier one is unfinished, or another process has handled this due time. */
export type NotStarted = { readonly status: 'skipped'; readonly detail: string } | { readonly status: 'elsewhere' };

export interface SchedulerOptions {
  /** Prefix of each line if several schedules share an output. */
  readonly name?: string | undefined;
  readonly cron: CronExpression;
  readonly zone: Zone;
  /** Performs one run. Aborting the signal ends it as `error`. */
  readonly run: (number: number, signal: AbortSignal, due: number) => Promise<ScheduledResult | NotStarted>;
  /** Prints a line. */
  readonly say: (line: string) => void;
  /** Stop after the first run. */
  readonly once?: boolean;
  /** Delay each run by a random time up to this many milliseconds. */
  readonly jitterMs?: number;
  /** Milliseconds that a run may continue after `stop`. */
  readonly graceMs: number;
  readonly state?: ScheduleMemory;
  /** Run once at startup if a due time passed since the state was written. */
  readonly catchUp?: boolean;
  /** Is told what happens to due times. */
  readonly news?: ScheduleNews | undefined;
  readonly random?: () => number;
  readonly startEngine?: StartEngine;
}

export interface ScheduleNews {
  fired(): void;
  skipped(): void;
  /** Due times passed before anyone noticed, the first one at this moment (milliseconds since 1970), and no process has handled them. */
  late(passed: Pick<PassedDues, 'count' | 'first'>): void;
}

/** Runs by outcome, and skipped due times. */
export interface OutcomeCounts extends Record<RunStatus, number>, Partial<Record<UnfinishedStatus, number>> {
  skipped: number;
}

/** Milliseconds in which it turns out whether another process has handled a due time. */
const TELLING_MS = 5_000;

/** Milliseconds that an aborted run gets to notice. */
const ABORT_MS = 5_000;

export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #clock: DueClock;
  readonly #tally: OutcomeCounts = { completed: 0, rejected: 0, error: 0, skipped: 0 };
  readonly #stop = new AbortController();
  readonly #abort = new AbortController();
  readonly #ended: Promise<OutcomeCounts>;
  #end: (tally: OutcomeCounts) => void = () => {};
  /** The firing whose run is in progress, or delayed by the jitter. */
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
   * Reads the state left by the last scheduler and starts a new one.
   * @throws UsageError if the state can't be read or written
   */
  async open(): Promise<void> {
    const { state, catchUp, cron, zone } = this.#options;
    const last = await state?.read();
    const passed =
      typeof last === 'object' ? duesBetween((after) => nextDue(cron, zone, after), last.seen, this.#opened) : undefined;
    // Due times to catch up on stay open until that run begins.
    this.#state = { seen: passed && catchUp && typeof last === 'object' ? last.seen : this.#opened };
    await state?.open(this.#state);
    this.#last = last;
    this.#passed = passed;
  }

  /** Runs until `stop` or, with `once`, until the first run has ended. */
  async start(): Promise<OutcomeCounts> {
    if (this.#stop.signal.aborted) return this.#ended;
    this.#sayLast();
    if (this.#passed) this.#options.news?.late(this.#passed);
    await this.#clock.start(this.#opened);
    if (this.#passed && this.#options.catchUp)
      this.#due({ due: this.#passed.last, first: this.#passed.first, passed: 1, late: false }, true);
    return this.#ended;
  }

  /** Starts no more runs. The current run gets the grace time, then is aborted. */
  async stop(): Promise<OutcomeCounts> {
    if (this.#stop.signal.aborted) return this.#ended;
    this.#stop.abort();
    this.#clock.stop();
    if (this.#isRunning)
      this.#say(
        `Stopping. Run ${this.#runs} has up to ${durationText(this.#options.graceMs)} to finish. Send another signal to end it immediately.`,
      );
    const done = this.#current?.done;
    if (done && !(await settlesWithin(done, this.#options.graceMs))) {
      this.#abort.abort(new Error('interrupted'));
      if (!(await settlesWithin(done, ABORT_MS))) {
        this.#tally.error += 1;
        this.#say(`Run ${this.#runs} did not end when it was aborted; it counts as an error.`);
      }
    }
    this.#end({ ...this.#tally });
    return this.#ended;
  }

  /** @param isAnnounced whether a line has said that a run starts now */
  #due(firing: Firing, isAnnounced = false): void {
    if (this.#stop.signal.aborted) return;
    const isLate = firing.late || firing.passed > 1;
    if (isLate) this.#sayNow(this.#lateness(firing));
    if (this.#current) {
      this.#skip(firing, `the one due at ${this.#options.zone.show(this.#current.firing.due)} is still running`);
      return;
    }
    const done = this.#fire(firing, isAnnounced || isLate).finally(() => {
      this.#current = undefined;
      if (this.#options.once) void this.stop();
    });
    this.#current = { firing, done };
  }

  #skip({ due }: Firing, why: string): void {
    this.#tally.skipped += 1;
    this.#options.news?.skipped();
    this.#sayNow(`skipped the run due at ${this.#options.zone.show(due)}: ${why}`);
    void this.#save({ ...this.#state, seen: Date.now() });
  }

  async #fire(firing: Firing, isAnnounced: boolean): Promise<void> {
    const { jitterMs = 0, random = Math.random, run, zone } = this.#options;
    const wait = Math.floor(random() * jitterMs);
    if (wait > 0 && !(await sleepUnlessAborted(wait, this.#stop.signal))) {
      return this.#sayNow(`the run due at ${zone.show(firing.due)} was not started: it was still delayed by --jitter`);
    }
    // Written before the run, so that a power cut never makes it run twice.
    const before = this.#state;
    await this.#save({ seen: Date.now(), running: firing.due });
    if (this.#stop.signal.aborted) return this.#save(before);
    this.#isRunning = true;
    const number = ++this.#runs;
    const running = run(number, this.#abort.signal, firing.due).catch(unexpected);
    if (this.#options.news !== undefined) void this.#tell(this.#options.news, firing, running);
    const result = await running;
    this.#isRunning = false;
    if (result.status === 'skipped' || result.status === 'elsewhere') {
      this.#runs -= 1;
      this.#state = { seen: this.#state?.seen ?? Date.now() };
      if (result.status === 'skipped') this.#skip(firing, result.detail);
      else if (isAnnounced) this.#sayNow(`no run here: another process has handled the due time ${zone.show(firing.due)}`);
      return;
    }
    const { status, detail } = result;
    this.#tally[status] = (this.#tally[status] ?? 0) + 1;
    this.#sayNow(`run ${number}  ${status} ${detail}`);
    await this.#save({ seen: this.#state?.seen ?? Date.now() });
  }

  /** Tells of a due time soon, also if its run takes long. */
  async #tell(
    news: ScheduleNews,
    { late, passed, first }: Firing,
    running: Promise<ScheduledResult | NotStarted>,
  ): Promise<void> {
    const status = (await settlesWithin(running, TELLING_MS)) ? (await running).status : undefined;
    if (status === 'elsewhere') return;
    if (status !== 'skipped') news.fired();
    if (late || passed > 1) news.late({ count: passed, first });
  }

  /** Reports what the last scheduler left behind. */
  #sayLast(): void {
    const { catchUp, zone } = this.#options;
    const last = this.#last;
    if (last === 'other plan')
      this.#say('The state file belongs to a different workflow or schedule. Starting over without catching up.');
    if (typeof last === 'object' && last.running !== undefined) {
      this.#say(`The run due at ${zone.show(last.running)} was cut off when the scheduler ended. It is not repeated.`);
    }
    if (!this.#passed) return;
    const what = `${countText(this.#passed.count)} passed while the scheduler was down, the first at ${zone.show(this.#passed.first)}`;
    this.#say(catchUp ? `${what}. Running once now.` : `${what}. To catch up with one run, use --catch-up.`);
  }

  /** Reports a state that can't be written, but doesn't stop for it. */
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
    return `${what} passed unnoticed (the machine slept, was too busy, or its clock was set forward); at most one run makes up for them`;
  }

  #putBack(by: number, next: number | undefined): void {
    const { zone } = this.#options;
    const then = next === undefined ? 'nothing more is due' : `the next run is due at ${zone.show(next)}`;
    this.#sayNow(`the clock was set back by ${durationText(Math.round(by / 60_000) * 60_000)}; no run is repeated, and ${then}`);
  }

  #say(sentence: string): void {
    const { name, say } = this.#options;
    say(name === undefined ? sentence : `${name}: ${sentence}`);
  }

  #sayNow(text: string): void {
    const { name, zone, say } = this.#options;
    say(`${zone.show(Date.now(), { seconds: true })}  ${name === undefined ? '' : `${name}  `}${text}`);
  }
}

const countText = (count: number): string => `${counted(count, 'due time')}${count === MOST_COUNTED ? ' or more' : ''}`;

/** A run returns its errors as data. Anything it throws is a bug in wf, and must not end the schedule. */
function unexpected(error: unknown): ScheduledResult {
  return { status: 'error', detail: `(internal error): ${error instanceof Error ? error.message : String(error)}` };
}

/** The sentence of an alert about due times that passed. */
export const lateSchedule = (
  prepared: LateSchedule['prepared'],
  { zone }: { readonly zone: Zone },
  { count, first }: Pick<PassedDues, 'count' | 'first'>,
): LateSchedule => ({ prepared, count, first: zone.show(first) });

export interface ScheduleState {
  /** Due times up to this moment (milliseconds since 1970) are done. */
  readonly seen: number;
  /** The due time of a run that has started and not ended. */
  readonly running?: number;
}

export interface ScheduleMemory {
  /**
   * The state left by the last scheduler; `undefined` if there is none, `'other plan'` if it belongs to a different workflow or schedule.
   * @throws UsageError if it can't be read
   */
  read(): Promise<ScheduleState | 'other plan' | undefined>;
  /** Called once, at the start. @throws UsageError if nothing can be remembered */
  open(state: ScheduleState): Promise<void>;
  /** @throws UsageError if it can't be written; the old state is then unchanged */
  write(state: ScheduleState): Promise<void>;
}
