// The guard around the cron engine: it decides what is due, whoever wakes it, so that each due time is told exactly once.
//
// node-cron 4.6 leaves out a time that the clock jumps over, is silent for the hour that the clock shows twice, drops a firing that
// comes more than a second late, and waits for the old time when the clock is set back. Here every wake-up, by node-cron or by a
// watch of our own, only asks one question: has the next due time, as we calculate it, passed?
import { type StartEngine, startCronEngine } from './cron-engine.js';
import type { CronExpression } from './cron-expression.js';
import { duesBetween, nextDue } from './next-due.js';
import type { Zone } from './zone.js';

/** How often the watch looks, in milliseconds: the longest that a due time which the engine leaves out has to wait. */
const WATCH_EVERY = 1_000;
/** A clock is corrected by seconds every day; less than this is no jump. */
const JUMP = 60_000;
/** Stretches of time to remember; each comes from one jump of the clock. */
const MOST_STRETCHES = 20;

export interface Firing {
  /** The due time, in milliseconds since 1970. */
  readonly due: number;
  /** How many due times passed unnoticed, this one included; 1 is the normal case. */
  readonly passed: number;
  /** The first of them. */
  readonly first: number;
  /** True where nobody looked for over a minute: the machine slept, was too busy, or its clock was put forward. */
  readonly late: boolean;
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

export interface DueClockOptions {
  readonly cron: CronExpression;
  readonly zone: Zone;
  readonly onDue: (firing: Firing) => void;
  /** The clock was put back by so many milliseconds; the next due time that has not been told yet. */
  readonly onPutBack: (by: number, next: number | undefined) => void;
  readonly startEngine?: StartEngine;
}

export class DueClock {
  readonly #options: DueClockOptions;
  #next: number | undefined;
  /** The wall clock at the last look. */
  #seen = 0;
  /** The stretch in which the clock has run without a jump, as far as it was looked at. */
  #since = 0;
  #until = 0;
  /** What was told before the clock jumped: due times in there are not told again. */
  #told: Stretch[] = [];
  #watch: ReturnType<typeof setInterval> | undefined;
  #stopEngine: (() => void) | undefined;

  constructor(options: DueClockOptions) {
    this.#options = options;
  }

  /** Tells the due times after a moment: now, or shortly before. */
  async start(after = Date.now()): Promise<void> {
    this.#seen = this.#since = this.#until = after;
    this.#next = this.#untold(this.#seen);
    this.#watch = setInterval(() => this.check(), WATCH_EVERY);
    await this.#startEngine();
  }

  stop(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
    this.#stopEngine?.();
    this.#stopEngine = undefined;
  }

  /** Looks at the clock; may be called at any time, any number of times. */
  check(): void {
    if (this.#watch === undefined) return;
    const now = Date.now();
    const before = this.#seen;
    this.#seen = now;
    if (now < before - JUMP) this.#putBack(before, now);
    else this.#tell(now, now > before + JUMP);
  }

  #tell(now: number, late: boolean): void {
    // Mostly it is only this comparison.
    const isDue = this.#next !== undefined && now >= this.#next;
    const passed = isDue ? duesBetween((after) => this.#untold(after), this.#until, now) : undefined;
    if (late) this.#jump(now, passed?.last);
    this.#until = Math.max(this.#until, now);
    if (!passed) return;
    this.#next = this.#untold(now);
    this.#options.onDue({ due: passed.last, passed: passed.count, first: passed.first, late });
  }

  #putBack(before: number, now: number): void {
    this.#jump(now);
    this.#next = this.#untold(now);
    this.#options.onPutBack(before - now, this.#next);
  }

  /** Begins a new stretch. The engine begins anew too: it would go through all that it missed, or wait until the old time. */
  #jump(now: number, told?: number): void {
    this.#told.push({ from: this.#since, to: this.#until });
    if (told !== undefined) this.#told.push({ from: told - 1, to: told });
    this.#told = this.#told.slice(-MOST_STRETCHES);
    this.#since = this.#until = now;
    this.#stopEngine?.();
    this.#stopEngine = undefined;
    void this.#startEngine();
  }

  async #startEngine(): Promise<void> {
    const { cron, zone, startEngine = startCronEngine } = this.#options;
    const stop = await startEngine(cron, zone, () => this.check());
    // Somebody may have stopped us, or started another one, meanwhile.
    if (this.#watch === undefined || this.#stopEngine) stop();
    else this.#stopEngine = stop;
  }

  /** The first due time after a moment that lies in no stretch which was told already. */
  #untold(after: number): number | undefined {
    const { cron, zone } = this.#options;
    let due = nextDue(cron, zone, after);
    for (let told = this.#toldAt(due); due !== undefined && told; told = this.#toldAt(due)) due = nextDue(cron, zone, told.to);
    return due;
  }

  #toldAt(due: number | undefined): Stretch | undefined {
    return due === undefined ? undefined : this.#told.find(({ from, to }) => from < due && due <= to);
  }
}
