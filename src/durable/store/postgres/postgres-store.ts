// A store on PostgreSQL, as the engine sees it.
import type { Environment, WfRecord } from '../../../../runtime/types.js';
import type { Runnable } from '../../../engine/engine.js';
import { isBranchOver, readEffectAddress } from '../../model/addresses.js';
import { type EntryRow, endedEffects } from '../../model/entries.js';
import { storedStates } from '../../model/run-rows.js';
import { readExtra } from '../../model/stored-run.js';
import type { OwnVersion } from '../../model/versions.js';
import type { LoadedRun, RunSource, RunWriter, StoreAccess, StoreErasing, TakenUp } from '../port.js';
import { OnceValues } from '../shared/once-values.js';
import type { TextSealing } from '../shared/sealing.js';
import { SharedTables } from '../shared/shared-tables.js';
import { sql as sqlText } from '../shared/sql.js';
import { StoredTimetables } from '../shared/timetables.js';
import { EnvironmentFingerprints } from '../shared/versions.js';
import type { DbosProcess } from './dbos-process.js';
import { legId, readJournal } from './journal-steps.js';
import type { PostgresDatabase } from './postgres-database.js';
import { PostgresVersions } from './postgres-versions.js';
import { PostgresReader, readRunRow } from './run-reader.js';
import { postgresSql } from './shared-sql.js';

/** A run in memory, as far as its store looks at it. */
interface WritingRun {
  readonly parts: { readonly writer: RunWriter };
}

export class PostgresStore implements StoreAccess, RunSource {
  readonly database: PostgresDatabase;
  readonly sealing: TextSealing;
  readonly versions: PostgresVersions;
  readonly client: StoreAccess['client'];
  readonly timetables: StoredTimetables;
  readonly once: OnceValues;
  readonly #prints: EnvironmentFingerprints;
  /** Runs that are leaving memory and releasing their place in the store. */
  readonly leaving = new Map<string, Promise<void>>();
  /** DBOS, launched on first use, once there is an engine. */
  dbos: (() => Promise<DbosProcess>) | undefined;
  /** The runs in memory, once there are any. */
  live: { get(id: string): WritingRun | undefined; all(): IterableIterator<WritingRun> } | undefined;

  constructor(database: PostgresDatabase, sealing: TextSealing, env: Environment) {
    this.database = database;
    this.sealing = sealing;
    this.#prints = new EnvironmentFingerprints(env, async (texts) =>
      texts.map((text) => sealing.hash(text).toString('hex', 0, 4)),
    );
    this.versions = new PostgresVersions(database, this.#prints);
    const sql = postgresSql(database, sealing);
    this.once = new OnceValues(sql, {
      names: sqlText`owner`,
      text: sqlText`owner`,
      recorded: sqlText`owner = ''`,
      isRecorded: (owner) => owner === '',
    });
    this.timetables = new StoredTimetables(sql, (text) => Buffer.from(text));
    this.client = { reader: new PostgresReader(database, this.versions, sealing), shared: new SharedTables(sql) };
  }

  readonly erasing: StoreErasing = {
    eraseRun: async ({ id }, extra) => {
      const [row] = await this.database.query('SELECT legs FROM wf.runs WHERE id = $1', id);
      if (row === undefined) return;
      // Its journal first: if this is interrupted, it is still shown that there is something to erase.
      await (await this.dbos?.())?.remove((row.legs as number[]).map((leg) => legId(id, leg))); // an array of integers
      const { key = null } = readExtra(extra);
      await this.database.query(
        `UPDATE wf.runs SET request = $2, outcome = NULL, waits = NULL, due = NULL, environment = NULL, extra = $3, key = $4 WHERE id = $1`,
        ...[id, this.sealing.seal('{}', id), extra, key],
      );
    },
    // The database removes deleted rows on its own.
    scrub: async () => undefined,
  };

  whileUsable<T>(work: Promise<T>): Promise<T | undefined> {
    return this.database.whileUsable(work);
  }

  readonly queue = {
    settled: async (run?: string): Promise<void> => {
      const only = run === undefined ? undefined : this.live?.get(run);
      const runs = run === undefined ? [...(this.live?.all() ?? [])] : only === undefined ? [] : [only];
      await Promise.all(runs.map(({ parts }) => parts.writer.settled?.()));
      if (run === undefined) await Promise.all(this.leaving.values());
      else await this.leaving.get(run);
    },
  };

  async load({ writer, id }: TakenUp): Promise<LoadedRun | undefined> {
    const { database } = this;
    const [found] = await database.persist(() => database.query('SELECT * FROM wf.runs WHERE id = $1', id));
    if (found === undefined) return undefined;
    // Another process took it while this one slept; from here on, that would be noticed when the lease is renewed.
    if (writer.isAt?.(found.owner, found.leg) === false) return undefined;
    const row = readRunRow(found, this.sealing);
    const version = await database.persist(() => this.versions.numbered(row.v));
    if (version === undefined) return undefined;
    const entries = await database.persist(() => readJournal(database.query, id, this.sealing));
    await this.#forgetDelivered(id, entries);
    const request = JSON.parse(row.request) as WfRecord; // a request is a record
    const environment = found.environment === null ? undefined : String(found.environment);
    const changedEnv = await this.#prints.changed(version.info.env, environment);
    const wasWaiting = row.state === storedStates.waiting;
    return { version, request, entries, changedEnv, extra: readExtra(row.extra), wasWaiting };
  }

  /** Arrivals that are in the journal, or that came for a branch that is over, need not be delivered: a process died in between. */
  async #forgetDelivered(run: string, entries: readonly EntryRow[]): Promise<void> {
    const { database } = this;
    const sql = 'SELECT id, place FROM wf.inbox WHERE run = $1 AND place IS NOT NULL';
    const rows = await database.persist(() => database.query(sql, run));
    if (rows.length === 0) return;
    const ended = endedEffects(entries);
    const done: typeof rows = [];
    for (const row of rows) {
      const place = String(row.place);
      if (ended.has(place)) done.push(row);
      else if (isBranchOver(readEffectAddress(place).branch, ended)) await this.client.shared.endWait(run, place, false);
    }
    if (done.length === 0) return;
    const ids = done.map(({ id }) => id);
    await database.persist(() => database.query('DELETE FROM wf.inbox WHERE id = ANY($1)', ids));
  }

  runnable(version: OwnVersion): Promise<Runnable> {
    return this.versions.runnable(version);
  }
}
