// Follows long-waiting runs of schedules, to report their ends, however many days later and in whatever process.
import type { DurableEngine } from '../durable/durable-engine.js';
import { isFinished, type RunState } from '../durable/model/run-views.js';
import type { Plan } from './read-plan.js';
import type { ScheduleMemory, ScheduleState } from './scheduler.js';

type Store = Pick<DurableEngine, 'watch' | 'state'>;

/** Milliseconds until a store that did not answer is asked again. */
const RETRY_MS = 1_000;

export class FollowedRuns {
  readonly #store: Store;
  readonly #retryMs: number;
  readonly #runs = new Map<string, (state: RunState) => void>();
  #unwatch: (() => void) | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(store: Store, retryMs = RETRY_MS) {
    this.#store = store;
    this.#retryMs = retryMs;
  }

  /** Calls back once, when the run has ended or is stuck. */
  follow(run: string, onEnd: (state: RunState) => void): void {
    this.#runs.set(run, onEnd);
    this.#unwatch ??= this.#store.watch(({ runs, elsewhere = false }) =>
      this.#look(elsewhere ? [...this.#runs.keys()] : runs.map((changed) => changed.run)),
    );
    // It may have ended before this watched.
    this.#look([run]);
  }

  stop(): void {
    this.#runs.clear();
    this.#unwatch?.();
    this.#unwatch = undefined;
    clearTimeout(this.#retry);
    this.#retry = undefined;
  }

  #look(runs: readonly string[]): void {
    this.#check(runs).catch(() => {
      // Nothing else may ever change in a store that could not be asked about it.
      if (this.#unwatch !== undefined) this.#retry ??= setTimeout(() => this.#lookAgain(), this.#retryMs).unref();
    });
  }

  #lookAgain(): void {
    this.#retry = undefined;
    this.#look([...this.#runs.keys()]);
  }

  async #check(runs: readonly string[]): Promise<void> {
    for (const run of runs.filter((one) => this.#runs.has(one))) {
      const state = await this.#store.state(run);
      const onEnd = this.#runs.get(run);
      if (onEnd === undefined || (state !== undefined && !isFinished(state.status) && state.status !== 'stuck')) continue;
      this.#runs.delete(run);
      if (state !== undefined) onEnd(state);
    }
    if (this.#runs.size === 0) this.stop();
  }
}

// The memory of a schedule in a store, shared by all processes that watch it. Interrupted runs need no record here: the store continues
// them.

/** Identifies a timetable: after a change, there is nothing to catch up on. */
export const planKey = ({ cron, zone }: Pick<Plan, 'cron' | 'zone'>): string => `${cron.text} ${zone.name}`;

type Timetables = Pick<DurableEngine, 'timetables'>;

export class StoredMemory implements ScheduleMemory {
  readonly #store: Timetables;
  readonly #workflow: string;
  readonly #plan: string;

  /** @param workflow the name that its runs have in the store */
  constructor(store: Timetables, workflow: string, plan: Pick<Plan, 'cron' | 'zone'>) {
    this.#store = store;
    this.#workflow = workflow;
    this.#plan = planKey(plan);
  }

  async read(): Promise<ScheduleState | undefined> {
    const seen = await this.#store.timetables.seen(this.#workflow, this.#plan);
    return seen === undefined ? undefined : { seen };
  }

  /** Only the very first start counts: another process may be about to start the run that was due a moment ago. */
  async open({ seen }: ScheduleState): Promise<void> {
    if ((await this.read()) === undefined) await this.#store.timetables.done(this.#workflow, this.#plan, seen);
  }

  /** A due time is done when its run is in the store, not before. */
  async write({ seen, running }: ScheduleState): Promise<void> {
    if (running !== undefined) return;
    // If this fails, the store can't be written, or is closed. The run of the due time is still known by its key.
    await this.#store.timetables.done(this.#workflow, this.#plan, seen).catch(() => undefined);
  }
}
