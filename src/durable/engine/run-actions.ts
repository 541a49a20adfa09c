// Cancels, resumes and retries runs, and skips their waits. The process that has a run does it; another one is asked through the inbox of
// the run, and finds the row even if it only comes to it later.
import { setTimeout as pause } from 'node:timers/promises';
import type { Change } from '../durable-engine.js';
import type { Actor } from '../model/changes.js';
import { type InboxKind, inboxKinds, placeOfSkip, readSkip } from '../model/messages.js';
import { toRunHex, toRunId } from '../model/run-ids.js';
import { hasEnded, storedStates } from '../model/run-rows.js';
import { deletedProblem, endedProblem, isFinished, type RunState } from '../model/run-views.js';
import { type RunExtra, retriedNow, skippedIn } from '../model/stored-run.js';
import type { InboxArrival, PlacedState, Store } from '../store/port.js';
import type { RunLookup } from '../views/run-lookup.js';
import { toStatus } from '../views/show-run.js';
import type { ChangeNews } from './change-news.js';
import type { LiveRuns } from './live-runs.js';
import type { RecoveryLoop } from './recovery-loop.js';

/** Milliseconds between two looks at a run of another process. */
const POLL_MS = 50;

interface ActionOptions {
  readonly store: Pick<Store, 'client' | 'custody' | 'health' | 'queue' | 'whileUsable'>;
  readonly lookup: RunLookup;
  readonly runs: LiveRuns;
  readonly news: ChangeNews;
  readonly recovery: () => Promise<RecoveryLoop>;
  /** Whether this process continues a run for what arrives. */
  readonly continues: (id: string) => boolean;
}

export class RunActions {
  readonly #options: ActionOptions;

  constructor(options: ActionOptions) {
    this.#options = options;
  }

  async cancel(id: string): Promise<Change> {
    const found = await this.#options.lookup.changeable(id);
    if ('refusal' in found) return found.refusal;
    const { state } = found;
    const change = await this.#ask(state, inboxKinds.cancel, ({ status }) => isFinished(status));
    // The process that has it cancels it as soon as it responds again, so this is no refusal.
    if (change.kind === 'asked') return { kind: 'done', state };
    if (change.kind !== 'done' || !isFinished(change.state.status) || change.state.status === 'cancelled') return change;
    return { kind: 'not possible', state: change.state, problem: endedProblem(change.state.status) };
  }

  /**
   * Cancels runs together, and keeps on record who asked for it.
   * @param ids of runs that no other run called
   * @returns those that could not be cancelled, each with the reason
   * @throws if the store can't be written meanwhile
   */
  async cancelMany(ids: readonly string[], by: Actor | undefined): Promise<ReadonlyMap<string, string>> {
    const { store, recovery } = this.#options;
    const { reader, shared } = store.client;
    const runs = ids.map((id) => toRunHex(id) ?? '');
    await recovery();
    const changes = new Map<string, number>();
    const served = new Set<string>();
    let asked = 0;
    let found: readonly PlacedState[] = [];
    const { cancelsTogether } = store.custody;
    const look = async (): Promise<void> => {
      let isHere = true;
      for (let at = 0; at < runs.length; at += cancelsTogether) {
        const some = runs.slice(at, at + cancelsTogether);
        if (at >= asked) {
          // Before the rest, so that they are cancelled also if this process dies.
          for (const [run, change] of await shared.askToCancel(some, by, Date.now())) changes.set(run, change);
          asked += some.length;
        }
        const left = some.filter((run) => !served.has(run));
        if (!isHere || left.length === 0) continue;
        const here = await this.#cancelHere(left);
        for (const run of here) served.add(run);
        isHere = here.size > 0; // otherwise, the others are probably with the same process
      }
      await store.queue.settled();
      found = await reader.statesOf(runs);
    };
    for (const end = performance.now() + store.custody.patienceMs; performance.now() < end; ) {
      await store.whileUsable(look());
      const { health } = store;
      if (!health.ok) throw new Error(`The store cannot be written: ${health.problem}.`);
      if (found.every(({ state }) => hasEnded(state))) break;
      await pause(POLL_MS);
    }
    const states = new Map(found.map(({ id, state }) => [id, state]));
    const refused = new Map<string, string>();
    for (const run of runs) {
      const state = states.get(run);
      // A run whose process is unresponsive is cancelled once that responds.
      if (state !== undefined && (!hasEnded(state) || state === storedStates.cancelled)) continue;
      refused.set(toRunId(run), state === undefined ? deletedProblem : endedProblem(toStatus(state)));
      const change = changes.get(run);
      if (change !== undefined) await shared.withdrawChange(change);
    }
    return refused;
  }

  async resume(id: string): Promise<Change> {
    const { lookup, store, recovery } = this.#options;
    const found = await lookup.changeable(id);
    if ('refusal' in found) return found.refusal;
    const { state } = found;
    await recovery();
    const taken = await store.custody.take(toRunHex(id) ?? '');
    const isStuck = state.status === 'stuck';
    if (taken === 'elsewhere' && isStuck) return this.#ask(state, inboxKinds.resume, ({ status }) => status !== 'stuck');
    if (taken === 'elsewhere') return { kind: 'elsewhere', state };
    if (taken === 'here' && !isStuck)
      return { kind: 'not possible', state, problem: `The run is ${state.status}: it continues automatically.` };
    if (taken !== 'here') await (await recovery()).begin(taken);
    return { kind: 'done', state: (await lookup.state(id)) ?? state };
  }

  async retry(id: string): Promise<Change> {
    const found = await this.#options.lookup.retriable(id);
    if ('refusal' in found) return found.refusal;
    return this.#ask(found.state, inboxKinds.retry, () => false);
  }

