// Delivers messages, answers and requests of operators that other processes have put into the inbox of a folder.

import { inTurn } from '../../engine/in-turn.js';
import { type InboxRow, inboxKinds } from '../model/messages.js';
import { hasEnded, type StoredState, storedStates } from '../model/run-rows.js';
import { readExtra } from '../model/stored-run.js';
import type { TakenUp } from '../store/port.js';
import type { OwnShard } from '../store/sqlite/own-shard.js';
import type { SqliteStore } from '../store/sqlite/sqlite-store.js';
import type { LiveRun } from './live-run.js';
import type { LiveRuns } from './live-runs.js';

interface InboxDeliveryOptions {
  readonly store: SqliteStore;
  readonly runs: LiveRuns;
  /** Whether the runs of a shard may continue. */
  readonly isReady: (shard: OwnShard) => boolean;
  /** Whether this process continues a run for what arrives. */
  readonly continues: (id: string) => boolean;
  readonly wake: (run: TakenUp) => void;
  /** A run that was not in memory was cancelled. */
  readonly onCancelled: (run: TakenUp) => Promise<void>;
}

export class InboxDelivery {
  readonly #options: InboxDeliveryOptions;
  /** The last handled row, and how often it was forgotten. */
  #last = 0;
  #forgotten = 0;
  readonly #delivering = inTurn();

  constructor(options: InboxDeliveryOptions) {
    this.#options = options;
  }

  /** Everything is delivered again: this process has taken runs whose rows were skipped before. */
  forget(): void {
    this.#last = 0;
    this.#forgotten++;
  }

  /** One delivery at a time: two would act on the same rows, the later one when its run has already moved on. */
  deliver(): Promise<void> {
    return this.#delivering(() => this.#deliverOnce());
  }

  async #deliverOnce(): Promise<void> {
    const { store, isReady } = this.#options;
    const { writer, shared } = store.client;
    const forgotten = this.#forgotten;
    let last = this.#last;
    const rows = await shared.inboxAfter(last);
    if (rows.length === 0) return;
    const own = new Map((await writer.ownRuns([...new Set(rows.map(({ run }) => run))])).map((run) => [run.id, run]));
    const done: number[] = [];
    try {
      for (const row of rows) {
        const run = own.get(row.run);
        const shard = run === undefined ? undefined : store.shards.get(run.shard);
        const isOwn = run !== undefined && shard !== undefined && isReady(shard);
        if (isOwn && (await this.#handle(row, { writer: shard, n: run.n, id: run.id }, run.state))) done.push(row.id);
        last = row.id;
      }
    } finally {
      if (done.length > 0) await shared.removeFromInbox(done);
      // Rows whose handling failed are read again, and so are all after an adoption.
      if (forgotten === this.#forgotten) this.#last = last;
    }
  }

  /** Whether the row has served its purpose. */
  async #handle({ kind }: InboxRow, run: TakenUp, state: StoredState): Promise<boolean> {
    const { runs, store, continues, wake, onCancelled } = this.#options;
    if (hasEnded(state)) {
      // Its process may have died before it did this.
      await store.client.shared.endShared(run.id);
      return true;
    }
    if (kind === inboxKinds.cancel) {
      const { live, isOver } = await this.#now(run);
      if (live !== undefined) live.stop('cancelled', 'The run was cancelled.');
      else if (!isOver) await onCancelled(run);
      return true;
    }
    if (kind === inboxKinds.resume) {
      const { live, isOver, isStuck } = await this.#now(run);
      if (live !== undefined || isOver) return true;
      if (isStuck) {
        run.writer.write(['state', run.n, storedStates.running, null, null]);
        run.writer.write(['progress', run.n]);
        store.queue.flush();
      }
      wake(run);
      return true;
    }
    if (kind === inboxKinds.retry) {
      const { live, isOver } = await this.#now(run);
      if (live !== undefined) live.retry();
      else if (!isOver) await this.#endRetryWait(run);
      return true;
    }
    // A command only continues what it was told to.
    if (runs.get(run.id) !== undefined || (continues(run.id) && state !== storedStates.stuck)) wake(run);
    return false;
  }

  /** For a run that is not in memory. */
  async #endRetryWait(run: TakenUp): Promise<void> {
    const { store, continues, wake } = this.#options;
    const row = (await store.client.reader.findRun(run.id))?.row;
    if (row?.state !== storedStates.waiting) return;
    const now = Date.now();
    run.writer.write(['extra', run.n, JSON.stringify({ ...readExtra(row.extra), retriedAt: now })]);
    run.writer.write(['state', run.n, storedStates.waiting, now, row.waits]);
    await store.queue.settled();
    if (continues(run.id)) wake(run);
  }

  /** The run may have moved on since the inbox was read: another row of it came first, or its time. */
  async #now({ id }: TakenUp): Promise<{ readonly live?: LiveRun; readonly isOver: boolean; readonly isStuck?: boolean }> {
    const { runs, store } = this.#options;
    for (;;) {
      const live = await runs.find(id);
      if (live !== undefined) return { live, isOver: false };
      await store.queue.settled();
      const [own] = await store.client.writer.ownRuns([id]);
      if (!runs.holds(id))
        return { isOver: own === undefined || hasEnded(own.state), isStuck: own?.state === storedStates.stuck };
    }
  }
}
