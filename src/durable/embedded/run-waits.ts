// Waits for runs: callers wait until theirs ends or pauses for long, others ask for its state. Runs of this process report it themselves;
// those of others are polled.
import type { Ended } from '../durable-engine.js';
import { toRunHex, toRunId } from '../run-ids.js';
import { isFinished, type RunState, type WaitingFor } from '../run-views.js';
import type { LiveRun } from './live-run.js';
import type { LeftMemory } from './live-run-parts.js';
import type { LiveRuns } from './live-runs.js';
import { type RunLookup, stateOf } from './run-lookup.js';

/** Minimum milliseconds of a pause that callers learn about. */
const LONG_PAUSE_MS = 30_000;

/** Milliseconds between polls for a run of another process. */
const POLL_MS = 150;

interface Paused {
  readonly kind: 'paused';
}

/** Whether callers learn about a pause. */
const isLongPause = ({ kind }: WaitingFor, due: number | undefined): boolean =>
  kind === 'message' || kind === 'person' || due === undefined || due - Date.now() > LONG_PAUSE_MS;

const dueOf = ({ until }: WaitingFor): number | undefined => (until === undefined ? undefined : Date.parse(until));

export class RunWaits {
  readonly #runs: LiveRuns;
  readonly #lookup: RunLookup;
  readonly #paused = new Map<string, (() => void)[]>();

  constructor(runs: LiveRuns, lookup: RunLookup) {
    this.#runs = runs;
    this.#lookup = lookup;
  }

  /** A run of this process begins to wait. */
  waits(run: LiveRun, waiting: WaitingFor | undefined, due: number | undefined): void {
    if (waiting === undefined || !isLongPause(waiting, due)) return;
    for (const resolve of this.#paused.get(run.id)?.splice(0) ?? []) resolve();
    this.#paused.delete(run.id);
  }

  /** Resolves when the run has left memory, or pauses for long. */
  endOf(run: LiveRun): Promise<Ended> {
    // By hand: `Promise.race` would take longer than a small run.
    const ended = new Promise<Ended>((resolve, reject) => {
      let isOver = false;
      const end = (left: LeftMemory | Paused): void => {
        if (isOver) return;
        isOver = true;
        this.#paused.delete(run.id);
        if (left.kind === 'outcome') resolve(left);
        else
          this.#stateAfter(run, left).then(resolve, (error) => {
            // Callers who want no end have dropped this promise. The run is in the store all the same.
            ended.catch(() => undefined);
            reject(error);
          });
      };
      run.left.then(end, reject);
      this.#onPause(run, () => end({ kind: 'paused' }));
    });
    return ended;
  }

  async #stateAfter(run: LiveRun, left: Exclude<LeftMemory, { kind: 'outcome' }> | Paused): Promise<Ended> {
    if (left.kind === 'paused') await run.settled();
    // The store can't be asked any more.
    if (run.journal.suspended === 'lost') return { kind: 'lost', state: stateOf(run) };
    const state = await this.#lookup.state(toRunId(run.id));
    if (state === undefined) throw new Error(`The run ${toRunId(run.id)} is not in the store.`);
    return { kind: left.kind === 'parked' ? 'paused' : left.kind, state };
  }

  #onPause({ id, waiting }: LiveRun, callback: () => void): void {
    // It may have begun to wait while its first record was being written.
    const isPaused = waiting !== undefined && isLongPause(waiting, dueOf(waiting));
    const others = this.#paused.get(id);
    if (isPaused) callback();
    else if (others === undefined) this.#paused.set(id, [callback]);
    else others.push(callback);
  }

  async settled(id: string, until: 'ended' | 'paused', ms: number): Promise<RunState | undefined> {
    const hex = toRunHex(id);
    if (hex === undefined) return undefined;
    const end = Date.now() + ms;
    for (;;) {
      const state = await this.#lookup.state(id);
      if (state === undefined || isFinished(state.status) || state.status === 'stuck') return state;
      const { waitingFor } = state;
      if (until === 'paused' && waitingFor !== undefined && isLongPause(waitingFor, dueOf(waitingFor))) return state;
      const left = end - Date.now();
      if (left <= 0) return state;
      const live = this.#runs.get(hex);
      const wait = new Promise((resolve) => setTimeout(resolve, Math.min(left, POLL_MS)));
      await Promise.race([wait, ...(live === undefined ? [] : [live.left])]);
    }
  }
}
