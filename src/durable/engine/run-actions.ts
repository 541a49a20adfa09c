// Cancels, resumes and retries runs, and skips their waits. The process that has a run does it; another one is asked through the inbox of
// the run, and finds the row even if it only comes to it later.
import { setTimeout as pause } from 'node:timers/promises';
import type { Change } from '../durable-engine.js';
import { type InboxKind, inboxKinds, placeOfSkip, readSkip } from '../model/messages.js';
import { toRunHex } from '../model/run-ids.js';
import { endedProblem, isFinished, type RunState } from '../model/run-views.js';
import { type RunExtra, retriedNow, skippedIn } from '../model/stored-run.js';
import type { InboxArrival, Store } from '../store/port.js';
import type { RunLookup } from '../views/run-lookup.js';
import type { ChangeNews } from './change-news.js';
import type { LiveRuns } from './live-runs.js';
import type { RecoveryLoop } from './recovery-loop.js';

/** Milliseconds between two looks at a run of another process. */
const POLL_MS = 50;

interface ActionOptions {
  readonly store: Pick<Store, 'client' | 'custody' | 'health' | 'whileUsable'>;
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
    // The process that has it cancels it as soon as it moves again, so this is no refusal.
    if (change.kind === 'asked') return { kind: 'done', state };
    if (change.kind !== 'done' || !isFinished(change.state.status) || change.state.status === 'cancelled') return change;
    return { kind: 'not possible', state: change.state, problem: endedProblem(change.state.status) };
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

  /** Does what someone wants of a run, by a row of its inbox; returns whether the row has served its purpose. */
  async handle({ run, kind, place, isOver }: InboxArrival, recovery: RecoveryLoop): Promise<boolean> {
    const { store } = this.#options;
    if (isOver) {
      await store.client.shared.endShared(run);
      return true;
    }
    switch (kind) {
      case inboxKinds.cancel:
        return this.#cancelHere(run);
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

  async #cancelHere(run: string): Promise<boolean> {
    const { runs, store, news } = this.#options;
    for (;;) {
      const live = await runs.find(run);
      live?.stop('cancelled', 'The run was cancelled.');
      if (live !== undefined) return true;
      const cancelled = await store.custody.cancelFree(run, () => runs.holds(run));
      if (cancelled === 'elsewhere' && runs.holds(run)) continue;
      if (cancelled === 'done') {
        await store.client.shared.endShared(run);
        news.run(run, 'cancelled');
        news.tasks();
      }
      return cancelled !== 'elsewhere';
    }
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
      if (isNoticed || !(await this.handle({ run, kind, place, isOver: false }, loop))) return;
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
    for (let waited = 0; waited < store.custody.patienceMs; waited += POLL_MS) {
      const now = await store.whileUsable(look());
      const { health } = store;
      if (!health.ok) throw new Error(`The store cannot be written: ${health.problem}.`);
      if (now !== undefined && (isDone(now) || (isNoticed && kind !== inboxKinds.cancel))) return { kind: 'done', state: now };
      await pause(POLL_MS);
    }
    return { kind: 'asked', state };
  }
}
