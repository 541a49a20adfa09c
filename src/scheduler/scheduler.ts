// Turns due times into runs: one at a time, counted, and stopped cleanly. The run itself is a function passed in.
import { durationText } from '../../runtime/dates/date-unit.js';
import { counted } from '../../runtime/texts/words.js';
import type { RunStatus } from '../../runtime/types.js';
import type { LateSchedule } from '../engine/records/alerts.js';
import { settlesWithin, sleepUnlessAborted } from '../engine/waits.js';
import type { CronExpression } from '../timetable/cron-expression.js';
import { duesBetween, MOST_COUNTED, nextDue, type PassedDues } from '../timetable/next-due.js';
import type { Zone } from '../timetable/zone.js';

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

// Decides what is due, and reports each due time exactly once.
//
// node-cron wakes it, and the due time is compared then. But node-cron 4.6 misses times that the clock jumps over, stays silent during an
// hour that the clock repeats, drops a firing that is more than a second late, and waits for the old time after the clock is set back. So a
// watch looks for clocks that jumped, for machines that slept, and for a due time that node-cron let pass.

/** Milliseconds between the looks of the watch. */
const WATCH_EVERY = 1_000;
/** Milliseconds that node-cron has for waking us: it drops what is later than that. */
const PATIENCE = 1_000;
/** Milliseconds. Clocks are corrected by seconds every day; anything less than this is not a jump. */
const JUMP = 60_000;
/** Stretches of time to remember, one per jump of the clock. */
const MOST_STRETCHES = 20;

export interface Firing {
  /** The due time, in milliseconds since 1970. */
  readonly due: number;
  /** The number of due times that passed unnoticed, including this one; normally 1. */
  readonly passed: number;
  /** The first of them. */
  readonly first: number;
  /** True if no one looked for over a minute: the machine slept, was too busy, or its clock was set forward. */
  readonly late: boolean;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

interface DueClockOptions {
  readonly cron: CronExpression;
  readonly zone: Zone;
  readonly onDue: (firing: Firing) => void;
  /** The clock was set back by this many milliseconds. `next`: the next due time not yet reported. */
  readonly onPutBack: (by: number, next: number | undefined) => void;
  readonly startEngine?: StartEngine;
}

export class DueClock {
  readonly #options: DueClockOptions;
  #next: number | undefined;
  /** The wall clock at the last look. */
  #seen = 0;
  /** Start of the current stretch, in which the clock has run without a jump. */
  #since = 0;
  #until = 0;
  /** Stretches reported before the clock jumped. Due times in them are not reported again. */
  #reported: Stretch[] = [];
  #watch: ReturnType<typeof setInterval> | undefined;
  #stopEngine: (() => void) | undefined;

  constructor(options: DueClockOptions) {
    this.#options = options;
  }

  /** Reports the due times after a moment: now, or shortly before. */
  async start(after = Date.now()): Promise<void> {
    this.#seen = this.#since = this.#until = after;
    this.#next = this.#unreported(this.#seen);
    this.#watch = setInterval(() => this.#look(), WATCH_EVERY);
    await this.#startEngine();
  }

  stop(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
    this.#stopEngine?.();
    this.#stopEngine = undefined;
  }

  /** Looks at the clock. Call it at any time, as often as you like. */
  check(): void {
    if (this.#watch === undefined) return;
    const now = Date.now();
    const before = this.#seen;
    this.#seen = now;
    if (now < before - JUMP) this.#putBack(before, now);
    else this.#reportDue(now, now > before + JUMP);
  }

  /** Leaves what is due to node-cron, unless the clock jumped or node-cron has missed it. */
  #look(): void {
    const now = Date.now();
    const hasJumped = Math.abs(now - this.#seen) > JUMP;
    if (hasJumped || (this.#next !== undefined && now >= this.#next + PATIENCE)) this.check();
    else this.#seen = now;
  }

  #reportDue(now: number, late: boolean): void {
    // Usually, this comparison is all there is to do.
    const isDue = this.#next !== undefined && now >= this.#next;
    const passed = isDue ? duesBetween((after) => this.#unreported(after), this.#until, now) : undefined;
    if (late) this.#jump(now, passed?.last);
    this.#until = Math.max(this.#until, now);
    if (!passed) return;
    this.#next = this.#unreported(now);
    this.#options.onDue({ due: passed.last, passed: passed.count, first: passed.first, late });
  }

  #putBack(before: number, now: number): void {
    this.#jump(now);
    this.#next = this.#unreported(now);
    this.#options.onPutBack(before - now, this.#next);
  }

  /**
   * Starts a new stretch. Restarts the engine, too, which would otherwise run everything that it missed, or wait for the old
   * time.
   */
  #jump(now: number, reported?: number): void {
    this.#reported.push({ from: this.#since, to: this.#until });
    if (reported !== undefined) this.#reported.push({ from: reported - 1, to: reported });
    this.#reported = this.#reported.slice(-MOST_STRETCHES);
    this.#since = this.#until = now;
    this.#stopEngine?.();
    this.#stopEngine = undefined;
    void this.#startEngine();
  }

  async #startEngine(): Promise<void> {
    const { cron, zone, startEngine = startCronEngine } = this.#options;
    const stop = await startEngine(cron, zone, () => this.check());
    // Meanwhile, this clock may have been stopped, or another engine started.
    if (this.#watch === undefined || this.#stopEngine) stop();
    else this.#stopEngine = stop;
  }

  /** The first due time after a moment that is not in a stretch already reported. */
  #unreported(after: number): number | undefined {
    const { cron, zone } = this.#options;
    let due = nextDue(cron, zone, after);
    for (let reported = this.#reportedAt(due); due !== undefined && reported; reported = this.#reportedAt(due))
      due = nextDue(cron, zone, reported.to);
    return due;
  }

  #reportedAt(due: number | undefined): Stretch | undefined {
    return due === undefined ? undefined : this.#reported.find(({ from, to }) => from < due && due <= to);
  }
}

// Wakes the scheduler with node-cron. Nothing else knows that package.

/** Starts the engine and returns a function that stops it. */
export type StartEngine = (cron: CronExpression, zone: Zone, wake: () => void) => Promise<() => void>;

const quiet = { info() {}, warn() {}, error() {}, debug() {} };

const startCronEngine: StartEngine = async (cron, zone, wake) => {
  const { default: engine } = await import('node-cron');
  const tasks = patternsOf(cron).map((pattern) => {
    // Without a logger, it writes to the console.
    const task = engine.schedule(pattern, () => wake(), { timezone: zone.name, logger: quiet, suppressMissedWarning: true });
    task.on('execution:missed', () => wake());
    return task;
  });
  return () => {
    for (const task of tasks) void task.destroy();
  };
};

/** node-cron requires both date and weekday to match, so a plan that needs only one of them becomes two patterns. */
function patternsOf({ fields, eitherDay }: CronExpression): string[] {
  if (!eitherDay) return [fields.join(' ')];
  const [minute, hour, day, month, weekday] = fields;
  return [`${minute} ${hour} ${day} ${month} *`, `${minute} ${hour} * ${month} ${weekday}`];
}
