// Recovers runs of dead processes, wakes runs that are due, and delivers what arrived for them. Polls its store.
import { inTurn } from '../../engine/waits.js';
import { inboxKinds } from '../model/messages.js';
import type { InboxArrival, Store, TakenUp } from '../store/port.js';
import { UntilUnusable } from '../store/shared/availability.js';
import type { LiveRuns } from './live-runs.js';

/** Maximum runs in memory that were taken up here; others follow as these leave. */
const MOST_AT_ONCE = 1_000;

/** Milliseconds until a run that could not be read is read again, and until one is that seems to be damaged, which may pass as well. */
const AGAIN_MS = 250;
const DAMAGED_AGAIN_MS = 2_000;

interface RecoveryOptions {
  readonly store: Pick<Store, 'custody' | 'whileUsable' | 'health' | 'problemOf'>;
  readonly runs: LiveRuns;
  /** Whether this process takes care of waiting runs and those of dead processes. */
  readonly adopts: boolean;
  /** Runs that continue after their pauses even if it does not. */
  readonly attended: ReadonlySet<string>;
  /** Handles a request to a run, or several requests to cancel runs. Returns for each row whether it is done with. */
  readonly onArrival: (arrivals: readonly InboxArrival[], loop: RecoveryLoop) => Promise<readonly boolean[]>;
  readonly onStuck: (id: string) => void;
  /** Receives what a poll failed with; the next one tries again. */
  readonly onFault: (error: unknown) => void;
}

export class RecoveryLoop {
  readonly #options: RecoveryOptions;
  #adopts: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueTimer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  /** Two deliveries at once would act on the same rows, the later one when its run has already moved on. */
  readonly #delivering = inTurn();
  #queue: TakenUp[] = [];
  #isClosed = false;
  /** Stopping doesn't wait for the store. A promise for the stop would keep something of each poll that has waited for either. */
  readonly #untilClosed = new UntilUnusable();
  #polling: Promise<void> = Promise.resolve();

  constructor(options: RecoveryOptions) {
    this.#options = options;
    this.#adopts = options.adopts;
  }

  /** Takes up what the store has for this process, and starts polling. */
  async start(): Promise<void> {
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
    this.#options.store.custody.deliverAgain();
    this.#wakeSoon();
  }

