// Follows long-waiting runs of schedules, to report their ends, however many days later and in whatever process.
import type { DurableEngine } from '../durable/durable-engine.js';
import { isFinished, type RunState } from '../durable/model/run-views.js';

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
