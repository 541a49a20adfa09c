// The engine over a store: starts runs, keeps them going, and hands them over when the process stops.
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
import type { RunMoving } from '../model/portable-lines.js';
import type { Health, StoreGauges } from '../model/run-views.js';
import type { RunDeletion, RunWriter, Store } from '../store/port.js';
import { runMoving } from '../transfer/portable-runs.js';
import { Retracing } from '../views/retracing.js';
import { RunLookup } from '../views/run-lookup.js';
import { ChangeNews } from './change-news.js';
import { type EngineParts, EngineQueries } from './engine-queries.js';
import type { LeftMemory, LiveRun } from './live-run.js';
import { LiveRuns } from './live-runs.js';
import { PeopleActions } from './people-actions.js';
import { RecoveryLoop } from './recovery-loop.js';
import { RunRepeater } from './rerun.js';
import { RunActions } from './run-actions.js';
import { createRunHost } from './run-host.js';
import { RunStarter } from './run-starter.js';
import { RunWaits } from './run-waits.js';

export class StoreEngine extends EngineQueries implements DurableEngine {
  readonly #store: Store;
  readonly #options: OpenStoreOptions;
  readonly #news: ChangeNews;
  readonly #runs: LiveRuns;
  readonly #waits: RunWaits;
  readonly #starter: RunStarter;
  readonly #actions: RunActions;
  readonly #repeater: RunRepeater;
  readonly #pruning: Pruning;
  protected readonly parts: EngineParts;
  readonly moving: RunMoving;
  readonly timetables: Timetables;
  #recovery: Promise<RecoveryLoop> | undefined;
  /** Ends the first poll of a loop that is starting: it can wait as long as the disk is full. */
  #endStart: () => void = () => undefined;
  /** No run starts before recovery has begun, or it would count as left behind. */
  #isRecovering = false;
  #adopts = false;
  #serving: Promise<void> | undefined;
  #isClosing = false;
  /** Reported failures of work that no one waits for. */
  readonly #faults = new Set<string>();
  /** Runs that have left memory and tell the store. */
  readonly #leaving = new Set<Promise<void>>();

