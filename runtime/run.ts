// One run of a workflow: what emitted code and service calls ask of their surroundings. Its own file, because everything that may pause,
// end or be written down passes through it.

import { nextTurn, turnNumber } from './breathing.js';
import { type RunStop, runStops } from './call-errors.js';
import { Cancellation, listenTo } from './cancellation.js';
import { milliseconds } from './clock.js';
import { RunEnded } from './errors.js';
import { Portions } from './portions.js';
import { RunLog } from './run-log.js';
import { standardMocks } from './services/mock.js';
import type { Mocks, Place, RunOptions, ServiceSpec, Value, WorkflowInfo } from './types.js';
import { show } from './values.js';

/** Node's timers hold no more milliseconds than this; longer times take several. */
const longestTimer = 2 ** 31 - 1;

const unitLengths = { seconds: 1_000, minutes: 60_000, hours: 3_600_000 } as const;

/** What `within` rejects with where its own time is over, not the run's. */
export class TimeOver extends Error {}

export class Run {
  readonly options: RunOptions;
  readonly journal: RunLog;
  /** Only own properties may be read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Answers instead of the services; then nothing waits either. */
  readonly mocks: Mocks | undefined;
  /** Milliseconds since 1970. */
  readonly #startedAt: number;
  /** The services that the module declares; the credentials in their headers are known to the log from the start. */
  readonly services: readonly ServiceSpec[];
  readonly #started = milliseconds();
  /** Milliseconds; Infinity where there is none. */
  readonly #limit: number;
  /** Made by the first loop that is long. */
  #portions: Portions | undefined;
  /** When the run began, or went on after it had waited. */
  #goesOn = this.#started;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What the run waits for right now, until when, and how to give it up. */
  #waiting: Cancellation | undefined;
  #until = 0;
  /** The turn of the event loop in which it began to wait. */
  #turn = 0;
  #reject: ((error: unknown) => void) | undefined;
  #stopListening: (() => void) | undefined;
  #missing: Set<string> | undefined;
  #stop: RunStop | undefined;

  constructor(workflow: WorkflowInfo, options: RunOptions, services: readonly ServiceSpec[]) {
    this.options = options;
    this.environment = options.env ?? process.env;
    this.mocks = options.mock === true ? standardMocks() : options.mock || undefined;
    this.#startedAt = options.startedAt?.getTime() ?? Date.now();
    this.services = services;
    this.#limit = Math.min(workflow.timeoutMs || Number.POSITIVE_INFINITY, options.timeoutMs || Number.POSITIVE_INFINITY);
    this.journal = new RunLog(workflow, this.environment, options, services);
  }

  /** Why the run had to end before its workflow did. */
  get stop(): RunStop | undefined {
    return this.#stop;
  }

  /** ISO 8601 UTC, the same throughout the run. */
  get now(): string {
    return new Date(this.#startedAt).toISOString();
  }

  /** The date of `now`. */
  get today(): string {
    return this.now.slice(0, 10);
  }

  /** `env.NAME`; the log warns once of each that is not set. */
  env(name: string): string | undefined {
    const value = Object.hasOwn(this.environment, name) ? this.environment[name] : undefined;
    if (value === undefined && this.journal.wanted && !this.#missing?.has(name)) {
      this.#missing ??= new Set();
      this.#missing.add(name);
      this.journal.add('warning', undefined, { message: `The environment variable ${name} is not set; it counts as empty.` });
    }
    return value;
  }

  /** `log`: a line of the author's own. */
  log(value: Value, line: number): void {
    if (this.journal.wanted) this.journal.add('log', line, { message: show(value) });
  }

  /** A variable was set; only modules that are emitted for tracing say so. */
  set(name: string, value: Value, line: number): void {
    this.journal.add('set', line, { name, value });
  }

  /** A place was reached; only modules that are emitted for coverage say so. */
  reach(index: number): void {
    this.options.onReach?.(index);
  }

  /** Opens a step; what it returns is for `leave`. */
  enter(name: string, line: number): number {
    return this.journal.enter(name, line);
  }

  /** Closes the step that `enter` opened, and all inside it. */
  leave(depth: number): void {
    this.journal.leave(depth);
  }

  /** `wait`. */
  async wait(amount: number, unit: keyof typeof unitLengths, place: Place): Promise<void> {
    const durationMs = amount * unitLengths[unit];
    this.journal.add('wait', place[0], { durationMs });
    await this.pause(durationMs);
  }

  /**
   * How many rounds of a loop may follow; 0 where the loop must let other work go on first.
   * @param done rounds that are behind, of `total`; `line` of the loop
   */
  refuel(done = 0, total = 0, line = 0): number {
    this.options.onProgress?.(line, done, total);
    return this.options.signal?.aborted ? 0 : this.#pace().next();
  }

  /** Lets other work go on; returns the next portion of rounds. @throws RunEnded where the run must end. */
  async breathe(): Promise<number> {
    await nextTurn();
    this.check();
    return this.#pace().released();
  }

  #pace(): Portions {
    this.#portions ??= new Portions(milliseconds, this.#goesOn);
    return this.#portions;
  }

  /** @throws RunEnded where the run was cancelled or is over its time. */
  check(): void {
    if (this.#stop === undefined) {
      if (this.options.signal?.aborted) this.#stop = runStops.interrupted(reasonOf(this.options.signal));
      else if (this.#timeLeft() <= 0) this.#stop = runStops.overLimit(this.#limit);
    }
    if (this.#stop !== undefined) throw new RunEnded(this.#stop.message);
  }

  /** Pauses for this many milliseconds; with mock answers not at all. @throws RunEnded */
  async pause(ms: number): Promise<void> {
    this.check();
    if (this.mocks !== undefined || ms <= 0) return;
    try {
      await this.within(ms, () => new Promise<never>(() => undefined));
    } catch (error) {
      if (!(error instanceof TimeOver)) throw error;
    }
  }

  /**
   * Waits for the work, but not beyond its own time or the run's, and not once the run is cancelled: then it rejects at once, whatever
   * the work does, and tells the work through its `Cancellation`. One thing at a time: a run never waits for two.
   * @throws TimeOver, RunEnded, and what the work throws.
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
          // Work that was given up may still end, while the run waits for something else.
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

  /** Lets go of timers and listeners, and closes the open steps. */
  finish(): void {
    this.#settle();
    this.#stopListening?.();
    this.journal.leave(0);
  }

  #timeLeft(): number {
    return this.#limit === Number.POSITIVE_INFINITY ? this.#limit : this.#started + this.#limit - milliseconds();
  }

  #startTimer(): void {
    const left = Math.min(this.#until - milliseconds(), this.#timeLeft());
    this.#timer = setTimeout(Run.#ring, Math.min(Math.ceil(left), longestTimer), this);
  }

  static #ring(run: Run): void {
    // A timer may come a fraction of a millisecond early.
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

  /** What the run waited for is over. */
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

function reasonOf(signal: AbortSignal): string {
  const reason: unknown = signal.reason;
  // A bare `abort()` gives a reason that says nothing.
  return reason instanceof Error && reason.name !== 'AbortError' && reason.message !== '' ? reason.message : 'interrupted';
}
