// One run of a workflow, as emitted code and service calls see it. Everything that may pause, end or be logged goes through it.
import { type RunStop, runStops } from '../services/call-errors.js';
import { standardMocks } from '../services/mock.js';
import type { Environment, Mocks, RunOptions, ServiceSpec, SourceLocation, Value, WfRecord, WorkflowInfo } from '../types.js';
import { atLine, ignoreTimeOver, RunEnded } from '../values/errors.js';
import { jsonSize } from '../values/json.js';
import { typeName } from '../values/operand-text.js';
import { show, textToPutOut } from '../values/values.js';
import { resetWorkload, TimeSlice } from '../workload.js';
import { abortReason, type BlockPlace, type Cancellation, type EndSignal, type SparedCalls } from './cancellation.js';
import { type Clock, milliseconds, realClock } from './clock.js';
import type { DurableBranch } from './durable-run.js';
import { receivedBy } from './received.js';
import { RunDays } from './run-days.js';
import { type RunLimit, runLimitOf } from './run-limit.js';
import { RunLog } from './run-log.js';
import { type MemoryAccount, memoryWatch } from './run-memory.js';
import { SimulatedClock } from './simulated-clock.js';
import { type WaitUnit, waitDuration, waitInRun } from './wait.js';
import { Waiting } from './waiting.js';
import { nextTurn } from './yield-queue.js';

export class Run implements BlockPlace {
  readonly options: RunOptions;
  readonly workflow: WorkflowInfo;
  readonly journal: RunLog;
  /** Read own properties only. */
  readonly environment: Environment;
  /** Replaces the services. Without a journal, waits then take place on a simulated clock; with one, nothing waits. */
  readonly mocks: Mocks | undefined;
  /** The journal, if there is a store. */
  readonly durable: DurableBranch | undefined;
  /** Milliseconds since 1970: the start of the run, or the end of its last pause. */
  #now: number;
  /** The time at which the clock of the whole run was at 0, in milliseconds since 1970. */
  readonly #zero: number = 0;
  readonly clock: Clock;
  readonly days: RunDays;
  /** The services that the module declares. The log knows the credentials in their headers from the start. */
  readonly services: readonly ServiceSpec[];
  readonly #limit: RunLimit;
  #slice: TimeSlice | undefined;
  /** When the run started, or continued after a wait. */
  #workingSince: number;
  #waiting: Waiting | undefined;
  /** The run itself, or the run that this branch belongs to. */
  readonly #whole: Run;
  /** The reason why this branch must end while the run continues. */
  #abandoned: RunEnded | undefined;
  abandonBlock: BlockPlace['abandonBlock'];
  isBlockBusy: BlockPlace['isBlockBusy'];
  /** A call that is under way. */
  #call: SparedCalls | undefined;
  #spares: SparedCalls = 'once';
  #stop: RunStop | undefined;
  /** Of the whole run. */
  #memory: MemoryAccount | undefined;
  /** The line at work, as far as it takes long. */
  #line: number | undefined;

