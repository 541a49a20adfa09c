// Decides what is due, and reports each due time exactly once.
//
// node-cron wakes it, and the due time is compared then. But node-cron 4.6 misses times that the clock jumps over, stays silent during an
// hour that the clock repeats, drops a firing that is more than a second late, and waits for the old time after the clock is set back. So a
// watch looks for clocks that jumped, for machines that slept, and for a due time that node-cron let pass.

import type { CronExpression } from '../timetable/cron-expression.js';
import { duesBetween, nextDue } from '../timetable/next-due.js';
import type { Zone } from '../timetable/zone.js';
import { type StartEngine, startCronEngine } from './cron-engine.js';

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

export interface DueClockOptions {
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