  /** Ends a wait as if its time had come. @param line of the wait; by default, the one that the run is shown to wait for */
  async skip(id: string, line?: number): Promise<Change> {
    const found = await this.#options.lookup.skippable(id, line);
    if ('refusal' in found) return found.refusal;
    return this.#ask(found.state, inboxKinds.skip, () => false, placeOfSkip(found.waits));
  }

  /** Records that a caller was told that this run is accepted. Nobody waits for that while the store can't be written. */
  async acknowledge(id: string): Promise<void> {
    const { runs, store } = this.#options;
    const hex = toRunHex(id) ?? '';
    const live = runs.get(hex);
    live?.remember({ acknowledged: true });
    await store.whileUsable(live?.settled() ?? store.custody.remember(hex, { acknowledged: true }));
  }

  /** Carries out a row of an inbox, or several that cancel runs. Returns for each whether it is done with. */
  async handle(arrivals: readonly InboxArrival[], recovery: RecoveryLoop): Promise<readonly boolean[]> {
    const over = arrivals.filter(({ isOver }) => isOver).map(({ run }) => run);
    if (over.length > 0) await this.#options.store.client.shared.endShared(over);
    const left = arrivals.filter(({ isOver }) => !isOver);
    const cancelled = await this.#cancelHere(left.filter(({ kind }) => kind === inboxKinds.cancel).map(({ run }) => run));
    const served = new Set<InboxArrival>(arrivals.filter(({ isOver, run }) => isOver || cancelled.has(run)));
    for (const arrival of left) {
      if (arrival.kind !== inboxKinds.cancel && (await this.#handleOne(arrival, recovery))) served.add(arrival);
    }
    return arrivals.map((arrival) => served.has(arrival));
  }

  async #handleOne({ run, kind, place }: InboxArrival, recovery: RecoveryLoop): Promise<boolean> {
    const { store } = this.#options;
    switch (kind) {
      case inboxKinds.retry:
        return this.#hurryHere(run, retriedNow, recovery);
      case inboxKinds.skip:
        return this.#hurryHere(run, skippedIn(readSkip(place ?? '')), recovery);
      case inboxKinds.resume: {
        const taken = await store.custody.take(run);
        if (typeof taken !== 'string') recovery.wake(taken);
        return taken !== 'elsewhere';
      }
      default:
        throw new Error(`The recovery loop delivers rows of kind ${kind}.`);
    }
  }

  /** Cancels runs that this process has, and those that no process has, together. Returns those that end now, or had ended. */
  async #cancelHere(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const { runs, store, news } = this.#options;
    const served = new Set<string>();
    for (let left = ids; left.length > 0; ) {
      const free: string[] = [];
      for (const run of left) {
        const live = await runs.find(run);
        live?.stop('cancelled', 'The run was cancelled.');
        if (live === undefined) free.push(run);
        else served.add(run);
      }
      if (free.length === 0) break;
      const { done, over } = await store.custody.cancelFree(free, (run) => runs.holds(run));
      const ended = [...done, ...over];
      if (ended.length > 0) await store.client.shared.endShared(ended);
      for (const run of ended) served.add(run);
      for (const run of done) news.run(run);
      if (done.length > 0) news.tasks();
      // One that was not in memory may be by now.
      left = free.filter((run) => !served.has(run) && runs.holds(run));
    }
    return served;
  }

  async #hurryHere(run: string, hurried: (extra: RunExtra) => RunExtra, recovery: RecoveryLoop): Promise<boolean> {
    const { runs, store, continues } = this.#options;
    for (;;) {
      const live = await runs.find(run);
      live?.hurry(hurried);
      if (live !== undefined) return true;
      const isDue = await store.custody.hurryFree(run, hurried, () => runs.holds(run));
      if (!isDue && runs.holds(run)) continue;
      if (isDue && continues(run)) recovery.noteDue(Date.now());
      return isDue;
    }
  }

  /**
   * Asks for a change, and waits until it has happened or was at least noticed.
   * @throws if the store can't be written meanwhile
   */
  async #ask(
    state: RunState,
    kind: InboxKind,
    isDone: (state: RunState) => boolean,
    place: string | null = null,
  ): Promise<Change> {
    const { store, lookup, recovery, runs } = this.#options;
    const { shared } = store.client;
    const run = toRunHex(state.run) ?? '';
    const loop = await recovery();
    // First of all, so that it happens also if this process dies, or the disk is full by then.
    const row = await shared.addToInbox(run, kind, Date.now(), place);
    let isNoticed = false;
    const serve = async (): Promise<void> => {
      if (isNoticed || (await this.handle([{ run, kind, place, isOver: false }], loop))[0] !== true) return;
      await shared.removeFromInbox([row]);
      isNoticed = true;
    };
    const look = async (): Promise<RunState | undefined> => {
      // A run that no one has is cancelled as it is. A delivery would look at the arrivals of all runs first.
      if (kind === inboxKinds.cancel) await serve();
      if (!isNoticed) {
        await loop.hurry();
        isNoticed = !(await shared.isInInbox(row));
      }
      await serve();
      const live = runs.get(run);
      await (kind === inboxKinds.cancel ? Promise.race([live?.left, pause(POLL_MS)]) : live?.settled());
      return lookup.state(state.run);
    };
    for (const end = performance.now() + store.custody.patienceMs; performance.now() < end; ) {
      const now = await store.whileUsable(look());
      const { health } = store;
      if (!health.ok) throw new Error(`The store cannot be written: ${health.problem}.`);
      if (now !== undefined && (isDone(now) || (isNoticed && kind !== inboxKinds.cancel))) return { kind: 'done', state: now };
      await pause(POLL_MS);
    }
    return { kind: 'asked', state };
  }
}