  constructor(store: Store, options: OpenStoreOptions) {
    super();
    this.#store = store;
    this.#options = options;
    store.attach({ lost: (writer, cause) => this.#lost(writer, cause), renewed: () => this.#renewed() });
    this.#news = new ChangeNews((onChange) => store.watchElsewhere(onChange));
    const host = createRunHost({
      store,
      news: this.#news,
      publicUrl: options.publicUrl,
      onWaits: (run, waiting, due) => {
        this.#waits.waits(run, waiting, due);
        if (due === undefined || waiting === undefined) return;
        // A loop that can't start says so to whoever needs it. The next one finds all that is due.
        this.#recovery?.then((recovery) => recovery.noteDue(due)).catch(() => undefined);
      },
    });
    this.#runs = new LiveRuns(store, host, options, (run, left) => this.#left(run, left));
    const lookup = new RunLookup(store, this.#runs, { env: options.env, secrets: options.secrets ?? [] });
    this.#waits = new RunWaits(this.#runs, lookup, store);
    this.#starter = new RunStarter(store, this.#runs, lookup, this.#waits);
    this.#repeater = new RunRepeater({
      store,
      runs: this.#runs,
      lookup,
      waits: this.#waits,
      current: options.current,
      claim: (writer, wish, run) => this.#starter.claim(writer, wish, run),
    });
    this.#actions = new RunActions({
      store,
      lookup,
      runs: this.#runs,
      news: this.#news,
      recovery: () => this.#recover(),
      continues: (id) => this.#adopts || this.attended.has(id),
    });
    this.#pruning = new Pruning(store, (error) => this.#reportFault('Old runs cannot be deleted', error));
    this.moving = runMoving(store, lookup);
    const { shared } = store.client;
    this.timetables = {
      seen: (workflow, plan) => shared.timetableSeen(workflow, plan),
      done: (workflow, plan, until) => shared.timetableDone(workflow, plan, until),
    };
    // A command closes the store right after: the process that has the run finds it in the inbox.
    const hurry = (): void => void this.#hurry().catch(() => undefined);
    this.parts = {
      store,
      news: this.#news,
      runs: this.#runs,
      lookup,
      waits: this.#waits,
      people: new PeopleActions(store, lookup, this.#news, hurry, options.keepMessagesMs),
      retracing: new Retracing(store, this.#runs, lookup),
      actions: this.#actions,
    };
  }

  start(request: StartRequest): Started | Promise<Started> {
    if (this.#isClosing) return { kind: 'unavailable', problem: 'the process is stopping' };
    const writer = this.#isRecovering ? this.#store.custody.writer() : undefined;
    try {
      const started = writer === undefined ? this.#startFirst(request) : this.#starter.start(writer, request);
      return started instanceof Promise ? started.catch((error: unknown) => this.#unavailable(error)) : started;
    } catch (error) {
      return this.#unavailable(error);
    }
  }

  async #startFirst(request: StartRequest): Promise<Started> {
    await this.#recover();
    const writer = await this.#store.custody.takeWriter();
    await this.#recover(); // a server that has begun meanwhile adopts what is there first
    return this.#starter.start(writer, request);
  }

  /** @throws the error, unless it is about a store that can't be used now */
  #unavailable(error: unknown): Started {
    const problem = this.#store.problemOf(error) ?? (error instanceof UsageError ? 'part of it cannot be used' : undefined);
    if (problem === undefined) throw error;
    return { kind: 'unavailable', problem };
  }

  async serve(): Promise<void> {
    this.#adopts = true;
    await this.#renewed().catch((error: unknown) => {
      const problem = this.#store.problemOf(error);
      throw problem === undefined ? error : new UsageError(`The store cannot be written: ${problem}.`);
    });
    this.#pruning.start(this.#options.keepMs);
  }

  /** Takes care of waiting runs and those of dead processes. */
  async #renewed(): Promise<void> {
    // A loop that was only needed to send something would not continue what is in the store: a new one adopts that first.
    if (this.#store.custody.writer() === undefined) this.#dropRecovery();
    this.#serving = this.#store.custody.serve();
    (await this.#recover()).adopt();
  }

  onTakenUp: DurableEngine['onTakenUp'] = (tell) => this.#runs.onTakenUp(tell);
  acknowledge = (id: string) => this.#actions.acknowledge(id);
  backUp = (target: string) => this.#store.backUp(target);
  inDoubt = (id: string) => this.#repeater.inDoubt(id);
  health = () => this.#store.health;

  protected giveUpFile(file: string): Promise<GivenUp> {
    return this.#store.giveUpFile(file);
  }

  protected async repeat(id: string, how: RerunRequest): Promise<Rerun> {
    await this.#recover();
    return this.#repeater.rerun(await this.#store.custody.takeWriter(), id, how);
  }

  override async gauges(): Promise<StoreGauges> {
    const { leaseAgeMs } = this.#store.custody;
    return { ...(await super.gauges()), ...(leaseAgeMs === undefined ? {} : { leaseAgeMs }) };
  }

  prune({ olderThanMs, dryRun = false }: Parameters<DurableEngine['prune']>[0]): Promise<{ readonly runs: number }> {
    return this.#pruning.prune(olderThanMs, dryRun);
  }

  protected async setKey(key: Uint8Array | undefined): Promise<void> {
    await this.#store.rekey(key);
    await this.close(0); // connections opened here still have the old key
  }

  async close(graceMs: number, beforeClosing?: () => Promise<void>): Promise<{ readonly released: number }> {
    if (this.#isClosing) return { released: 0 };
    this.#isClosing = true;
    const pruningEnds = this.#pruning.close();
    const patience = new StopPatience(this.#store, graceMs, () => this.#store.giveUp());
    this.#endStart();
    await patience.wait(this.#recovery?.then((recovery) => recovery.stop()).catch(() => undefined));
    const leaving = await this.#runs.releaseAll(graceMs);
    const left = (await patience.wait(leaving.left)) ?? [];
    await patience.wait(Promise.all(this.#leaving));
    await patience.wait(this.#store.queue.settled());
    await patience.wait(this.#runs.reported());
    await patience.wait(this.eraser.close());
    await this.#waits.end(beforeClosing);
    await this.#runs.close();
    await patience.wait(pruningEnds);
    await patience.wait(this.#store.close());
    patience.end();
    return { released: left.filter(({ kind }) => kind === 'released').length };
  }

  #lost(writer: RunWriter | undefined, cause: unknown): boolean {
    if (cause !== undefined) this.#reportFault('A run cannot be recorded', cause);
    if (writer !== undefined) {
      for (const run of this.#runs.all()) if (run.parts.writer === writer) run.lose();
      return false;
    }
    if (this.#isClosing) return false;
    this.#runs.loseAll();
    this.#dropRecovery();
    return this.#adopts;
  }

  #dropRecovery(): void {
    void this.#recovery?.then((recovery) => recovery.stop()).catch(() => undefined);
    this.#recovery = undefined;
    this.#isRecovering = false;
  }

  async #recover(): Promise<RecoveryLoop> {
    this.#recovery ??= this.#startRecovery();
    const started = this.#recovery;
    try {
      const recovery = await started;
      this.#isRecovering = this.#recovery === started;
      return recovery;
    } catch (error) {
      if (this.#recovery === started) this.#recovery = undefined; // the next one who needs it tries again
      throw error;
    }
  }

  async #startRecovery(): Promise<RecoveryLoop> {
    await this.#store.custody.begin();
    await this.#serving;
    const recovery = new RecoveryLoop({
      store: this.#store,
      runs: this.#runs,
      adopts: this.#adopts,
      attended: this.attended,
      onArrival: (arrivals, loop) => this.#actions.handle(arrivals, loop),
      onStuck: (id) => this.#news.run(id),
      onFault: (error) => this.#reportFault('Runs cannot be recovered', error),
    });
    this.#endStart = () => void recovery.stop().catch(() => undefined);
    await recovery.start();
    return recovery;
  }

  /** Reports a failure of work that no one waits for, once, unless the store reports it as a problem of its own. */
  #reportFault(what: string, error: unknown): void {
    if (this.#isClosing || !this.#store.health.ok || this.#store.problemOf(error) !== undefined) return;
    const sentence = `${what} at the moment: ${error instanceof Error ? error.message : String(error)}`;
    if (this.#faults.has(sentence)) return;
    this.#faults.add(sentence);
    this.#options.onProblem?.(sentence);
  }

  /** Delivers what this process has just put into the store. */
  async #hurry(): Promise<void> {
    await (await this.#recover()).hurry();
  }

  /** Reports a run that has left memory. */
  #left(run: LiveRun, { kind }: LeftMemory): void {
    this.#news.run(run.id);
    const { writer } = run.parts;
    const isOver = kind === 'outcome' || kind === 'cancelled';
    // The next recovery, or owner of the run, finds leftovers again.
    const ending = isOver && run.isAwaited ? this.#endShared(run.id).catch(() => undefined) : undefined;
    const leaving = (writer.leave?.(isOver ? 'ended' : 'free', ending) ?? ending)?.catch(() => undefined);
    if (leaving !== undefined) {
      this.#leaving.add(leaving);
      void leaving.then(() => this.#leaving.delete(leaving));
    }
    if (kind !== 'parked' || !run.isKnocked) return;
    if (writer.leave === undefined) void this.#recovery?.then((recovery) => recovery.wake({ writer, n: run.n, id: run.id }));
    else void leaving?.then(() => this.#hurry()).catch(() => undefined);
  }

  async #endShared(id: string): Promise<void> {
    await this.#store.client.shared.endShared([id]);
    this.#news.tasks();
  }
}

/** Minimum milliseconds that an unavailable store gets. */
const LEAST_PATIENCE_MS = 1_000;
const POLL_MS = 50;

/** Limits how long a process that stops waits for a store that can't be written. */
class StopPatience {
  readonly #isOver: Promise<undefined>;
  #timer: ReturnType<typeof setInterval> | undefined;

  /**
   * @param graceMs after this time, nothing waits for an unavailable store any longer
   * @param giveUp called then: what is not recorded is left to the next owner of each run, and calls in flight are in doubt
   */
  constructor(store: { readonly health: Health }, graceMs: number, giveUp: () => void) {
    const deadline = performance.now() + Math.max(graceMs, LEAST_PATIENCE_MS);
    this.#isOver = new Promise((resolve) => {
      this.#timer = setInterval(() => {
        if (store.health.ok || performance.now() < deadline) return;
        this.end();
        giveUp();
        resolve(undefined);
      }, POLL_MS);
    });
  }

  /** Resolves with the result of the work, or with `undefined` once it was given up. */
  wait<T>(work: Promise<T> | undefined): Promise<T | undefined> {
    return Promise.race([work, this.#isOver]);
  }

  /** Gives up nothing more. */
  end(): void {
    clearInterval(this.#timer);
  }
}

// Deletes old runs a few at a time, and leaves the store to running ones in between.

/** Milliseconds between searches for runs old enough to delete. */
const EVERY_MS = 3_600_000;
/** Minimum milliseconds in which runs can be committed, between two slices; a commit checks every 2 whether a file is free. */
const GAP_MS = 4;
/** The pause after a slice, compared with the slice: on a slow disk, runs need more time, too. */
const PAUSE_RATIO = 0.5;
/** Consecutive checks of a busy store before the rest is postponed. */
const MOST_BUSY = 100;

export class Pruning {
  readonly #store: Pick<Store, 'pruning' | 'queue'>;
  /** Includes those that begin: a deletion opens the store on its own. */
  readonly #deletions = new Set<Promise<RunDeletion | undefined>>();
  readonly #onFault: (error: unknown) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  /** @param onFault receives what a deletion failed with that no one waits for; the next one tries again */
  constructor(store: Pick<Store, 'pruning' | 'queue'>, onFault: (error: unknown) => void) {
    this.#store = store;
    this.#onFault = onFault;
  }

  /** Prunes now and then. @param keepMs how long to keep runs of workflows that do not say so; forever by default */
  start(keepMs: number | undefined): void {
    if (this.#timer !== undefined) return;
    const prune = (): void => void this.prune(keepMs, false).catch(this.#onFault);
    prune();
    this.#timer = setInterval(prune, EVERY_MS).unref();
  }

  async prune(olderThanMs: number | undefined, dryRun: boolean): Promise<{ readonly runs: number }> {
    const { pruning, queue } = this.#store;
    await queue.settled();
    const now = Date.now();
    const before = olderThanMs === undefined ? 0 : now - olderThanMs;
    if (dryRun) return { runs: await pruning.count(before, now) };
    const runs = await this.#deleteRuns(before, now);
    if (!this.#isClosed) await pruning.deleteRest(before, now);
    return { runs };
  }

  /** Ends what is in progress. The rest is deleted the next time. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    const ends = [...this.#deletions].map(async (beginning) => (await beginning.catch(() => undefined))?.end());
    await Promise.all(ends);
  }

  async #deleteRuns(before: number, now: number): Promise<number> {
    if (this.#isClosed) return 0;
    const beginning = this.#store.pruning.begin(before, now);
    this.#deletions.add(beginning);
    try {
      const deletion = await beginning;
      return deletion === undefined ? 0 : await this.#deleteWith(deletion);
    } finally {
      this.#deletions.delete(beginning);
    }
  }

  async #deleteWith(deletion: RunDeletion): Promise<number> {
    let [runs, busy] = [0, 0];
    try {
      for (let isOver = false; !isOver && busy < MOST_BUSY && !this.#isClosed; ) {
        const started = performance.now();
        const slice = await deletion.slice();
        isOver = slice.isOver;
        runs += slice.deleted;
        busy = slice.deleted > 0 ? 0 : busy + 1;
        const pause = Math.max(GAP_MS, PAUSE_RATIO * (performance.now() - started));
        if (!isOver) await new Promise((resolve) => setTimeout(resolve, pause));
      }
      return runs;
    } finally {
      await deletion.end();
    }
  }
}
