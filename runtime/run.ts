// One run of a workflow, as emitted code and service calls see it. Everything that may pause, end or be logged goes through it.
import { type RunStop, runStops } from './call-errors.js';
import { abortReason, Cancellation, listenTo } from './cancellation.js';
import { milliseconds } from './clock.js';
import type { DurableBranch } from './durable-run.js';
import { ignoreTimeOver, RunEnded, TimeOver } from './errors.js';
import { RunDays } from './run-days.js';
import { RunLog } from './run-log.js';
import { standardMocks } from './services/mock.js';
import { TimeSlice } from './time-slice.js';
import { tracedValue } from './traced-value.js';
import type { Mocks, RunOptions, ServiceSpec, SourceLocation, Value, WorkflowInfo } from './types.js';
import { show, textToPutOut } from './values.js';
import { waitInRun } from './wait.js';
import { type WaitUnit, waitDuration } from './wait-duration.js';
import { nextTurn, turnNumber } from './yield-queue.js';

/** Timers of Node.js can't wait longer than this many milliseconds; longer waits use several. */
const longestTimer = 2 ** 31 - 1;

export class Run {
  readonly options: RunOptions;
  readonly workflow: WorkflowInfo;
  readonly journal: RunLog;
  /** Read own properties only. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Replaces the services. Nothing waits then, either. */
  readonly mocks: Mocks | undefined;
  /** The journal, if there is a store. */
  readonly durable: DurableBranch | undefined;
  /** Milliseconds since 1970: the start of the run, or the end of its last pause. */
  #now: number;
  readonly days: RunDays;
  /** The services that the module declares. The log knows the credentials in their headers from the start. */
  readonly services: readonly ServiceSpec[];
  readonly #started: number;
  /** Milliseconds; Infinity for no limit. */
  readonly #limit: number;
  #portions: TimeSlice | undefined;
  /** When the run started, or continued after a wait. */
  #goesOn: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What the run is waiting for, until when, and how to give up. */
  #waiting: Cancellation | undefined;
  #until = 0;
  /** The turn of the event loop in which it started waiting. */
  #turn = 0;
  #reject: ((error: unknown) => void) | undefined;
  #stopListening: (() => void) | undefined;
  #stop: RunStop | undefined;

  constructor(workflow: WorkflowInfo, options: RunOptions, services: readonly ServiceSpec[]) {
    this.options = options;
    this.workflow = workflow;
    this.environment = options.env ?? process.env;
    this.mocks = options.mock === true ? standardMocks() : options.mock || undefined;
    this.durable = options.durable?.main;
    this.#goesOn = milliseconds();
    this.#now = options.startedAt?.getTime() ?? Date.now();
    // For a run in a store, waiting counts, even while no process had it.
    const elapsed = options.durable === undefined ? 0 : Date.now() - options.durable.startedAt;
    this.#started = this.#goesOn - Math.max(0, elapsed);
    this.days = new RunDays(workflow.timezone ?? options.timezone, workflow.holidays);
    this.services = services;
    this.#limit = Math.min(workflow.timeoutMs || Number.POSITIVE_INFINITY, options.timeoutMs || Number.POSITIVE_INFINITY);
    this.journal = new RunLog(workflow, this.environment, options, services);
  }

  /** Why the run had to end before its workflow did. */
  get stop(): RunStop | undefined {
    return this.#stop;
  }

  /** ISO 8601 UTC. Stays the same between two pauses of the run. */
  get now(): string {
    return new Date(this.durable?.now ?? this.#now).toISOString();
  }

  /** The date of `now` in the time zone of the workflow. */
  get today(): string {
    return this.days.today(this.now);
  }

  /** `env.NAME`. The log warns once about each missing variable. */
  env(name: string): string | undefined {
    const value = Object.hasOwn(this.environment, name) ? this.environment[name] : undefined;
    if (value === undefined && this.journal.wanted) this.journal.warnUnset(name);
    return value;
  }

  /** `log`: a line written by the author. */
  log(value: Value, line: number): void {
    if (this.journal.wanted) this.journal.add('log', line, { message: textToPutOut(show(value)) });
  }

  /** A variable was set. Only modules emitted for tracing call this. */
  set(name: string, value: Value, line: number): void {
    this.journal.add('set', line, { name, value: tracedValue(value) });
  }

  /** A place was reached. Only modules emitted for coverage call this. */
  reach(index: number): void {
    this.options.onReach?.(index);
  }

  /** Opens a step. Pass the result to `leave`. */
  enter(name: string, line: number): number {
    return this.journal.enter(name, line);
  }

  /** Closes the step that `enter` opened, and all steps inside it. */
  leave(depth: number): void {
    this.journal.leave(depth);
  }

  /** `wait`. @param site number of the place: an index into `WorkflowInfo.sites` */
  wait(amount: Value, unit: WaitUnit, location: SourceLocation, site: number): Promise<void> {
    return waitInRun(this, waitDuration(amount, unit, location), `wait ${show(amount)} ${unit}`, location, site);
  }

  moveOn(ms: number): void {
    this.#now += ms;
  }

  /**
   * How many rounds of a loop may follow; 0 if the loop has to let other work run first.
   * @param done finished rounds of `total`; `line` of the loop
   */
  refuel(done = 0, total = 0, line = 0): number {
    this.options.onProgress?.(line, done, total);
    return this.options.signal?.aborted ? 0 : this.#pace().next();
  }

  /** Lets other work run, then returns how many rounds may follow. @throws RunEnded if the run must end */
  async yieldToEventLoop(): Promise<number> {
    await nextTurn();
    this.check();
    return this.#pace().released();
  }

  #pace(): TimeSlice {
    this.#portions ??= new TimeSlice(milliseconds, this.#goesOn);
    return this.#portions;
  }

