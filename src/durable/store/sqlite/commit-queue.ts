// Batches the writes of all runs of a process into commits: while one is in progress, the next accumulates. A commit that fails because the
// disk is full or can't be written is retried until it succeeds; until then, the store counts as unavailable.
import type { StoreWrite } from '../../model/run-rows.js';
import { Backlog } from '../shared/backlog.js';

interface CommitQueueOptions {
  readonly commit: (shard: number, writes: readonly StoreWrite[]) => Promise<void>;
  /** The meaning of a failed commit, as a sentence for people; `undefined` if retrying is useless. */
  readonly problemOf: (error: unknown) => string | undefined;
  /** Called at each change with the problem, or with `undefined` when it is over. */
  readonly onHealth: (problem: string | undefined) => void;
  /** Receives the milliseconds of each commit; absent if nobody counts. */
  readonly onCommitted?: ((durationMs: number) => void) | undefined;
  /** No commit will ever succeed again. */
  readonly onLost: (error: unknown) => void;
}

interface Wait {
  readonly over: Promise<void>;
  readonly end: () => void;
}

function newWait(): Wait {
  let end = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end };
}

/** Milliseconds until a failed commit is retried. */
const RETRY_MS = 250;

/** Maximum milliseconds that unawaited writes may stay in memory. */
const LAZY_MS = 100;

export class CommitQueue {
  readonly #options: CommitQueueOptions;
  readonly #backlog = new Backlog();
  #next = new Map<number, StoreWrite[]>();
  /** All who wait for the next commit share a promise, and so do all who wait for the current one. */
  #waiting: Wait | undefined;
  #current: Wait | undefined;
  /** Number of the commit that the next writes belong to, and of the last completed one. */
  #generation = 1;
  #committed = 0;
  #isCommitting = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isScheduled = false;
  #problem: string | undefined;
  #isLost = false;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
  }

  /** Adds a write without requesting a commit; returns the number of its future commit. */
  add(shard: number, write: StoreWrite): number {
    this.#backlog.add(write);
    const writes = this.#next.get(shard);
    if (writes === undefined) this.#next.set(shard, [write]);
    else writes.push(write);
    return this.#generation;
  }

  /** Writes what was added soon. Whoever added it waits for the promise, if any: much is waiting to be written. */
  flushLazily(): Promise<void> | undefined {
    if (this.#backlog.isLong) return this.durable(this.#generation);
    this.#timer ??= setTimeout(() => {
      // While a commit is in progress, this does nothing, and the end of that commit sets another timer.
      this.#timer = undefined;
      this.#schedule();
    }, LAZY_MS);
    return undefined;
  }

  /** Writes what was added at the end of this turn. */
  flush(): void {
    this.#schedule();
  }

  /** Resolves when the commit with this number is on disk, or when the store is lost (see `isLost`); `undefined` if it already is. */
  durable(generation: number): Promise<void> | undefined {
    if (generation <= this.#committed || this.#isLost) return undefined;
    if (generation < this.#generation) {
      this.#current ??= newWait();
      return this.#current.over;
    }
    this.#waiting ??= newWait();
    this.#schedule();
    return this.#waiting.over;
  }

  isDurable(generation: number): boolean {
    return generation <= this.#committed;
  }

  /** Writes nothing more. All waits end, and must check `isLost`. */
  lose(): void {
    this.#isLost = true;
    this.#current?.end();
    this.#waiting?.end();
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Resolves when everything added so far is on disk. */
  async settled(): Promise<void> {
    await this.durable(this.#next.size > 0 ? this.#generation : this.#generation - 1);
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isCommitting || this.#isLost) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      void this.#commit();
    });
  }

  async #commit(): Promise<void> {
    if (this.#isCommitting || this.#next.size === 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isCommitting = true;
    const batches = [...this.#next];
    this.#current = this.#waiting;
    this.#next = new Map();
    this.#waiting = undefined;
    const generation = this.#generation++;
    const isDone = await this.#try(batches);
    this.#isCommitting = false;
    if (!isDone) return;
    this.#committed = generation;
    const waited = this.#current;
    this.#current = undefined;
    // The next commit need not wait for what those runs do now.
    if (this.#waiting !== undefined) void this.#commit();
    else if (this.#next.size > 0) void this.flushLazily();
    waited?.end();
  }

  async #try(batches: [number, StoreWrite[]][]): Promise<boolean> {
    for (;;) {
      try {
        // Completed work must not be repeated along with the rest.
        for (let [batch] = batches; batch !== undefined; [batch] = batches) {
          const { commit, onCommitted } = this.#options;
          const began = onCommitted && performance.now();
          await commit(...batch);
          if (began !== undefined) onCommitted?.(performance.now() - began);
          batches.shift();
          this.#backlog.remove(batch[1]);
        }
        this.#report(undefined);
        return true;
      } catch (error) {
        const problem = this.#options.problemOf(error);
        if (problem === undefined) {
          this.#options.onLost(error);
          this.lose();
          return false;
        }
        this.#report(problem);
        if (this.#isLost) return false;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  #report(problem: string | undefined): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#options.onHealth(problem);
  }
}
