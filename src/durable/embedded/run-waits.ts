// Waits for runs: callers wait until theirs ends or pauses for long, others ask for its state. Runs of this process report it themselves;
// those of others are polled.
import { toRunHex } from '../run-ids.js';
import { isFinished, type RunState, type WaitingFor } from '../run-views.js';
import type { LiveRun } from './live-run.js';
import type { LiveRuns } from './live-runs.js';
import { isLongPause, isPausedLong } from './long-pause.js';
import type { RunLookup } from './run-lookup.js';
import { StartedRun } from './started-run.js';
import type { StoreAccess } from './store-access.js';

/** Milliseconds between polls for a run of another process. */
const POLL_MS = 150;

export class RunWaits {
  readonly #runs: LiveRuns;
  readonly #lookup: RunLookup;
  readonly #store: StoreAccess;
  #isOver = false;

  constructor(runs: LiveRuns, lookup: RunLookup, store: StoreAccess) {
    this.#runs = runs;
    this.#lookup = lookup;
    this.#store = store;
  }

  /** A run of this process begins to wait. */
  waits(run: LiveRun, waiting: WaitingFor | undefined, due: number | undefined): void {
    if (waiting !== undefined && isLongPause(waiting, due)) run.watchers.tell({ kind: 'paused' });
  }

  /** A run of this process, as its caller learns of it. */
  started(run: LiveRun): StartedRun {
    return new StartedRun(run, this.#lookup, this.#store);
  }

  /** Resolves with the result of the work, or with `undefined` as soon as the store can't be used. */
  whileUsable<T>(work: Promise<T>): Promise<T | undefined> {
    return this.#store.whileUsable(work);
  }

  async settled(id: string, until: 'ended' | 'paused', ms: number): Promise<RunState | undefined> {
    const hex = toRunHex(id);
    if (hex === undefined) return undefined;
    const end = Date.now() + ms;
    for (;;) {
      const state = await this.#lookup.state(id);
      if (state === undefined || isFinished(state.status) || state.status === 'stuck') return state;
      const { waitingFor } = state;
      if (until === 'paused' && waitingFor !== undefined && isPausedLong(waitingFor)) return state;
      const left = end - Date.now();
      if (left <= 0 || this.#isOver) return state;
      const live = this.#runs.get(hex);
      const wait = new Promise((resolve) => setTimeout(resolve, Math.min(left, POLL_MS)));
      await Promise.race([wait, ...(live === undefined ? [] : [live.left])]);
    }
  }

  /**
   * The process stops: whoever still waits gets the state as it is now, while the store can be asked.
   * @param answered resolves when they have their answers
   */
  async end(answered?: () => Promise<void>): Promise<void> {
    this.#isOver = true;
    await answered?.();
  }
}
