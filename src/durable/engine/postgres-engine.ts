// The engine over a PostgreSQL database, for many machines.
import { UsageError } from '../../engine/usage-error.js';
import type {
  DurableEngine,
  OpenStoreOptions,
  Rerun,
  RerunRequest,
  Started,
  StartRequest,
  Timetables,
} from '../durable-engine.js';
import { type OnceValue, onceValueOf } from '../model/request-keys.js';
import { newRunHex, toRunId } from '../model/run-ids.js';
import type { FoundRun } from '../model/run-rows.js';
import type { StoreGauges } from '../model/run-views.js';
import { startExtra } from '../model/stored-run.js';
import type { OwnVersion, VersionInfo } from '../model/versions.js';
import { readAddress } from '../store/postgres/address.js';
import { HostProcess } from '../store/postgres/host-process.js';
import { Ownership } from '../store/postgres/ownership.js';
import { passingFault, watchDatabase } from '../store/postgres/postgres-database.js';
import { prunePostgres } from '../store/postgres/postgres-pruning.js';
import { PostgresStore } from '../store/postgres/postgres-store.js';
import { rekeyPostgres } from '../store/postgres/rekey-postgres.js';
import type { RunRecorder } from '../store/postgres/run-recorder.js';
import { prepareStore } from '../store/postgres/store-tables.js';
import { PostgresTurns } from '../store/postgres/turns.js';
import { sql } from '../store/shared/sql.js';
import type { RunMoving } from '../transfer/portable-runs.js';
import { Retracing } from '../views/retracing.js';
import { RunLookup } from '../views/run-lookup.js';
import { ChangeNews } from './change-news.js';
import { type EngineParts, EngineQueries, pruneRegularly } from './engine-queries.js';
import { LiveRuns } from './live-runs.js';
import { claimOnceFor, claimRequest } from './once-for-each.js';
import { PeopleActions } from './people-actions.js';
import { PostgresActions } from './postgres-actions.js';
import { claimRunKey } from './postgres-keys.js';
import { postgresMoving } from './postgres-moving.js';
import { PostgresRecoveryLoop } from './postgres-recovery.js';
import { RunRepeater } from './rerun.js';
import { RunCustody } from './run-custody.js';
import { createRunHost } from './run-host.js';
import { keyWish } from './run-starter.js';
import { RunWaits } from './run-waits.js';
import { StopPatience } from './stop-patience.js';

/** @throws UsageError if the database can't be reached, can't be a store, or is encrypted with another key */
export async function openPostgres(
  where: string,
  key: Uint8Array | undefined,
  options: OpenStoreOptions,
): Promise<DurableEngine> {
  const host = await HostProcess.open(readAddress(where, options.env), options.cwd);
  try {
    const sealing = await prepareStore(host.database, key);
    const store = new PostgresStore(host.database, sealing, options.env);
    store.dbos = () => host.dbos();
    return new PostgresEngine(host, store, key, options);
  } catch (error) {
    await host.close();
    throw error;
  }
}

class PostgresEngine extends EngineQueries implements DurableEngine {
  readonly #host: HostProcess;
  readonly #store: PostgresStore;
  readonly #key: Uint8Array | undefined;
  readonly #options: OpenStoreOptions;
  protected readonly parts: EngineParts;
  readonly #ownership: Ownership;
  readonly #news: ChangeNews;
  readonly #custody: RunCustody;
  readonly #turns: PostgresTurns;
  readonly #runs: LiveRuns;
  readonly #lookup: RunLookup;
  readonly #waits: RunWaits;
  readonly #actions: PostgresActions;
  readonly #repeater: RunRepeater<RunRecorder>;
  readonly #stops: (() => void)[];
  readonly timetables: Timetables;
  #keeper: PostgresRecoveryLoop | undefined;
  #pruning: ReturnType<typeof setInterval> | undefined;
  #adopts = false;
  #isClosing = false;

