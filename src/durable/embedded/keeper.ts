// Keeps the runs of this process going: looks for the runs of dead processes, wakes those whose time has come, and delivers what came for
// them from elsewhere. Looks four times a second; everything else is told to it.
import { type InboxRow, inboxKinds } from '../store/shared-inbox.js';
import { firstFinished, storedStates } from '../store/slot-writes.js';
import type { EmbeddedStore } from './embedded-store.js';
import type { LiveRuns, TakenUp } from './live-runs.js';
import type { OwnSlot } from './own-slot.js';

/** Milliseconds between two looks. */
const LOOK_MS = 250;

/** Runs that are taken up at once; the others follow as these leave memory. */
const MOST_AT_ONCE = 1_000;

/** Due runs that are asked for at once. */
const MOST_DUE = 500;

export interface KeeperOptions {
  readonly store: EmbeddedStore;
  readonly runs: LiveRuns;
  /** Whether the runs of dead processes are this one's business, and waiting ones. */
  readonly adopts: boolean;
  /** A run was cancelled that was not in memory. */
  readonly onCancelled: (run: TakenUp) => Promise<void>;
  readonly onStuck: (ids: readonly string[]) => void;
}

export class Keeper {
  readonly #options: KeeperOptions;
  #adopts: boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueTimer: ReturnType<typeof setTimeout> | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #lastInbox = 0;
  #queue: TakenUp[] = [];
  readonly #unadopted = new Set<OwnSlot>();
  #isClosed = false;
  readonly #closed: Promise<void>;
  #close: () => void = () => undefined;
  #looking: Promise<void> = Promise.resolve();

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#adopts = options.adopts;
    this.#closed = new Promise((resolve) => {
      this.#close = resolve;
    });
  }

  /** Takes up what its own slots hold, and begins to look. */
  async start(): Promise<void> {
    const { store } = this.#options;
    if (this.#adopts) for (const slot of store.slots.values()) this.#unadopted.add(slot);
    await this.#look();
    this.#next();
  }

  /** From now on it cares for the runs of dead processes, and for waiting ones. */
  adopt(): void {
    if (this.#adopts) return;
    this.#adopts = true;
    void this.#wakeDue().catch(() => undefined);
  }

  /** Runs in memory are not touched; resolves when no look is under way. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    this.#close();
    clearTimeout(this.#timer);
    clearTimeout(this.#dueTimer);
    this.#queue = [];
    await this.#looking;
  }

  /** A run waits until then: milliseconds since 1970. */
  noteDue(at: number): void {
    if (this.#isClosed || !this.#adopts || at >= this.#dueAt) return;
    this.#dueAt = at;
    clearTimeout(this.#dueTimer);
    const ms = Math.min(Math.max(0, at - Date.now()), 3_600_000);
    this.#dueTimer = setTimeout(() => void this.#wakeDue().catch(() => undefined), ms);
  }

  /** Goes on with a run as soon as there is room. */
  wake(run: TakenUp): void {
    const live = this.#options.runs.get(run.id);
    if (live !== undefined) live.knock();
    else this.#queue.push(run);
    this.#pump();
  }

  /** Goes on with a run now; resolves when it is being executed. */
  async begin(run: TakenUp): Promise<void> {
    await this.#options.runs.takeUp(run);
  }

  /** Looks at once: this process itself has put something into the inbox. */
  async lookAtInbox(): Promise<void> {
    await this.#deliver();
  }

  #next(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look()
        // The store is busy or unavailable: the next look finds the same.
        .catch(() => undefined)
        .then(() => this.#next());
    }, LOOK_MS);
  }

  async #look(): Promise<void> {
    const { store } = this.#options;
    if (this.#adopts) {
      for (const taken of await store.client.writer.takeAbandoned()) this.#unadopted.add(store.own(taken));
      // One stays until it has been adopted: its lock keeps all others from doing it.
      for (const slot of this.#unadopted) {
        await this.#adopt(slot);
        this.#unadopted.delete(slot);
      }
    }
    await this.#deliver();
    // The clock was set, or the machine slept: timers know nothing of it.
    if (Date.now() >= this.#dueAt + LOOK_MS) await this.#wakeDue();
  }

  async #adopt(slot: OwnSlot): Promise<void> {
    const { runs, stuck } = await this.#options.store.client.writer.adoptRunning(slot.slot, Date.now());
    this.#options.onStuck(stuck);
    for (const { n, id } of runs) this.#queue.push({ slot, n, id });
    this.#pump();
    // What came for its waiting runs may have been looked over before.
    this.#lastInbox = 0;
    await this.#wakeDue();
  }

  async #wakeDue(): Promise<void> {
    const { store, runs } = this.#options;
    // What is noted must be in the files before they are asked for the next one.
    await Promise.race([store.queue.settled(), this.#closed]);
    if (this.#isClosed) return;
    this.#dueAt = Number.POSITIVE_INFINITY;
    for (const slot of store.slots.values()) {
      const due = await store.client.writer.dueRuns(slot.slot, Date.now(), MOST_DUE);
      const queued = new Set(this.#queue.map(({ id }) => id));
      for (const { n, id } of due) if (runs.get(id) === undefined && !queued.has(id)) this.#queue.push({ slot, n, id });
      const next = await store.client.writer.earliestDue(slot.slot);
      // Those in memory wake by themselves, and the others are on their way.
      if (next !== undefined) this.noteDue(Math.max(next, Date.now() + (due.length < MOST_DUE ? LOOK_MS : 20)));
    }
    this.#pump();
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
      // One that is read counts when it has been read.
      if (runs.size + this.#queue.length > MOST_AT_ONCE) return void setTimeout(() => this.#pump(), 10);
    }
  }

  async #deliver(): Promise<void> {
    const { writer, shared } = this.#options.store.client;
    const rows = await shared.inboxAfter(this.#lastInbox);
    const last = rows.at(-1);
    if (last === undefined) return;
    this.#lastInbox = last.id;
    const own = new Map((await writer.ownRuns([...new Set(rows.map(({ run }) => run))])).map((run) => [run.id, run]));
    const done: number[] = [];
    for (const row of rows) {
      const run = own.get(row.run);
      const slot = run === undefined ? undefined : this.#options.store.slots.get(run.slot);
      if (run === undefined || slot === undefined) continue;
      if (await this.#handle(row, { slot, n: run.n, id: run.id }, run.state)) done.push(row.id);
    }
    if (done.length > 0) await shared.removeFromInbox(done);
  }

  /** Whether the row has done what it was for. */
  async #handle({ kind }: InboxRow, run: TakenUp, state: number): Promise<boolean> {
    const { runs, store, onCancelled } = this.#options;
    if (state >= firstFinished) return true;
    const live = runs.get(run.id);
    if (kind === inboxKinds.cancel) {
      if (live === undefined) await onCancelled(run);
      else live.stop('cancelled', 'The run was cancelled.');
      return true;
    }
    if (kind === inboxKinds.resume) {
      if (live !== undefined) return true;
      if (state === storedStates.stuck) {
        run.slot.write(['state', run.n, storedStates.running, null, null]);
        run.slot.write(['progress', run.n]);
        store.queue.flush();
      }
      this.wake(run);
      return true;
    }
    // A command goes on only with what it was told to.
    if (live !== undefined || (this.#adopts && state !== storedStates.stuck)) this.wake(run);
    return false;
  }
}
