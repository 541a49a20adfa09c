// The engine over a folder of this machine: starts runs, keeps them going, and hands them over when the process stops.
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
import type { GivenUp } from '../model/file-troubles.js';
import { storedStates } from '../model/run-rows.js';
import { cancelledOutcome } from '../model/stored-run.js';
import type { VersionInfo } from '../model/versions.js';
import type { StoreCopy, TakenUp } from '../store/port.js';

import type { OwnShard } from '../store/sqlite/own-shard.js';
import type { SqliteStore } from '../store/sqlite/sqlite-store.js';
import { passingProblem } from '../store/sqlite/sqlite-store.js';
import { watchElsewhere } from '../store/sqlite/watch-elsewhere.js';
import type { RunMoving } from '../transfer/portable-runs.js';
import { Retracing } from '../views/retracing.js';
import { RunLookup } from '../views/run-lookup.js';
import { ChangeNews } from './change-news.js';
import { type EngineParts, EngineQueries } from './engine-queries.js';
import { folderMoving } from './folder-moving.js';
import { RecoveryLoop } from './folder-recovery.js';
import type { LeftMemory, LiveRun } from './live-run.js';
import { LiveRuns } from './live-runs.js';
import { PeopleActions } from './people-actions.js';
import { RunRepeater } from './rerun.js';
import { RunActions } from './run-actions.js';
import { createRunHost } from './run-host.js';
import { acknowledge, RunStarter } from './run-starter.js';
import { RunWaits } from './run-waits.js';
import { StopPatience } from './stop-patience.js';
import type { StorePruning } from './store-pruning.js';

export class FolderEngine extends EngineQueries implements DurableEngine {
  readonly #store: SqliteStore;
  readonly #pruner: StorePruning;
  readonly #news: ChangeNews;
  readonly #runs: LiveRuns;
  readonly #lookup: RunLookup;
  readonly #waits: RunWaits;
  readonly #starter: RunStarter;
  readonly #repeater: RunRepeater<OwnShard>;
  #keeper: Promise<RecoveryLoop> | undefined;
  /** Ends the first poll of a keeper that is starting: it can wait as long as the disk is full. */
  #endStart: () => void = () => undefined;
  readonly #options: OpenStoreOptions;
  protected readonly parts: EngineParts;
  #adopts = false;
  /** No run starts before this, or it would count as left behind. */
  #isKept = false;
  /** The shard of a server. Its keeper starts afterwards; otherwise no one would adopt the runs already in the shard. */
  #ownShard: Promise<unknown> | undefined;
  #isClosing = false;

