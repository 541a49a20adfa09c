// Cancels, resumes and retries runs in a database. The process that has a run does it, on request; a run that no process has is taken.
import type { Change } from '../durable-engine.js';
import { inboxKinds } from '../model/messages.js';
import { toRunHex } from '../model/run-ids.js';
import { endedProblem, isFinished, type RunState } from '../model/run-views.js';
import { cancelledOutcome } from '../model/stored-run.js';
import type { DbosProcess } from '../store/postgres/dbos-process.js';
import { LEASE_MS } from '../store/postgres/lease.js';
import type { Ownership, TakenRun } from '../store/postgres/ownership.js';
import type { PostgresStore } from '../store/postgres/postgres-store.js';
import type { RunLookup } from '../views/run-lookup.js';
import type { LiveRuns } from './live-runs.js';

/** Milliseconds that a living process has to comply; by then, a dead one is noticed. */
const PATIENCE_MS = LEASE_MS + 2_000;
const POLL_MS = 100;

interface PostgresActionsOptions {
  readonly store: PostgresStore;
  readonly lookup: RunLookup;
  readonly runs: LiveRuns;
  readonly ownership: Ownership;
  readonly dbos: () => Promise<DbosProcess>;
  readonly begin: (run: TakenRun) => Promise<void>;
  /** A run that no one had is over. */
  readonly onCancelled: (id: string) => void;
  /** Whether this process continues runs that no one has. */
  readonly adopts: () => boolean;
}

export class PostgresActions {
  readonly #options: PostgresActionsOptions;

  constructor(options: PostgresActionsOptions) {
    this.#options = options;
  }

  /** A caller was told that this run is accepted. */
  async acknowledge(id: string): Promise<void> {
    const hex = toRunHex(id) ?? '';
    const live = this.#options.runs.get(hex);
    live?.remember({ acknowledged: true });
    if (live !== undefined) return this.#options.store.whileUsable(live.settled());
    // It has left memory meanwhile.
    const sql = `UPDATE wf.runs SET extra = (coalesce(extra, '{}')::jsonb || '{"acknowledged":true}')::text WHERE id = $1`;
    const { database } = this.#options.store;
    // Its caller does not wait for a database that can't be reached, but it is recorded later.
    await database.whileUsable(database.persist(() => database.query(sql, hex)).catch(() => undefined));
  }

  async cancel(id: string): Promise<Change> {
    const { lookup, runs, store } = this.#options;
    const found = await lookup.changeable(id);
    if ('refusal' in found) return found.refusal;
    const { state } = found;
    const over = (now: RunState): Change => ({
      kind: 'not possible',
      state: now,
      problem: endedProblem(now.status),
    });
    const hex = toRunHex(id) ?? '';
    for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
      const live = runs.get(hex);
      live?.stop('cancelled', 'The run was cancelled.');
      await live?.left;
      if (live === undefined && !(await this.cancelFree(hex)) && waited === 0) {
        const sql = 'INSERT INTO wf.inbox(run, kind, at) VALUES ($1, $2, $3)';
        await store.database.query(sql, hex, inboxKinds.cancel, Date.now());
      }
      const now = (await lookup.state(id)) ?? state;
      if (now.status === 'cancelled') return { kind: 'done', state: now };
      if (isFinished(now.status)) return over(now);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    // It stays in the inbox: the process that has the run cancels it as soon as it moves again, so this is no refusal.
    return { kind: 'done', state };
  }

  /** Ends a run that no one has. @returns false if someone has it */
  async cancelFree(hex: string): Promise<boolean> {
    const { ownership, store, onCancelled } = this.#options;
    await store.leaving.get(hex);
    if (!(await ownership.cancelFree(hex, cancelledOutcome))) return false;
    await store.client.shared.endShared(hex);
    onCancelled(hex);
    return true;
  }

  async retry(id: string): Promise<Change> {
    const { lookup, runs, store, ownership } = this.#options;
    const { database } = store;
    const found = await lookup.retriable(id);
    if ('refusal' in found) return found.refusal;
    const { state } = found;
    const hex = toRunHex(id) ?? '';
    let asked: unknown;
    const done = async (): Promise<Change> => ({ kind: 'done', state: (await lookup.state(id)) ?? state });
    for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
      await store.leaving.get(hex);
      const live = runs.get(hex);
      live?.retry();
      if (live !== undefined || (await ownership.retryFree(hex))) {
        // Otherwise, the next owner would end its next wait as well.
        if (asked !== undefined) await database.query('DELETE FROM wf.inbox WHERE id = $1', asked);
        await live?.settled();
        return done();
      }
      if (asked === undefined) {
        const sql = 'INSERT INTO wf.inbox(run, kind, at) VALUES ($1, $2, $3) RETURNING id';
        asked = (await database.query(sql, hex, inboxKinds.retry, Date.now()))[0]?.id;
      } else if ((await database.query('SELECT 1 FROM wf.inbox WHERE id = $1', asked)).length === 0) return done();
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    // It stays in the inbox, like a wish to cancel.
    return { kind: 'asked', state };
  }

  async resume(id: string): Promise<Change> {
    const { lookup, runs, store, adopts } = this.#options;
    const found = await lookup.changeable(id);
    if ('refusal' in found) return found.refusal;
    const { state } = found;
    const hex = toRunHex(id) ?? '';
    await store.leaving.get(hex);
    if (runs.get(hex) !== undefined || (adopts() && state.status !== 'stuck')) {
      return { kind: 'not possible', state, problem: `The run is ${state.status}: it continues automatically.` };
    }
    if (!(await this.#takeWhenFree(hex))) return { kind: 'elsewhere', state };
    return { kind: 'done', state: (await lookup.state(id)) ?? state };
  }

  /** @returns false if a living process has it, one that renews its lease */
  async #takeWhenFree(hex: string): Promise<boolean> {
    const { ownership, dbos, begin } = this.#options;
    let lease: string | undefined;
    for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
      const [taken] = await ownership.take(await dbos(), 1, 'r.id = $3', hex);
      if (taken !== undefined) {
        await begin(taken);
        return true;
      }
      const found = await ownership.rowOf(hex);
      if (found?.owner !== undefined) {
        lease ??= `${found.owner} ${found.expires}`;
        if (lease !== `${found.owner} ${found.expires}`) return false;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return false;
  }
}
