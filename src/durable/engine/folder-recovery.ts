// Recovers runs of dead processes, wakes runs that are due, and delivers what arrived for them. Polls a folder ten times a second.
import type { TakenUp } from '../store/port.js';
import { UntilUnusable } from '../store/shared/availability.js';
import type { OwnShard } from '../store/sqlite/own-shard.js';
import type { SqliteStore } from '../store/sqlite/sqlite-store.js';
import { problemOfCode } from '../store/sqlite/sqlite-store.js';
import { InboxDelivery } from './inbox-delivery.js';
import type { LiveRuns } from './live-runs.js';

/** Milliseconds between two polls: about a hundredth of a processor, and on average half of this until the runs of a dead process continue. */
const POLL_MS = 100;

/** Maximum runs taken up at once; others follow as these leave memory. */
const MOST_AT_ONCE = 1_000;

/** Maximum due runs requested at once. */
const MOST_DUE = 500;

interface FolderRecoveryOptions {
  readonly store: SqliteStore;
  readonly runs: LiveRuns;
  /** Whether this process takes care of waiting runs and those of dead processes. */
  readonly adopts: boolean;
  /** Runs that continue after their pauses even if it does not. */
  readonly attended: ReadonlySet<string>;
  /** A run that was not in memory was cancelled. */
  readonly onCancelled: (run: TakenUp) => Promise<void>;
  readonly onStuck: (ids: readonly string[]) => void;
}

export class RecoveryLoop {
  readonly #options: FolderRecoveryOptions;
  #adopts: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueTimer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  readonly #inbox: InboxDelivery;
  #queue: TakenUp[] = [];
  /** Shards as their last owners left them. No run in them may continue before: it would be adopted while it executes. */
  readonly #unadopted = new Set<OwnShard>();
  #isClosed = false;
  /** The end of this does not wait for the store. A promise for the end would keep something of each poll that has waited for either. */
  readonly #untilClosed = new UntilUnusable();
  #polling: Promise<void> = Promise.resolve();