  /** Doesn't affect runs in memory. Resolves when no poll is in progress, also if the first one has not ended. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    this.#untilClosed.abandon();
    this.#options.store.custody.stop();
    clearTimeout(this.#timer);
    clearTimeout(this.#dueTimer);
    this.#queue = [];
    await this.#polling;
  }

  /** Sets a timer for a run that waits until this moment, in milliseconds since 1970. */
  noteDue(at: number): void {
    if (this.#isClosed || !this.#adopts || at >= this.#dueAt) return;
    this.#dueAt = at;
    clearTimeout(this.#dueTimer);
    const ms = Math.min(Math.max(0, at - Date.now()), 3_600_000);
    this.#dueTimer = setTimeout(() => this.#wakeSoon(), ms);
  }

  /** Continues a run as soon as there is room. */
  wake(run: TakenUp): void {
    const live = this.#options.runs.get(run.id);
    if (live !== undefined) live.knock();
    else this.#queue.push(run);
    this.#pump();
  }

  /** Continues a run now; resolves when it is executing. */
  async begin(taken: TakenUp): Promise<void> {
    const run = await this.#options.runs.takeUp(taken);
    if (run === undefined) await taken.writer.leave?.('free');
  }

  /** Delivers now, because this process has put something into an inbox. */
  async hurry(): Promise<void> {
    await this.#deliver();
    if (this.#adopts && this.#options.store.custody.looksForDue) await this.#wakeDue();
  }

  #next(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#polling = this.#poll()
        .catch(this.#options.onFault)
        .then(() => this.#next());
    }, this.#options.store.custody.pollMs);
  }

  async #poll(): Promise<void> {
    const { store, attended } = this.#options;
    const { pollMs, looksForDue } = store.custody;
    // A step that fails must not hold up the others.
    const faults: unknown[] = [];
    const failed = (fault: unknown): void => void faults.push(fault);
    await this.#deliverIfUsable().catch(failed);
    if (this.#adopts) await this.#takeAbandoned().catch(failed);
    // Otherwise only if timers don't notice: the clock was set, or the machine slept.
    if (this.#adopts && (looksForDue || Date.now() >= this.#dueAt + pollMs)) await this.#wakeDue();
    if (!this.#adopts && attended.size > 0) this.#enqueue((await this.#takeDue(attended)).runs);
    if (faults.length > 0) throw faults[0];
  }

  /** Delivering can take as long as the disk is full. */
  async #deliverIfUsable(): Promise<void> {
    const { store } = this.#options;
    if (store.health.ok) await this.#untilClosed.wait(store.whileUsable(this.#deliver()), !this.#isClosed);
  }

  #deliver(): Promise<void> {
    const { store, runs, onArrival } = this.#options;
    return this.#delivering(() => {
      const held = [...runs.all()].map(({ id }) => id);
      return store.custody.deliver(held, async (arrivals) => {
        const [arrival] = arrivals;
        const isForWait = arrival?.kind === inboxKinds.message || arrival?.kind === inboxKinds.answer;
        return isForWait && !arrival.isOver ? [this.#ring(arrival)] : onArrival(arrivals, this);
      });
    });
  }

  /** Wakes the wait that a message or an answer is for. The row stays until it is in the journal. */
  #ring({ run, at }: InboxArrival): false {
    const { runs, attended } = this.#options;
    const live = runs.get(run);
    if (live !== undefined) live.knock();
    else if (at !== undefined && (this.#adopts || attended.has(run))) this.wake(at);
    return false;
  }

  get #room(): number {
    return MOST_AT_ONCE - this.#options.runs.size - this.#queue.length;
  }

  async #takeAbandoned(): Promise<void> {
    const { store, runs, onStuck } = this.#options;
    if (this.#isClosed) return;
    const adopted = await store.custody.adopt(this.#room);
    for (const id of adopted.stuck) onStuck(id);
    if (adopted.isNew) {
      void runs.load().catch(() => undefined); // a call would report it
      // Wishes to cancel come first: a run that stops every process that executes it could never be cancelled otherwise.
      await this.#deliverIfUsable().catch(() => undefined);
    }
    this.#enqueue(adopted.runs);
    if (adopted.isNew) await this.#wakeDue();
    if (adopted.fault !== undefined) throw adopted.fault;
  }

  async #wakeDue(): Promise<void> {
    if (this.#isClosed) return;
    // First, so that a run that begins to wait from here on sets a timer of its own: the query may be too early to find it.
    this.#dueAt = Number.POSITIVE_INFINITY;
    try {
      const { runs, next } = await this.#takeDue();
      if (next !== undefined) this.noteDue(next);
      this.#enqueue(runs);
    } catch (error) {
      // The next poll retries.
      this.#dueAt = Date.now();
      throw error;
    }
  }

  #wakeSoon(): void {
    this.#wakeDue().catch(this.#options.onFault);
  }

  #takeDue(only?: ReadonlySet<string>) {
    return this.#options.store.custody.takeDue(Date.now(), this.#room, only);
  }

  #enqueue(runs: readonly TakenUp[]): void {
    const queued = new Set(this.#queue.map(({ id }) => id));
    for (const run of runs) if (!queued.has(run.id) && this.#options.runs.get(run.id) === undefined) this.#queue.push(run);
    this.#pump();
  }

  #pump(): void {
    const { runs } = this.#options;
    while (this.#queue.length > 0 && runs.size < MOST_AT_ONCE && !this.#isClosed) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      void this.#takeUp(next);
      // A run being read counts once it has been read.
      if (runs.size + this.#queue.length > MOST_AT_ONCE) return void setTimeout(() => this.#pump(), 10);
    }
  }

  async #takeUp(taken: TakenUp): Promise<void> {
    try {
      const run = await this.#options.runs.takeUp(taken);
      if (run === undefined) await taken.writer.leave?.('free');
      else if ((await run.left).kind === 'lost') return;
      this.#pump();
    } catch (error) {
      // It can't be read now. Whoever finds it later tries again.
      await taken.writer.leave?.('unread').catch(() => undefined);
      if (taken.writer.leave !== undefined) return;
      // The run stays with this process, so nobody else reads it, and what has arrived for it is not announced twice.
      const againMs = this.#options.store.problemOf(error) === undefined ? DAMAGED_AGAIN_MS : AGAIN_MS;
      setTimeout(() => void (this.#isClosed || taken.writer.isLost || this.#enqueue([taken])), againMs).unref();
    }
  }
}
