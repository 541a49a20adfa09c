// The clock of a run: what time it is, and what wakes the run later. Real runs use timers; tests use a simulated clock.

/**
 * Milliseconds, with fractions, since an arbitrary moment. Never goes back. `performance.now()` would load a whole module of Node.js at
 * first use, which takes longer than a small run.
 */
export function milliseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}

/** Timers of Node.js can't wait longer than this many milliseconds; longer waits use several. */
export const longestTimer = 2 ** 31 - 1;

/** Waits on a clock. */
export interface Sleeper {
  /** The time is over, or the clock can wait no longer in one piece. */
  ring(): void;
  /** Completes `nothing can end …`, if nothing but a message or an answer can. */
  readonly awaits: string;
}

/** From `startTimer`. */
export type Timer = unknown;

export interface Clock {
  /** Milliseconds since an arbitrary moment. Never goes back. */
  milliseconds(): number;
  /** Milliseconds since 1970. */
  now(): number;
  /** Rings the sleeper in so many milliseconds, or earlier. Infinity: only if nothing else can happen any more. */
  startTimer(sleeper: Sleeper, ms: number): Timer;
  stopTimer(timer: Timer): void;
  /** The run works across turns of the event loop: no time passes until `release`. */
  hold(): void;
  release(): void;
  /** The event that a run waits for and that can never happen; absent while one can. */
  readonly deadlock: string | undefined;
  /** Whether time passes without anybody waiting for it. */
  readonly isSimulated: boolean;
}

const ring = (sleeper: Sleeper): void => sleeper.ring();

export const realClock: Clock = {
  milliseconds,
  now: Date.now,
  startTimer: (sleeper, ms) => setTimeout(ring, Math.min(Math.ceil(ms), longestTimer), sleeper),
  // Only `startTimer` makes them.
  stopTimer: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
  hold: () => undefined,
  release: () => undefined,
  deadlock: undefined,
  isSimulated: false,
};