  constructor(options: FolderRecoveryOptions) {
    this.#options = options;
    this.#adopts = options.adopts;
    this.#inbox = new InboxDelivery({
      ...options,
      isReady: (shard) => !this.#unadopted.has(shard),
      continues: (id) => this.#adopts || options.attended.has(id),
      wake: (run) => this.wake(run),
    });
  }

  /** Takes up what its own shards hold, and starts polling. */
  async start(): Promise<void> {
    const { store } = this.#options;
    if (this.#adopts) for (const shard of store.shards.values()) this.#unadopted.add(shard);
    const first = this.#poll();
    this.#polling = first.catch(() => undefined);
    await first;
    this.#next();
  }

  /** From now on, also takes care of waiting runs and those of dead processes. */
  adopt(): void {
    if (this.#adopts) return;
    this.#adopts = true;
    // Messages for runs that waited for someone to take care of them.
    this.#inbox.forget();
    void this.#wakeDue().catch(() => undefined);
  }

  /** This process has just taken a shard. If it adopts runs, the next poll continues those in the shard; returns whether it does. */
  willAdopt(shard: OwnShard): boolean {
    if (this.#adopts) this.#unadopted.add(shard);
    return this.#adopts;
  }

  /** Doesn't affect runs in memory. Resolves when no poll is in progress, also if the first one has not ended. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    this.#untilClosed.abandon();
    clearTimeout(this.#timer);
    clearTimeout(this.#dueTimer);
    this.#queue = [];
    await this.#polling;
  }

  /** A run waits until this moment, in milliseconds since 1970. */
  noteDue(at: number): void {
    if (this.#isClosed || !this.#adopts || at >= this.#dueAt) return;
    this.#dueAt = at;
    clearTimeout(this.#dueTimer);
    const ms = Math.min(Math.max(0, at - Date.now()), 3_600_000);
    this.#dueTimer = setTimeout(() => void this.#wakeDue().catch(() => undefined), ms);
  }

  /** Continues a run as soon as there is room. */
  wake(run: TakenUp): void {
    const live = this.#options.runs.get(run.id);
    if (live !== undefined) live.knock();
    else this.#queue.push(run);
    this.#pump();
  }

  /** Continues a run now; resolves when it is executing. */
  async begin(run: TakenUp): Promise<void> {
    await this.#options.runs.takeUp(run);
  }

  /** Polls immediately, because this process has put something into the inbox. */
  async readInbox(): Promise<void> {
    await this.#inbox.deliver();
  }

  #next(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#polling = this.#poll()
        // The store is busy or unavailable; the next poll retries.
        .catch(() => undefined)
        .then(() => this.#next());
    }, POLL_MS);
  }

  async #poll(): Promise<void> {
    const { store } = this.#options;
    let fault: unknown;
    if (this.#adopts) {
      await this.#takeAbandoned().catch((error: unknown) => {
        // Runs that this process has already must not wait for it.
        fault = error;
      });
    }
    // This can take as long as the disk is full.
    if (store.health.ok) await this.#unlessClosed(store.whileUsable(this.#inbox.deliver()));
    // The clock was set, or the machine slept: timers don't notice.
    if (Date.now() >= this.#dueAt + POLL_MS) await this.#wakeDue();
    if (!this.#adopts && this.#options.attended.size > 0) await this.#wakeAttended();
    if (fault !== undefined) throw fault;
  }

  #unlessClosed(work: Promise<unknown>): Promise<unknown> {
    return this.#untilClosed.wait(work, !this.#isClosed);
  }

  async #wakeAttended(): Promise<void> {
    const { store, runs, attended } = this.#options;
    for (const { id, shard, n, due } of await store.client.writer.ownRuns([...attended])) {
      const own = store.shards.get(shard);
      if (own !== undefined && due !== null && due <= Date.now() && !runs.holds(id)) this.wake({ writer: own, n, id });
    }
  }

  async #takeAbandoned(): Promise<void> {
    const { store, runs } = this.#options;
    const { taken: abandoned, fault } = await store.client.writer.takeAbandoned();
    // Its own file may have room left, so that nothing else would tell.
    store.problems.report({ adoption: problemOfCode(fault) });
    if (abandoned.length > 0) void runs.load().catch(() => undefined); // a call would report it
    for (const taken of abandoned) this.#unadopted.add(store.own(taken));
    await this.#adoptAll();
  }

  /** A shard that can't be adopted now stays, because its lock keeps all others from doing it, and holds up no other shard. */
  async #adoptAll(): Promise<void> {
    const faults: unknown[] = [];
    for (const shard of this.#unadopted) await this.#adopt(shard).catch((error: unknown) => faults.push(error));
    if (faults.length > 0) throw faults[0];
  }

  async #adopt(shard: OwnShard): Promise<void> {
    const { runs, stuck } = await this.#options.store.client.writer.adoptRunning(shard.shard, Date.now());
    this.#unadopted.delete(shard);
    this.#options.onStuck(stuck);
    for (const { n, id } of runs) this.#queue.push({ writer: shard, n, id });
    this.#pump();
    // Messages for its waiting runs may have been skipped before.
    this.#inbox.forget();
    await this.#wakeDue();
  }

  async #wakeDue(): Promise<void> {
    const { store } = this.#options;
    // First, so that a run that begins to wait from here on sets a timer of its own: the query may be too early to find it.
    this.#dueAt = Number.POSITIVE_INFINITY;
    // Notes must be in the files before the files are queried again.
    await this.#unlessClosed(store.queue.settled());
    if (this.#isClosed) return;
    try {
      await this.#queueDue();
    } catch (error) {
      // The next poll retries.
      this.#dueAt = Date.now();
      throw error;
    }
    this.#pump();
  }

  async #queueDue(): Promise<void> {
    const { store, runs } = this.#options;
    for (const shard of store.shards.values()) {
      if (this.#unadopted.has(shard)) continue;
      const due = await store.client.writer.dueRuns(shard.shard, Date.now(), MOST_DUE);
      const queued = new Set(this.#queue.map(({ id }) => id));
      for (const { n, id } of due) if (runs.get(id) === undefined && !queued.has(id)) this.#queue.push({ writer: shard, n, id });
      const next = await store.client.writer.earliestDue(shard.shard);
      // Runs in memory wake on their own, and the others are already scheduled.
      if (next !== undefined) this.noteDue(Math.max(next, Date.now() + (due.length < MOST_DUE ? POLL_MS : 20)));
    }
  }

  #pump(): void {
    const { runs } = this.#options;
    while (this.#queue.length > 0 && runs.size < MOST_AT_ONCE && !this.#isClosed) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      void runs
        .takeUp(next)
        .then((run) => run?.left)
        .then((left) => {
          if (left?.kind === 'lost') return;
          this.#pump();
        })
        .catch(() => undefined);
      // A run being read counts once it has been read.
      if (runs.size + this.#queue.length > MOST_AT_ONCE) return void setTimeout(() => this.#pump(), 10);
    }
  }
}