  /** @throws RunEnded if the run was cancelled or exceeded its time limit */
  check(): void {
    if (this.#stop === undefined) {
      if (this.options.signal?.aborted) this.#stop = runStops.interrupted(abortReason(this.options.signal));
      else if (this.#timeLeft() <= 0) this.#stop = runStops.overLimit(this.#limit);
    }
    if (this.#stop !== undefined) throw new RunEnded(this.#stop.message);
  }

  /** Pauses for this many milliseconds, at most until `wake` resolves. With mock answers, it doesn't pause. @throws RunEnded */
  async pause(ms: number, wake: Promise<unknown> = new Promise(() => undefined)): Promise<void> {
    this.check();
    if (this.mocks !== undefined || ms <= 0) return;
    await this.within(ms, () => wake).catch(ignoreTimeOver);
  }

  /**
   * Waits for the work, but no longer than its own time or the run's, and not once the run is cancelled. Then it rejects
   * immediately, whatever the work does, and tells the work through its `Cancellation`. A run only ever waits for one thing.
   * @throws TimeOver, RunEnded, or whatever the work throws
   */
  within<T>(ms: number, work: (cancellation: Cancellation) => Promise<T>): Promise<T> {
    this.check();
    if (this.options.signal !== undefined) this.#stopListening ??= listenTo(this.options.signal, this);
    const cancellation = new Cancellation();
    return new Promise<T>((resolve, reject) => {
      this.#waiting = cancellation;
      this.#reject = reject;
      this.#until = milliseconds() + ms;
      this.#turn = turnNumber();
      this.#startTimer();
      work(cancellation).then(
        (result) => {
          // Abandoned work may still end while the run waits for something else.
          if (this.#waiting !== cancellation) return;
          this.#settle();
          resolve(result);
        },
        (error) => {
          if (this.#waiting === cancellation) this.#giveUp(error);
        },
      );
    });
  }

  /** The run's signal aborted. */
  cancelled(): void {
    if (this.#waiting === undefined) return;
    try {
      this.check();
    } catch (error) {
      this.#giveUp(error);
    }
  }

  /** Releases timers and listeners, and closes open steps. */
  finish(): void {
    this.letGo();
    this.journal.leave(0);
  }

  /** Releases timers and listeners. The run continues elsewhere, or later. */
  letGo(): void {
    this.#settle();
    this.#stopListening?.();
  }

  #timeLeft(): number {
    return this.#limit === Number.POSITIVE_INFINITY ? this.#limit : this.#started + this.#limit - milliseconds();
  }

  #startTimer(): void {
    const left = Math.min(this.#until - milliseconds(), this.#timeLeft());
    this.#timer = setTimeout(Run.#ring, Math.min(Math.ceil(left), longestTimer), this);
  }

  static #ring(run: Run): void {
    // A timer may fire a fraction of a millisecond early.
    if (run.#timeLeft() < 1) {
      run.#stop ??= runStops.overLimit(run.#limit);
      run.#giveUp(new RunEnded(run.#stop.message));
    } else if (run.#until - milliseconds() < 1) run.#giveUp(new TimeOver());
    else run.#startTimer();
  }

  #giveUp(error: unknown): void {
    const waiting = this.#waiting;
    const reject = this.#reject;
    this.#settle();
    reject?.(error);
    waiting?.abort();
  }

  /** Whatever the run waited for is over. */
  #settle(): void {
    if (this.#waiting === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = undefined;
    this.#reject = undefined;
    if (this.#turn === turnNumber()) return;
    if (this.#portions === undefined) this.#goesOn = milliseconds();
    else this.#portions.released();
  }
}