  constructor(host: HostProcess, store: PostgresStore, key: Uint8Array | undefined, options: OpenStoreOptions) {
    super();
    this.#host = host;
    this.#store = store;
    this.#key = key;
    this.#options = options;
    const { database, lease } = host;
    this.timetables = store.timetables;
    this.#ownership = new Ownership(database, lease.process, store.sealing);
    this.#news = new ChangeNews((onChange) => watchDatabase(database, onChange));
    const runHost = createRunHost({
      ...{ store, news: this.#news, publicUrl: options.publicUrl },
      onWaits: (run, waiting, due) => this.#waits.waits(run, waiting, due),
    });
    this.#turns = new PostgresTurns(database, lease, store.sealing);
    this.#custody = new RunCustody({
      ...{ host, store, ownership: this.#ownership, news: this.#news, onCommitted: options.observer?.committed },
      onParked: () => this.#keeper?.poll(),
    });
    this.#runs = new LiveRuns(store, runHost, { ...options, fence: lease, takeTurn: this.#turns.take }, (run, left) =>
      this.#custody.left(run, left),
    );
    this.#custody.runs = this.#runs;
    store.live = this.#runs;
    this.#lookup = new RunLookup(store, this.#runs, { env: options.env, secrets: options.secrets ?? [] });
    this.#waits = new RunWaits(this.#runs, this.#lookup, store);
    this.#repeater = new RunRepeater({
      versionOf: (_, prepared) => store.versions.of(prepared),
      recordedVersion: (_, found) => recordedVersion(found),
      claim: (_, wish, run) => claimRunKey({ host, sealing: store.sealing, lookup: this.#lookup }, wish, run),
      ...{ store, runs: this.#runs, lookup: this.#lookup, waits: this.#waits, current: options.current },
    });
    this.moving = postgresMoving(host, store, this.#lookup, () => this.#custody.recorder());
    this.#actions = new PostgresActions({
      ...{ store, lookup: this.#lookup, runs: this.#runs, ownership: this.#ownership },
      dbos: async () => {
        await this.#keep();
        return this.#host.dbos();
      },
      begin: (run) => this.#custody.begin(run),
      onCancelled: (id) => {
        this.#news.run(id, 'cancelled');
        this.#news.tasks();
      },
      adopts: () => this.#adopts,
    });
    this.parts = {
      ...{ store, news: this.#news, runs: this.#runs, lookup: this.#lookup, waits: this.#waits, actions: this.#actions },
      people: new PeopleActions(store, this.#lookup, this.#news, () => this.#keeper?.poll(), options.keepMessagesMs),
      retracing: new Retracing(store, this.#runs, this.#lookup),
    };
    const holds = (id: string): boolean => this.#runs.get(id) !== undefined || store.leaving.has(id);
    host.holders.add(holds);
    this.#stops = [
      () => host.holders.delete(holds),
      host.onProblem(options.onProblem ?? (() => undefined)),
      lease.onRevived((owned) => this.#custody.revived(owned)),
    ];
  }

  async start(request: StartRequest): Promise<Started> {
    const { health } = this.#host.database;
    if (this.#isClosing) return { kind: 'unavailable', problem: 'the process is stopping' };
    if (!health.ok) return { kind: 'unavailable', problem: health.problem };
    try {
      await this.#keep();
      return await this.#start(request);
    } catch (error) {
      const problem = passingFault(error);
      if (problem === undefined) throw error;
      return { kind: 'unavailable', problem };
    }
  }

  async #start(start: StartRequest): Promise<Started> {
    const { prepared, request, respondAsync = false, onStart, options = {} } = start;
    const extra = startExtra(start);
    const { key } = extra;
    const version = await this.#store.versions.of(prepared);
    const id = newRunHex(Date.now());
    const keys = { host: this.#host, sealing: this.#store.sealing, lookup: this.#lookup };
    const { onlyAsks = false } = start;
    const once = onlyAsks ? undefined : await onceValueOf(start, Date.now());
    const known = await claimRequest({
      key:
        key === undefined ? undefined : (asks) => claimRunKey(keys, keyWish({ ...start, onlyAsks: onlyAsks || asks }, key), id),
      once: once === undefined ? undefined : () => this.#claimOnce(once, id),
      release: async () => once && this.#store.once.release(once, id),
    });
    if (known !== undefined) return known;
    if (onlyAsks) return { kind: 'new key' };
    const recorder = await this.#custody.recorder();
    const live = this.#runs.begin(recorder, version, prepared, request, options, extra, id);
    onStart?.(toRunId(id));
    if (respondAsync || key !== undefined || once !== undefined) {
      const started = this.#waits.started(live);
      const isRecorded = await started.recorded(start.scheduledFor !== undefined);
      if (isRecorded && once !== undefined) await this.#store.once.confirm(once, id);
      return isRecorded ? started : { kind: 'unrecorded', run: started.run };
    }
    return this.#waits.started(live);
  }

  #claimOnce(once: OnceValue, id: string): Promise<Started | undefined> {
    const { database, lease } = this.#host;
    const { reader } = this.#store.client;
    return claimOnceFor(
      { store: database, reader, lookup: this.#lookup },
      {
        claim: (value, run, instead) => this.#store.once.claim(value, run, sql`${lease.process}`, instead),
        isGone: async (owner) =>
          (await database.query('SELECT 1 FROM wf.processes WHERE id = $1 AND expires > clock_timestamp()', owner)).length === 0,
      },
      once,
      id,
    );
  }

  async serve(): Promise<void> {
    this.#adopts = true;
    await this.#keeper?.stop();
    this.#keeper = undefined;
    await this.#keep();
    this.#pruning = pruneRegularly(this.#options.keepMs, (olderThanMs) => this.#prune(olderThanMs, false));
  }

  acknowledge = (id: string) => this.#actions.acknowledge(id);
  health = () => this.#host.database.health;
  readonly moving: RunMoving;

  inDoubt = (id: string) => this.#repeater.inDoubt(id);

  protected async repeat(id: string, how: RerunRequest): Promise<Rerun> {
    await this.#keep();
    return this.#repeater.rerun(await this.#custody.recorder(), id, how);
  }

  prune({ olderThanMs, dryRun = false }: Parameters<DurableEngine['prune']>[0]): Promise<{ readonly runs: number }> {
    return this.#prune(olderThanMs, dryRun);
  }

  async #prune(olderThanMs: number | undefined, dryRun: boolean): Promise<{ readonly runs: number }> {
    await this.#store.queue.settled();
    const { database } = this.#host;
    const endShared = (run: string): Promise<void> => this.#store.client.shared.endShared(run);
    const { once } = this.#store;
    return prunePostgres({ database, dbos: () => this.#host.dbos(), olderThanMs, dryRun, endShared, once });
  }

  protected async setKey(key: Uint8Array | undefined): Promise<void> {
    await rekeyPostgres(this.#host, this.#key, key);
    await this.close(0); // connections opened here still have the old key
  }

  protected async giveUpFile(): Promise<never> {
    throw new UsageError('A store in a database has no files that wf could give up.', 'Restore the database from a backup.');
  }

  override async gauges(): Promise<StoreGauges> {
    const { ageMs } = this.#host.lease;
    return { ...(await super.gauges()), ...(ageMs === undefined ? {} : { leaseAgeMs: ageMs }) };
  }

  async backUp(): Promise<never> {
    throw new UsageError(
      'A store in a database is backed up with the tools of the database, while servers use it.',
      'For example: pg_dump --format=custom --file=runs.dump --dbname=postgres://…',
    );
  }

  async close(graceMs: number, beforeClosing?: () => Promise<void>): Promise<{ readonly released: number }> {
    if (this.#isClosing) return { released: 0 };
    this.#isClosing = true;
    clearInterval(this.#pruning);
    const patience = new StopPatience(this.#host.database, graceMs, () => this.#custody.giveUp());
    await patience.wait(this.#keeper?.stop());
    const leaving = await this.#runs.releaseAll(graceMs);
    const left = (await patience.wait(leaving.left)) ?? [];
    await patience.wait(Promise.all(this.#store.leaving.values()));
    await patience.wait(this.#runs.reported());
    await patience.wait(this.eraser.close());
    await this.#waits.end(beforeClosing);
    await this.#runs.close();
    await this.#turns.close();
    for (const stop of this.#stops) stop();
    await patience.wait(this.#host.close());
    patience.end();
    return { released: left.filter(({ kind }) => kind === 'released').length };
  }

  /** Launches DBOS, announces this process to others, and delivers what arrives for its runs. */
  async #keep(): Promise<void> {
    await this.#host.dbos();
    this.#keeper ??= new PostgresRecoveryLoop({
      ...{ database: this.#host.database, ownership: this.#ownership, runs: this.#runs },
      ...{ adopts: this.#adopts, attended: this.attended },
      dbos: () => this.#host.dbos(),
      begin: (run) => this.#custody.begin(run),
      isHeld: (id) => [...this.#host.holders].some((holds) => holds(id)),
      cancelFree: async (id) => void (await this.#actions.cancelFree(id)),
    });
  }
}

const recordedVersion = ({ row, workflow, hash, info }: FoundRun): OwnVersion => ({
  v: row.v,
  workflow,
  hash,
  info: JSON.parse(info) as VersionInfo, // written with the version
});
