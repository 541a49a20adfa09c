// The engine over a store: starts runs, keeps them going, and hands them over when the process stops.
import { UsageError } from '../../engine/usage-error.js';
import type { DurableEngine, OpenStoreOptions, Rerun, RerunRequest, Started, StartRequest } from '../durable-engine.js';
import { toRunHex } from '../model/run-ids.js';
import type { Health } from '../model/run-views.js';
import type { RunWriter, Store } from '../store/port.js';
import { Retracing } from '../views/retracing.js';
import { RunLookup } from '../views/run-lookup.js';
import { ChangeNews } from './change-news.js';
import { engineQueries } from './engine-queries.js';
import type { LeftMemory, LiveRun } from './live-run.js';
import { LiveRuns } from './live-runs.js';
import { PeopleActions } from './people-actions.js';
import { Pruning } from './pruning.js';
import { recordedActions } from './recorded-changes.js';
import { RecoveryLoop } from './recovery-loop.js';
import { RunRepeater } from './rerun.js';
import { RunActions } from './run-actions.js';
import { RunEraser } from './run-eraser.js';
import { createRunHost } from './run-host.js';
import { RunStarter } from './run-starter.js';
import { RunWaits } from './run-waits.js';

/** The interface of an engine over a store: what its parts do, and what it takes the whole of it to do. */
export function openEngine(store: Store, options: OpenStoreOptions): DurableEngine {
  const engine = new StoreEngine(store, options);
  return {
    ...engine.queries,
    ...engine.recorded,
    start: (request) => engine.start(request),
    acknowledge: (id) => engine.actions.acknowledge(id),
    inDoubt: (id) => engine.repeater.inDoubt(id),
    attend: (id) => engine.attend(id),
    onTakenUp: (tell) => engine.runs.onTakenUp(tell),
    watch: (callback) => engine.news.watch(callback),
    prune: ({ olderThanMs, dryRun = false }) => engine.pruning.prune(olderThanMs, dryRun),
    backUp: (target) => store.backUp(target),
    health: () => store.health,
    serve: () => engine.serve(),
    close: (graceMs, beforeClosing) => engine.close(graceMs, beforeClosing),
  };
}

class StoreEngine {
  readonly #store: Store;
  readonly #options: OpenStoreOptions;
  readonly news: ChangeNews;
  readonly runs: LiveRuns;
  readonly #waits: RunWaits;
  readonly #starter: RunStarter;
  readonly actions: RunActions;
  readonly repeater: RunRepeater;
  readonly pruning: Pruning;
  readonly #eraser: RunEraser;
  readonly queries: ReturnType<typeof engineQueries>;
  readonly recorded: ReturnType<typeof recordedActions>;
  /** Runs that a command stays for: 32 hexadecimal digits each. */
  readonly #attended = new Set<string>();
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
    this.#store = store;
    this.#options = options;
    store.attach({ lost: (writer, cause) => this.#lost(writer, cause), renewed: () => this.#renewed() });
    this.news = new ChangeNews((onChange) => store.watchElsewhere(onChange));
    const host = createRunHost({
      store,
      news: this.news,
      publicUrl: options.publicUrl,
      onWaits: (run, waiting, due) => {
        this.#waits.waits(run, waiting, due);
        if (due === undefined || waiting === undefined) return;
        // A loop that can't start says so to whoever needs it. The next one finds all that is due.
        this.#recovery?.then((recovery) => recovery.noteDue(due)).catch(() => undefined);
      },
    });
    this.runs = new LiveRuns(store, host, options, (run, left) => this.#left(run, left));
    const lookup = new RunLookup(store, this.runs, { env: options.env, secrets: options.secrets ?? [] });
    this.#waits = new RunWaits(this.runs, lookup, store);
    this.#starter = new RunStarter(store, this.runs, lookup, this.#waits);
    this.repeater = new RunRepeater({
      store,
      runs: this.runs,
      lookup,
      waits: this.#waits,
      current: options.current,
      claim: (writer, wish, run) => this.#starter.claim(writer, wish, run),
    });
    this.actions = new RunActions({
      store,
      lookup,
      runs: this.runs,
      news: this.news,
      recovery: () => this.#recover(),
      continues: (id) => this.#adopts || this.#attended.has(id),
    });
    this.pruning = new Pruning(store, (error) => this.#reportFault('Old runs cannot be deleted', error));
    // A command closes the store right after: the process that has the run finds it in the inbox.
    const hurry = (): void => void this.#hurry().catch(() => undefined);
    this.queries = engineQueries({
      store,
      lookup,
      waits: this.#waits,
      people: new PeopleActions(store, lookup, this.news, hurry, options.keepMessagesMs),
      retracing: new Retracing(store, this.runs, lookup),
    });
    this.#eraser = new RunEraser(store, lookup, this.news);
    this.recorded = recordedActions({
      store,
      actions: this.actions,
      eraser: this.#eraser,
      rerun: (run, how) => this.#rerun(run, how),
      giveUp: (file) => store.giveUpFile(file),
      rekey: (key) => this.#rekey(key),
    });
  }

  attend(id: string): void {
    const hex = toRunHex(id);
    if (hex !== undefined) this.#attended.add(hex);
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
    this.pruning.start(this.#options.keepMs);
  }

  /** Takes care of waiting runs and those of dead processes. */
  async #renewed(): Promise<void> {
    // A loop that was only needed to send something would not continue what is in the store: a new one adopts that first.
    if (this.#store.custody.writer() === undefined) this.#dropRecovery();
    this.#serving = this.#store.custody.serve();
    (await this.#recover()).adopt();
  }

  async #rerun(id: string, how: RerunRequest): Promise<Rerun> {
    await this.#recover();
    return this.repeater.rerun(await this.#store.custody.takeWriter(), id, how);
  }

  async #rekey(key: Uint8Array | undefined): Promise<void> {
    await this.#store.rekey(key);
    await this.close(0); // connections opened here still have the old key
  }

  async close(graceMs: number, beforeClosing?: () => Promise<void>): Promise<{ readonly released: number }> {
    if (this.#isClosing) return { released: 0 };
    this.#isClosing = true;
    const pruningEnds = this.pruning.close();
    const patience = new StopPatience(this.#store, graceMs, () => this.#store.giveUp());
    this.#endStart();
    await patience.wait(this.#recovery?.then((recovery) => recovery.stop()).catch(() => undefined));
    const leaving = await this.runs.releaseAll(graceMs);
    const released = (await patience.wait(leaving.released)) ?? 0;
    await patience.wait(Promise.all(this.#leaving));
    await patience.wait(this.#store.queue.settled());
    await patience.wait(this.runs.reported());
    await patience.wait(this.#eraser.close());
    await this.#waits.end(beforeClosing);
    await this.runs.close();
    await patience.wait(pruningEnds);
    await patience.wait(this.#store.close());
    patience.end();
    return { released };
  }

  #lost(writer: RunWriter | undefined, cause: unknown): boolean {
    if (cause !== undefined) this.#reportFault('A run cannot be recorded', cause);
    if (writer !== undefined) {
      for (const run of this.runs.all()) if (run.parts.writer === writer) run.lose();
      return false;
    }
    if (this.#isClosing) return false;
    this.runs.loseAll();
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
      runs: this.runs,
      adopts: this.#adopts,
      attended: this.#attended,
      onArrival: (arrivals, loop) => this.actions.handle(arrivals, loop),
      onStuck: (id) => this.news.run(id),
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
    this.news.run(run.id);
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
    this.news.tasks();
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
