// Follows long-waiting runs of schedules, to report their ends, however many days later and in whatever process.
import type { Changed, DurableEngine } from '../durable/durable-engine.js';
import { isFinished, type RunState } from '../durable/run-views.js';

type Store = Pick<DurableEngine, 'watch' | 'state'>;

export class FollowedRuns {
  readonly #store: Store;
  readonly #runs = new Map<string, (state: RunState) => void>();
  #unwatch: (() => void) | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Calls back once, when the run has ended or is stuck. */
  follow(run: string, onEnd: (state: RunState) => void): void {
    this.#runs.set(run, onEnd);
    this.#unwatch ??= this.#store.watch((changed) => void this.#check(changed).catch(() => undefined));
  }

  stop(): void {
    this.#runs.clear();
    this.#unwatch?.();
    this.#unwatch = undefined;
  }

  async #check({ runs, elsewhere = false }: Changed): Promise<void> {
    const changed = elsewhere ? [...this.#runs.keys()] : runs.map(({ run }) => run).filter((run) => this.#runs.has(run));
    for (const run of changed) {
      const state = await this.#store.state(run);
      const onEnd = this.#runs.get(run);
      if (onEnd === undefined || (state !== undefined && !isFinished(state.status) && state.status !== 'stuck')) continue;
      this.#runs.delete(run);
      if (state !== undefined) onEnd(state);
    }
    if (this.#runs.size === 0) this.stop();
  }
}
