// Recovers runs of dead processes, wakes runs that are due, and delivers what arrived for them. Polls a database four times a second; if
// two processes find the same run, one takes it.

import { inboxKinds } from '../model/messages.js';
import { stateList, storedStates, unfinishedStates } from '../model/run-rows.js';
import type { DbosProcess } from '../store/postgres/dbos-process.js';
import type { Ownership, TakenRun } from '../store/postgres/ownership.js';
import type { PostgresDatabase } from '../store/postgres/postgres-database.js';
import type { LiveRuns } from './live-runs.js';

/** Milliseconds between two polls. */
const POLL_MS = 250;
/** Polls between two searches for runs of dead processes. */
const ADOPTION_POLLS = 4;
/** Maximum runs in memory; others wait until some of these have left. */
const MOST_AT_ONCE = 1_000;
/** Maximum runs taken per poll. */
const MOST_TAKEN = 200;

/** Milliseconds after which rows of long-dead processes are deleted. */
const FORGET_MS = 3_600_000;

interface PostgresRecoveryOptions {
  readonly database: PostgresDatabase;
  readonly ownership: Ownership;
  readonly runs: LiveRuns;
  readonly dbos: () => Promise<DbosProcess>;
  /** Whether this process takes care of runs that no one has. */
  readonly adopts: boolean;
  /** Runs that continue after their pauses even if it does not: 32 hexadecimal digits each. */
  readonly attended: ReadonlySet<string>;
  /** Whether a run is in the memory of this process, on its way there or back. */
  readonly isHeld: (run: string) => boolean;
  readonly begin: (run: TakenRun) => Promise<void>;
  /** A run that no one has is to be cancelled. */
  readonly cancelFree: (id: string) => Promise<void>;
}

export class PostgresRecoveryLoop {
  readonly #options: PostgresRecoveryOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #polls = 0;
  #strays: ReadonlyMap<string, number> = new Map();
  #isClosed = false;
  #polling: Promise<void> = Promise.resolve();
  #isPolling = false;
  #mustPollAgain = false;

  constructor(options: PostgresRecoveryOptions) {
    this.#options = options;
    this.poll();
  }

  /** Polls now, because this process has put something into the store. */
  poll(): void {
    if (this.#isClosed) return;
    if (this.#isPolling) {
      this.#mustPollAgain = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#isPolling = true;
    this.#polling = this.#pollOnce()
      // The database doesn't answer; the next poll retries.
      .catch(() => undefined)
      .then(() => {
        this.#isPolling = false;
        if (this.#isClosed) return;
        const wait = this.#mustPollAgain ? 0 : POLL_MS;
        this.#mustPollAgain = false;
        this.#timer = setTimeout(() => this.poll(), wait);
      });
  }

  /** Doesn't affect runs in memory. Resolves when no poll is in progress. */
  async stop(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#polling;
  }

  async #pollOnce(): Promise<void> {
    const { adopts, attended, ownership, isHeld } = this.#options;
    await this.#deliver();
    const { waiting, running, released } = storedStates;
    if (!adopts) {
      if (attended.size === 0) return;
      const isWoken = 'r.due <= $4 OR r.id IN (SELECT i.run FROM wf.inbox i)';
      return this.#take(`r.state = ${waiting} AND r.id = ANY($3) AND (${isWoken})`, [...attended], Date.now());
    }
    await this.#take(`r.state = ${waiting} AND r.due <= $3`, Date.now());
    await this.#take(`r.state = ${waiting} AND r.id IN (SELECT i.run FROM wf.inbox i)`);
    const isTurn = this.#polls++ % ADOPTION_POLLS === 0;
    // A released run has no owner and continues immediately; a dead owner is noticed by its lease.
    await this.#take(`r.state IN (${running}, ${released})${isTurn ? '' : ' AND r.owner IS NULL'}`);
    if (isTurn) await this.#cancelAbandoned();
    if (isTurn) this.#strays = await ownership.leaveStrays(isHeld, this.#strays);
    if (this.#polls === 1) await this.#forgetProcesses();
  }

  /** Delivers arrivals for the runs of this process. */
  async #deliver(): Promise<void> {
    const { database, runs } = this.#options;
    const ids = [...runs.all()].map(({ id }) => id);
    if (ids.length === 0) return;
    for (const { id, run, kind } of await database.query(
      'SELECT id, run, kind FROM wf.inbox WHERE run = ANY($1) ORDER BY id',
      ids,
    )) {
      const live = runs.get(String(run));
      if (live === undefined) continue;
      if (kind === inboxKinds.message || kind === inboxKinds.answer) live.knock();
      else {
        if (kind === inboxKinds.retry) live.retry();
        if (kind === inboxKinds.cancel) live.stop('cancelled', 'The run was cancelled.');
        await database.query('DELETE FROM wf.inbox WHERE id = $1', id);
      }
    }
  }

  async #take(which: string, ...values: readonly unknown[]): Promise<void> {
    const { ownership, runs, dbos, begin } = this.#options;
    const room = Math.min(MOST_TAKEN, MOST_AT_ONCE - runs.size);
    if (room <= 0 || this.#isClosed) return;
    const taken = await ownership.take(await dbos(), room, which, ...values);
    if (taken.length > 0) void runs.load().catch(() => undefined); // a call would report it
    // One that cannot be read now is left to the next poll for strays.
    await Promise.all(taken.map((run) => begin(run).catch(() => undefined)));
  }

  /** A process was asked to cancel a run and died before it did. */
  async #cancelAbandoned(): Promise<void> {
    const { database, cancelFree } = this.#options;
    const sql = `SELECT i.run FROM wf.inbox i JOIN wf.runs r ON r.id = i.run WHERE i.kind = $1 AND r.state IN ${stateList(unfinishedStates)} AND r.owner IS NULL`;
    for (const { run } of await database.query(sql, inboxKinds.cancel)) await cancelFree(String(run));
  }

  async #forgetProcesses(): Promise<void> {
    await this.#options.database.query(
      `DELETE FROM wf.processes p WHERE p.expires < now() - $1 * interval '1 millisecond'
       AND NOT EXISTS (SELECT 1 FROM wf.runs r WHERE r.owner = p.id AND r.state IN ${stateList(unfinishedStates)})`,
      FORGET_MS,
    );
  }
}