  constructor(store: SqliteStore, pruner: StorePruning, folder: string, options: OpenStoreOptions) {
    super();
    this.#store = store;
    this.#pruner = pruner;
    this.#news = new ChangeNews((onChange) => watchElsewhere(folder, (shard) => store.shards.has(shard), onChange));
    this.#options = options;
    const host = createRunHost({
      ...{ store, news: this.#news, publicUrl: options.publicUrl },
      onWaits: (run, waiting, due) => {
        this.#waits.waits(run, waiting, due);
        if (due === undefined || waiting === undefined) return;
        // A keeper that can't start says so to whoever needs it. The next one finds all that is due.
        this.#keeper?.then((keeper) => keeper.noteDue(due)).catch(() => undefined);
      },
    });
    this.#runs = new LiveRuns(store, host, options, (run, left) => this.#left(run, left));
    this.#lookup = new RunLookup(store, this.#runs, { env: options.env, secrets: options.secrets ?? [] });
    this.#waits = new RunWaits(this.#runs, this.#lookup, store);
    this.#starter = new RunStarter(store, this.#runs, this.#lookup, this.#waits);
    this.#repeater = new RunRepeater({
      versionOf: (shard, prepared) => store.versionOf(shard, prepared),
      recordedVersion: (shard, { workflow, hash, info }) => shard.version(workflow, hash, JSON.parse(info) as VersionInfo), // written with the version
      claim: (shard, wish, run) => this.#starter.claim(shard, wish, run),
      ...{ store, runs: this.#runs, lookup: this.#lookup, waits: this.#waits, current: options.current },
    });
    this.moving = folderMoving(store, this.#lookup);
    this.timetables = folderTimetables(store);
    const readInbox = (): void => {
      // A command closes the store right after: the process that has the run finds it in the inbox.
      void this.#keep()
        .then((keeper) => keeper.readInbox())
        .catch(() => undefined);
    };
    this.parts = {
      ...{ store, news: this.#news, runs: this.#runs, lookup: this.#lookup, waits: this.#waits },
      people: new PeopleActions(store, this.#lookup, this.#news, readInbox, options.keepMessagesMs),
      retracing: new Retracing(store, this.#runs, this.#lookup),
      actions: new RunActions(store, this.#lookup, () => this.#keep()),
    };
  }

  start(request: StartRequest): Started | Promise<Started> {
    if (this.#isClosing) return { kind: 'unavailable', problem: 'the process is stopping' };
    const shard = this.#isKept ? this.#store.primary.taken : undefined;
    try {
      const started = shard === undefined ? this.#startFirst(request) : this.#starter.start(shard, request);
      return started instanceof Promise ? started.catch(unavailable) : started;
    } catch (error) {
      return unavailable(error);
    }
  }

  async #startFirst(request: StartRequest): Promise<Started> {
    await this.#keep();
    const shard = await this.#store.primary.take(true);
    await this.#keep(); // a server that has begun meanwhile adopts the shard first
    return this.#starter.start(shard, request);
  }

  async serve(): Promise<void> {
    this.#adopts = true;
    await this.renewed().catch((error: unknown) => {
      const problem = passingProblem(error);
      throw problem === undefined ? error : new UsageError(`The store cannot be written: ${problem}.`);
    });
    this.#pruner.start(this.#options.keepMs);
  }

  /** The store has a thread: takes a shard, and takes care of waiting runs and those of dead processes. */
  async renewed(): Promise<void> {
    // One that was only needed to send something would not continue what is in the shard: a new one adopts that first.
    if (this.#store.shards.size === 0) this.#dropKeeper();
    this.#ownShard = this.#store.primary.take(false);
    (await this.#keep()).adopt();
  }

  acknowledge = (id: string) => acknowledge(this.#store, this.#runs, id);
  health = () => this.#store.health;

  inDoubt = (id: string) => this.#repeater.inDoubt(id);

  protected async repeat(id: string, how: RerunRequest): Promise<Rerun> {
    await this.#keep();
    return this.#repeater.rerun(await this.#store.primary.take(true), id, how);
  }

  readonly moving: RunMoving;

  prune({ olderThanMs, dryRun = false }: Parameters<DurableEngine['prune']>[0]): Promise<{ readonly runs: number }> {
    return this.#pruner.prune(olderThanMs, dryRun);
  }

  readonly timetables: Timetables;

  protected async setKey(key: Uint8Array | undefined): Promise<void> {
    await this.#store.client.writer.rekey(key);
    await this.close(0); // connections opened here still have the old key
  }

  protected giveUpFile(file: string): Promise<GivenUp> {
    return this.#store.client.writer.giveUp(file);
  }

  async backUp(target: string): Promise<StoreCopy> {
    await this.#store.queue.settled();
    return this.#store.client.writer.backUp(target);
  }

  async close(graceMs: number, beforeClosing?: () => Promise<void>): Promise<{ readonly released: number }> {
    if (this.#isClosing) return { released: 0 };
    this.#isClosing = true;
    const pruningEnds = this.#pruner.close();
    this.#endStart();
    await this.#keeper?.then((keeper) => keeper.stop()).catch(() => undefined);
    const leaving = await this.#runs.releaseAll(graceMs);
    const patience = new StopPatience(this.#store, graceMs, () => this.#store.giveUp());
    const settled = leaving.left.then(() => this.#store.queue.settled());
    await patience.wait(settled.then(() => this.#runs.reported()));
    patience.end();
    const left = await leaving.left;
    await this.#store.queue.settled();
    await this.eraser.close();
    await this.#waits.end(beforeClosing);
    await this.#runs.close();
    await pruningEnds;
    await this.#store.close();
    return { released: left.filter(({ kind }) => kind === 'released').length };
  }

  /** The store's thread has ended: another process may have taken what it held. Returns whether this process needs another one. */
  lost(): boolean {
    if (this.#isClosing) return false;
    this.#runs.loseAll();
    this.#dropKeeper();
    return this.#adopts;
  }

  #dropKeeper(): void {
    void this.#keeper?.then((keeper) => keeper.stop()).catch(() => undefined);
    this.#keeper = undefined;
    this.#isKept = false;
  }

  async #keep(): Promise<RecoveryLoop> {
    this.#keeper ??= this.#startKeeper();
    const started = this.#keeper;
    try {
      const keeper = await started;
      this.#isKept = this.#keeper === started;
      return keeper;
    } catch (error) {
      if (this.#keeper === started) this.#keeper = undefined; // the next one who needs it tries again
      throw error;
    }
  }

  async #startKeeper(): Promise<RecoveryLoop> {
    await this.#ownShard;
    const keeper = new RecoveryLoop({
      ...{ store: this.#store, runs: this.#runs, adopts: this.#adopts, attended: this.attended },
      onCancelled: (run) => this.#cancelStored(run),
      onStuck: (ids) => {
        for (const id of ids) this.#news.run(id, 'stuck');
      },
    });
    this.#endStart = () => void keeper.stop().catch(() => undefined);
    await keeper.start();
    return keeper;
  }

  /** A run that is not in memory is over. */
  async #cancelStored({ writer, n, id }: TakenUp): Promise<void> {
    const { queue } = this.#store;
    writer.write(['end', n, storedStates.cancelled, Date.now(), cancelledOutcome]);
    await queue.settled();
    // Nothing unwritten has happened: the wish to cancel it remains.
    if (queue.isLost) throw new Error(`The store was given up before the run ${id} was cancelled.`);
    await this.#endShared(id);
    this.#news.run(id, 'cancelled');
  }

  /** A run has left memory. */
  #left(run: LiveRun, { kind }: LeftMemory): void {
    const status = kind === 'outcome' ? 'completed' : kind === 'cancelled' || kind === 'stuck' ? kind : 'waiting';
    this.#news.run(run.id, status);
    // The next recovery finds leftovers again.
    if ((kind === 'outcome' || kind === 'cancelled') && run.isAwaited) void this.#endShared(run.id).catch(() => undefined);
    if (kind === 'parked' && run.isKnocked)
      void this.#wake({ writer: run.parts.writer, n: run.n, id: run.id }).catch(() => undefined);
  }

  async #endShared(id: string): Promise<void> {
    await this.#store.client.shared.endShared(id);
    this.#news.tasks();
  }

  async #wake(run: TakenUp): Promise<void> {
    (await this.#keep()).wake(run);
  }
}

/** @throws the error, unless it is about a store that can't be used now */
function unavailable(error: unknown): Started {
  const problem = passingProblem(error) ?? (error instanceof UsageError ? 'part of it cannot be used' : undefined);
  if (problem === undefined) throw error;
  return { kind: 'unavailable', problem };
}

function folderTimetables({ client: { shared } }: SqliteStore): Timetables {
  return {
    seen: (workflow, plan) => shared.timetableSeen(workflow, plan),
    done: (workflow, plan, until) => shared.timetableDone(workflow, plan, until),
  };
}