  /** @param around the enclosing run or branch; `durable` is its journal then */
  constructor(
    workflow: WorkflowInfo,
    options: RunOptions,
    services: readonly ServiceSpec[],
    around?: Run,
    durable: DurableBranch | undefined = options.durable?.main,
  ) {
    this.options = options;
    this.workflow = workflow;
    this.services = services;
    this.durable = durable;
    this.#workingSince = milliseconds();
    if (around !== undefined) {
      this.#whole = around.#whole;
      this.environment = around.environment;
      this.mocks = around.mocks;
      this.#now = around.#now;
      this.clock = around.clock;
      this.#limit = around.#limit.branch();
      this.days = around.days;
      this.journal = around.journal.branch(durable);
      return;
    }
    this.#whole = this;
    this.environment = options.env ?? process.env;
    this.mocks = options.mock === true ? standardMocks() : options.mock || undefined;
    this.#now = options.startedAt?.getTime() ?? Date.now();
    this.clock = options.clock ?? (this.mocks === undefined || durable !== undefined ? realClock : new SimulatedClock(this.#now));
    this.#zero = (this.clock.isSimulated ? this.clock.now() : this.#now) - this.clock.milliseconds();
    // For a run in a store, waiting counts, even while no process had it.
    const elapsed = options.durable === undefined ? 0 : Date.now() - options.durable.startedAt;
    const started = this.clock.milliseconds() - Math.max(0, elapsed);
    this.days = new RunDays(workflow.timezone ?? options.timezone, workflow);
    this.#limit = runLimitOf(started, workflow.timeoutMs, options.timeoutMs, this.clock, options.durable);
    this.journal = new RunLog(this);
    const { caller } = options;
    if (caller === undefined) return;
    caller.abandonBlock = (reason, spares) => this.abandon(reason, spares);
    caller.isBlockBusy = () => this.isBusy;
  }

  /** One concurrent branch or round. It shares everything with this run except its log position, clock and waits. */
  branch(durable: DurableBranch | undefined): Run {
    return new Run(this.workflow, this.options, this.services, this, durable);
  }

  /** A branch of this run has ended: `now` continues from the latest of them. */
  join(branch: Run): void {
    this.#now = Math.max(this.#now, branch.#now);
    this.#limit.join(branch.#limit);
  }

  get isAbandoned(): boolean {
    return this.#abandoned !== undefined;
  }

  /**
   * Ends a branch from outside: aborts what it and the branches of its block wait for, and they do nothing more. Calls that are under way
   * and spared go on.
   */
  abandon(reason: string, spares: SparedCalls = 'once'): void {
    this.#abandoned ??= new RunEnded(reason);
    this.#spares = spares;
    this.abandonBlock?.(reason, spares);
    if (!this.isBusy) this.#waiting?.giveUp(this.#abandoned);
  }

  /** Whether an abandoned branch still waits for a call. */
  get isBusy(): boolean {
    return this.#call === 'once' || (this.#call !== undefined && this.#spares === 'calls') || this.isBlockBusy?.() === true;
  }

  /** Makes a call that a branch may have to wait for although it is over. */
  async calling<T>(kind: SparedCalls, work: () => Promise<T>): Promise<T> {
    this.#call = kind;
    try {
      return await work();
    } finally {
      this.#call = undefined;
    }
  }

  /** The reason why the run had to end before its workflow did. */
  get stop(): RunStop | undefined {
    return this.#whole.#stop;
  }

  /** ISO 8601 UTC. Stays the same between two pauses of the run. */
  get now(): string {
    return new Date(this.durable?.now ?? this.#now).toISOString();
  }

  /** The date of `now` in the time zone of the workflow. */
  get today(): string {
    return this.days.today(this.now);
  }

  /** `received`: what is known of how the run was started. */
  get arrival(): WfRecord {
    const { options } = this.#whole;
    options.received ??= receivedBy('command line', { id: options.requestId, at: options.startedAt });
    return options.received;
  }

  /** `env.NAME`. The log warns once about each missing variable. */
  env(name: string): string | undefined {
    const value = Object.hasOwn(this.environment, name) ? this.environment[name] : undefined;
    if (value === undefined && this.journal.wanted) this.journal.warnUnset(name);
    return value;
  }

  /** `log`: a line written by the author. */
  log(value: Value, line: number): void {
    if (this.journal.wanted) this.journal.add('log', line, { message: atLine(line, () => textToPutOut(show(value))) });
  }

  /** A variable was set. Only modules emitted for tracing call this. */
  set(name: string, value: Value, line: number): void {
    this.journal.add('set', line, { name, value: tracedValue(value) });
  }

  /** A place was reached. Only modules emitted for coverage call this. */
  reach(index: number): void {
    this.options.onReach?.(index, this.durable, this.journal);
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
    return waitInRun(this, {
      durationMs: waitDuration(amount, unit, location),
      title: `wait ${show(amount)} ${unit}`,
      location,
      site,
    });
  }

  /** A wait is over. Calls before it have taken their time, too. */
  moveOn(): void {
    this.#now = this.#whole.#zero + this.clock.milliseconds();
  }

  /**
   * The number of rounds of a loop that may follow; 0 if the loop has to let other work run first.
   * @param done finished rounds of `total`; `line` of the loop
   */
  refuel(done = 0, total = 0, line = 0): number {
    this.options.onProgress?.(line, done, total);
    this.#whole.#line = line;
    return this.nextSlice();
  }

  /** The number of rounds that may follow without a report about them; 0 if other work has to run first. */
  nextSlice(): number {
    resetWorkload();
    return this.options.signal?.aborted || this.#holdsTooMuch() ? 0 : this.#pace().next();
  }

  /** Lets other work run, then returns how many rounds may follow. @throws RunEnded if the run must end */
  async yieldToEventLoop(): Promise<number> {
    // A run that holds too much memory ends before others take more.
    if (this.#whole.#stop !== undefined) this.check();
    this.clock.hold();
    await nextTurn();
    this.clock.release();
    this.check();
    this.#whole.#memory?.begin();
    return this.#pace().released();
  }

  /** The expression of this line takes long. */
  isAt(line: number): void {
    this.#whole.#line = line;
  }

  #holdsTooMuch(): boolean {
    const whole = this.#whole;
    const account = whole.#account();
    if (account?.isOver() !== true) return false;
    whole.#stop ??= runStops.overMemory(account.isInTheWay ? undefined : memoryWatch()?.limit, whole.#line);
    return true;
  }

  #account(): MemoryAccount | undefined {
    this.#memory ??= memoryWatch()?.open();
    return this.#memory;
  }

  /** The run has received this much from outside. */
  received(bytes: number): void {
    this.#whole.#account()?.add(bytes);
  }

  #pace(): TimeSlice {
    this.#slice ??= new TimeSlice(milliseconds, this.#workingSince);
    return this.#slice;
  }

  /** @throws RunEnded if the run was cancelled or exceeded its time limit, or this branch of it must end */
  check(): void {
    const whole = this.#whole;
    if (whole.#stop === undefined) {
      if (this.options.signal?.aborted) whole.#stop = runStops.interrupted(abortReason(this.options.signal));
      else if (this.timeLeft() <= 0) this.overLimit();
      else if (this.clock.deadlock !== undefined) whole.#stop = runStops.waitsForEver(this.clock.deadlock);
    }
    if (whole.#stop !== undefined) throw new RunEnded(whole.#stop.message);
    if (this.#abandoned !== undefined) throw this.#abandoned;
  }

  /**
   * Pauses for this many milliseconds, at most until `wake` resolves. With mock answers, time passes on a simulated clock.
   * @param awaits what is waited for, in words, if that may never come
   * @throws RunEnded
   */
  async pause(ms: number, wake: Promise<unknown> = new Promise(() => undefined), awaits = ''): Promise<void> {
    this.check();
    if ((this.mocks !== undefined && !this.clock.isSimulated) || ms <= 0) return;
    this.mocks?.pauses?.(ms);
    await this.#limit.pausing(() => this.within(ms, () => wake, awaits)).catch(ignoreTimeOver);
  }

  /**
   * Waits for the work, but no longer than its own time or the run's, and not once the run is cancelled. Then it rejects
   * immediately, whatever the work does, and tells the work through its `Cancellation`. A run only ever waits for one thing.
   * @throws TimeOver, RunEnded, or whatever the work throws
   */
  within<T>(ms: number, work: (cancellation: Cancellation) => Promise<T>, awaits = ''): Promise<T> {
    this.check();
    this.#waiting ??= new Waiting(this);
    this.#waiting.awaits = awaits;
    return this.#waiting.within(ms, work);
  }

  get signal(): EndSignal | undefined {
    return this.options.signal;
  }

  /** Releases timers and listeners, and closes open steps. */
  finish(): void {
    this.letGo();
    this.journal.leaveAll();
  }

  /** This branch is over: its later entries are not logged. */
  end(): void {
    this.letGo();
    this.journal.close();
  }

  /** Releases timers and listeners. The run continues elsewhere, or later. */
  letGo(): void {
    this.#waiting?.letGo();
    this.#memory?.close();
  }

  /** Milliseconds until the run exceeds its time limit. */
  timeLeft(): number {
    return this.#limit.left();
  }

  /** The run has exceeded its time limit. */
  overLimit(): RunEnded {
    this.#whole.#stop ??= this.#limit.exceeded();
    return new RunEnded(this.#whole.#stop.message);
  }

  /** A wait is over, and other work had a turn meanwhile. */
  resumed(): void {
    if (this.#slice === undefined) this.#workingSince = milliseconds();
    else this.#slice.released();
  }
}

/** Characters to show, and to search for secrets. */
const most = 100_000;

const tracedValue = (value: Value): Value => (jsonSize(value, most) <= most ? value : `(a ${typeName(value)} too long to show)`);
