// A store on PostgreSQL, as runs of this process see it: what they are read from, and what to wait for before reading.
import type { Environment, WfRecord } from '../../../runtime/types.js';
import type { Runnable } from '../../engine/engine.js';
import { atEffectPlace } from '../branch-paths.js';
import { EnvironmentPrints } from '../embedded/environment-prints.js';
import type { LiveRun } from '../embedded/live-run.js';
import type { OwnVersion } from '../embedded/own-slot.js';
import { writeResumed } from '../embedded/resumed-entry.js';
import type { LoadedRun, RunSource, TakenUp } from '../embedded/run-source.js';
import type { StoreAccess } from '../embedded/store-access.js';
import { readExtra } from '../embedded/stored-run.js';
import { RunRecords } from '../journal/run-records.js';
import { storedStates } from '../store/slot-writes.js';
import { readJournal } from './journal-steps.js';
import { keptRows } from './kept-rows.js';
import { KeptVersions } from './kept-versions.js';
import type { PostgresDatabase } from './postgres-database.js';
import { PostgresReader, readRunRow } from './run-reader.js';
import { RunRecorder } from './run-recorder.js';
import type { TextSealing } from './text-sealing.js';

export class PostgresStore implements StoreAccess, RunSource {
  readonly database: PostgresDatabase;
  readonly sealing: TextSealing;
  readonly versions: KeptVersions;
  readonly client: StoreAccess['client'];
  readonly #prints: EnvironmentPrints;
  /** Runs that are leaving memory and releasing their place in the store. */
  readonly leaving = new Map<string, Promise<void>>();
  /** The runs in memory, once there are any. */
  live: { get(id: string): LiveRun | undefined; all(): IterableIterator<LiveRun> } | undefined;

  constructor(database: PostgresDatabase, sealing: TextSealing, env: Environment) {
    this.database = database;
    this.sealing = sealing;
    this.#prints = new EnvironmentPrints(env, async (texts) => texts.map((text) => sealing.hash(text).toString('hex', 0, 4)));
    this.versions = new KeptVersions(database, this.#prints);
    this.client = { reader: new PostgresReader(database, this.versions, sealing), shared: keptRows(database, sealing) };
  }

  whileUsable<T>(work: Promise<T>): Promise<T | undefined> {
    return this.database.whileUsable(work);
  }

  readonly queue = {
    settled: async (run?: string): Promise<void> => {
      const only = run === undefined ? undefined : this.live?.get(run);
      const runs = run === undefined ? [...(this.live?.all() ?? [])] : only === undefined ? [] : [only];
      await Promise.all(runs.map(({ parts }) => (parts.slot instanceof RunRecorder ? parts.slot.settled() : undefined)));
      if (run === undefined) await Promise.all(this.leaving.values());
      else await this.leaving.get(run);
    },
  };

  async load({ slot, id }: TakenUp): Promise<LoadedRun | undefined> {
    const { database } = this;
    const [found] = await database.persist(() => database.query('SELECT * FROM wf.runs WHERE id = $1', id));
    if (found === undefined) return undefined;
    // Another process took it while this one slept; from here on, that would be noticed when the lease is renewed.
    if (slot instanceof RunRecorder && !slot.isAt(found.owner, found.leg)) return undefined;
    const row = readRunRow(found, this.sealing);
    const version = await database.persist(() => this.versions.numbered(row.v));
    if (version === undefined) return undefined;
    const records = new RunRecords();
    for (const entry of await database.persist(() => readJournal(database.query, id, this.sealing))) records.add(entry);
    if (slot instanceof RunRecorder && slot.wasInterrupted) writeResumed(slot, 0, records);
    await this.#forgetDelivered(id, records);
    const request = JSON.parse(row.request) as WfRecord; // a request is a record
    const environment = found.environment === null ? undefined : String(found.environment);
    const changedEnv = await this.#prints.changed(version.info.env, environment);
    const wasWaiting = row.state === storedStates.waiting;
    return { version, request, records, changedEnv, extra: readExtra(row.extra), wasWaiting };
  }

  /** What is in the journal, or came for a branch that is over, need not be delivered: a process died in between. */
  async #forgetDelivered(run: string, records: RunRecords): Promise<void> {
    const { database } = this;
    const sql = 'SELECT id, place FROM wf.inbox WHERE run = $1 AND place IS NOT NULL';
    const rows = await database.persist(() => database.query(sql, run));
    const done: typeof rows = [];
    for (const row of rows) {
      const place = String(row.place);
      const { branch, seq } = atEffectPlace(place);
      if (records.branch(branch).part(seq, 1) !== undefined) done.push(row);
      else if (records.isOver(branch)) await this.client.shared.endWait(run, place, false);
    }
    if (done.length === 0) return;
    const ids = done.map(({ id }) => id);
    await database.persist(() => database.query('DELETE FROM wf.inbox WHERE id = ANY($1)', ids));
  }

  runnable(version: OwnVersion): Promise<Runnable> {
    return this.versions.runnable(version);
  }
}
