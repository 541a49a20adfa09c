// Limits how long a run may take. The limit of its file counts from its start, waits included. The limit of the host counts everything in
// memory; for a run in a store only the time in which the run works, because such a run may wait for days.
import { type RunStop, runStops } from '../services/call-errors.js';
import { type Clock, milliseconds } from './clock.js';
import type { DurableRun } from './durable-run.js';

export class RunLimit {
  /** When the run started, on its clock; also before the process did. */
  readonly #started: number;
  readonly #clock: Clock;
  /** Milliseconds; Infinity for no limit. */
  readonly #totalMs: number;
  readonly #workMs: number;
  /** When the working time is over; later after each pause. */
  #workEnds: number;
  #isPausing = false;

  /** @param total milliseconds from the start @param work milliseconds of work from now; Infinity for no limit */
  constructor(clock: Clock, started: number, total: number, work: number, workEnds = milliseconds() + work) {
    this.#clock = clock;
    this.#started = started;
    this.#totalMs = total;
    this.#workMs = work;
    this.#workEnds = workEnds;
  }

  /** Milliseconds; Infinity for no limit. */
  left(): number {
    if (this.#totalMs === Number.POSITIVE_INFINITY && this.#workMs === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    const work = this.#isPausing ? Number.POSITIVE_INFINITY : this.#workEnds - milliseconds();
    return Math.min(this.#started + this.#totalMs - this.#clock.milliseconds(), work);
  }

  /** The error that ends the run. */
  exceeded(): RunStop {
    const isTotal = this.#started + this.#totalMs - this.#clock.milliseconds() < 1;
    return runStops.overLimit(isTotal ? this.#totalMs : this.#workMs);
  }

  /** Time that passes during `wait` is no work. */
  async pausing<T>(wait: () => Promise<T>): Promise<T> {
    const since = milliseconds();
    this.#isPausing = true;
    try {
      return await wait();
    } finally {
      this.#isPausing = false;
      this.#workEnds += milliseconds() - since;
    }
  }

  /** That of a branch, which pauses for itself. */
  branch(): RunLimit {
    return new RunLimit(this.#clock, this.#started, this.#totalMs, this.#workMs, this.#workEnds);
  }

  /** A branch has ended: what it waited, the run has waited. */
  join(branch: RunLimit): void {
    this.#workEnds = Math.max(this.#workEnds, branch.#workEnds);
  }
}

/**
 * @param started when the run started, on its clock
 * @param ofFile milliseconds; 0 or absent for none, as for `ofHost`
 */
export function runLimitOf(
  started: number,
  ofFile: number | undefined,
  ofHost: number | undefined,
  clock: Clock,
  kept?: DurableRun,
): RunLimit {
  const none = Number.POSITIVE_INFINITY;
  // A recorded result was in time, however long ago that was.
  if (kept?.isReplay === true) return new RunLimit(clock, started, none, none);
  const [file, host] = [ofFile || none, ofHost || none];
  // A simulated day is no time to its host.
  if (kept !== undefined || clock.isSimulated) return new RunLimit(clock, started, file, host);
  return new RunLimit(clock, started, Math.min(file, host), none);
}
