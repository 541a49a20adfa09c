// Cancels, resumes and retries runs in a folder. The process that has a run does it; a request to another process is a row of the inbox.
import type { Change } from '../durable-engine.js';
import { type InboxKind, inboxKinds } from '../model/messages.js';
import { toRunHex } from '../model/run-ids.js';
import { endedProblem, isFinished, type RunState } from '../model/run-views.js';
import type { OwnShard } from '../store/sqlite/own-shard.js';
import type { SqliteStore } from '../store/sqlite/sqlite-store.js';
import type { RunLookup } from '../views/run-lookup.js';
import type { RecoveryLoop } from './folder-recovery.js';

/** Milliseconds that a process has to handle its inbox. */
const PATIENCE_MS = 5_000;
const POLL_MS = 25;

export class RunActions {
  readonly #store: SqliteStore;
  readonly #lookup: RunLookup;
  readonly #keeper: () => Promise<RecoveryLoop>;

  constructor(store: SqliteStore, lookup: RunLookup, keeper: () => Promise<RecoveryLoop>) {
    this.#store = store;
    this.#lookup = lookup;
    this.#keeper = keeper;
  }

  async cancel(id: string): Promise<Change> {
    const found = await this.#lookup.changeable(id);
    if ('refusal' in found) return found.refusal;
    const { state } = found;
    const taken = await this.#takeFree(state);
    const change = await this.#ask(state, inboxKinds.cancel, ({ status }) => isFinished(status));
    if (taken !== undefined) await this.#store.release(taken);
    if (change.kind === 'asked') return { kind: 'done', state };
    if (change.kind !== 'done' || change.state.status === 'cancelled') return change;
    return { kind: 'not possible', state: change.state, problem: endedProblem(change.state.status) };
  }

  async resume(id: string): Promise<Change> {
    const found = await this.#lookup.changeable(id);
    if ('refusal' in found) return found.refusal;
    const { state } = found;
    const keeper = await this.#keeper();
    const taken = await this.#takeFree(state);
    if (state.status === 'stuck') return this.#ask(state, inboxKinds.resume, ({ status }) => status !== 'stuck', true);
    if (taken === undefined) {
      const isOwn = this.#store.shards.has((await this.#shardOf(state)) ?? -1);
      if (!isOwn) return { kind: 'elsewhere', state };
      return { kind: 'not possible', state, problem: `The run is ${state.status}: it continues automatically.` };
    }
    const stored = await this.#lookup.find(toRunHex(id) ?? '');
    if (stored === undefined) return { kind: 'unknown' };
    const { n } = stored.row;
    await this.#store.client.writer.adoptRunning(taken.shard, Date.now(), n);
    await keeper.begin({ writer: taken, n, id: stored.row.id });
    return { kind: 'done', state };
  }

  async retry(id: string): Promise<Change> {
    const found = await this.#lookup.retriable(id);
    if ('refusal' in found) return found.refusal;
    const { state } = found;
    const taken = await this.#takeFree(state);
    const change = await this.#ask(state, inboxKinds.retry, () => false, true);
    if (taken !== undefined) await this.#store.release(taken);
    return change;
  }

  async #shardOf({ run }: RunState): Promise<number | undefined> {
    return (await this.#lookup.find(toRunHex(run) ?? ''))?.row.shard;
  }

  /**
   * The shard of a run that no living process has; `undefined` if one has it, even if that is this one. A process that adopts runs keeps the
   * shard and continues all of them.
   */
  async #takeFree(state: RunState): Promise<OwnShard | undefined> {
    const keeper = await this.#keeper();
    const shard = await this.#shardOf(state);
    if (shard === undefined || this.#store.shards.has(shard)) return undefined;
    const taken = await this.#store.client.writer.takeThis(shard);
    if (taken === undefined) return undefined;
    const own = this.#store.own(taken);
    return keeper.willAdopt(own) ? undefined : own;
  }

  /** Puts it into the inbox of the run, and waits until it is handled. @throws if the store can't be written meanwhile */
  async #ask(state: RunState, kind: InboxKind, isDone: (state: RunState) => boolean, mayComeBack = false): Promise<Change> {
    const hex = toRunHex(state.run) ?? '';
    await this.#store.client.shared.addToInbox(hex, kind, Date.now());
    const keeper = await this.#keeper();
    for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
      const now = await this.#store.whileUsable(keeper.readInbox().then(() => this.#lookup.state(state.run)));
      const { health } = this.#store;
      if (!health.ok) throw new Error(`The store cannot be written: ${health.problem}.`);
      if (now !== undefined && (isDone(now) || (mayComeBack && !(await this.#isAsked(hex, kind)))))
        return { kind: 'done', state: now };
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    // It stays in the inbox: a process that is suspended finds it when it wakes up, so this is no refusal.
    return { kind: 'asked', state };
  }

  /** Whether it is still in the inbox. A stuck run that tries again can be stuck again before anyone sees that it was not. */
  async #isAsked(hex: string, kind: InboxKind): Promise<boolean> {
    const rows = await this.#store.client.shared.inboxAfter(0);
    return rows.some((row) => row.run === hex && row.kind === kind);
  }
}
