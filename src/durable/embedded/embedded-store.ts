// The files of a store, as this process uses them: its threads, the slots it owns, its commits, and whether they succeed.
import type { Environment, WfRecord } from '../../../runtime/types.js';
import type { Runnable } from '../../engine/engine.js';
import type { Prepared } from '../../engine/prepare/prepared.js';
import type { Health } from '../durable-engine.js';
import { RunRecords } from '../journal/run-records.js';
import { RunnableVersions } from '../runnable-versions.js';
import { CommitQueue } from '../store/commit-queue.js';
import { firstFinished, storedStates } from '../store/slot-writes.js';
import { type StoreClient, startStoreClient, type ThreadNews } from '../store/store-client.js';
import type { TakenSlot } from '../store/taken-slot.js';
import type { ThreadReport } from '../store/thread-calls.js';
import { type FileTrouble, isFileOf, isLoss, troubleError, troubleReport, unusable } from '../store/unreadable-slots.js';
import { DescribedVersions } from './described-versions.js';
import { EnvironmentPrints } from './environment-prints.js';
import { OwnSlot, type OwnVersion } from './own-slot.js';
import { PrimarySlot } from './primary-slot.js';
import type { RunSlot } from './run-slot.js';
import type { LoadedRun, RunSource, TakenUp } from './run-source.js';
import { StoreHealth } from './store-health.js';
import { isDamage, passingProblem } from './store-problems.js';
import { readExtra } from './stored-run.js';
import { ThreadRenewal } from './thread-renewal.js';

export interface EmbeddedStoreOptions {
  readonly folder: string;
  readonly key: Uint8Array | undefined;
  readonly env: Environment;
  /** Opens the store to change its key, the only thing possible after an interrupted change. */
  readonly isRekeying: boolean;
  /** Called when the store can't be written, and when it can be again. */
  readonly onProblem: (sentence: string) => void;
  /** The store's thread has ended: nothing here belongs to this process any more. Returns whether another thread is wanted. */
  readonly onLost: () => boolean;
  /** Another thread works. */
  readonly onRenewed: () => Promise<void>;
}

const ENDED = 'its thread has ended';
const FAILED = 'a commit failed';

/** Milliseconds between attempts to write to an unavailable store. */
const PROBE_MS = 250;

export class EmbeddedStore implements RunSource {
  readonly client: StoreClient;
  queue: CommitQueue;
  readonly slots = new Map<number, OwnSlot>();
  readonly unreadable = new Map<string, FileTrouble>();
  readonly #options: EmbeddedStoreOptions;
  readonly #thread: StoreClient;
  readonly #renewal: ThreadRenewal;
  readonly #described: DescribedVersions;
  readonly #runnable = new RunnableVersions((hash) => this.client.reader.readContent(hash));
  readonly primary = new PrimarySlot(async (empty) => this.own(await this.client.writer.takeSlot(empty)));
  #isClosed = false;
  readonly problems: StoreHealth;
  readonly #prints: EnvironmentPrints;
  #recovery: Promise<void> | undefined;

  static async open(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
    const { folder, key, isRekeying } = options;
    let store: EmbeddedStore | undefined;
    const client = await startStoreClient({ folder, key, isRekeying }, (news) => store?.heard(news));
    store = new EmbeddedStore(client, options);
    return store;
  }

  private constructor(client: StoreClient, options: EmbeddedStoreOptions) {
    this.#thread = client;
    const { reader, writer, shared } = client;
    this.client = { ...client, reader: this.#watched(reader), writer: this.#watched(writer), shared: this.#watched(shared) };
    this.#options = options;
    this.#prints = new EnvironmentPrints(options.env, (texts) => client.shared.shortHashes(texts));
    this.#described = new DescribedVersions(this.#prints, (contents) => this.client.shared.storeContents(contents, Date.now()));
    this.problems = new StoreHealth(options.onProblem);
    this.queue = this.#newQueue();
    this.#renewal = new ThreadRenewal({ attempt: () => this.#renew(), onDone: () => this.problems.report({ lost: undefined }) });
  }

  #newQueue(): CommitQueue {
    return new CommitQueue({
      commit: (slot, writes) => this.#thread.writer.commit(slot, writes),
      problemOf: passingProblem,
      onHealth: (problem) => this.problems.report({ commits: problem }),
      onLost: (error) =>
        this.#lost(isDamage(error) ? unusable('damaged') : FAILED, error instanceof Error ? error.message : String(error)),
    });
  }

  get health(): Health {
    return this.problems.state;
  }

  own(taken: TakenSlot): OwnSlot {
    const slot = new OwnSlot(taken, this.queue);
    this.slots.set(taken.slot, slot);
    return slot;
  }

  /** Releases a slot in which nothing runs. */
  async release({ slot }: OwnSlot): Promise<void> {
    await this.queue.settled();
    this.slots.delete(slot);
    await this.client.writer.releaseSlot(slot, false);
  }

  /** The version of a workflow in a slot. Its module and text are on disk when this resolves. */
  async versionOf(slot: OwnSlot, prepared: Prepared): Promise<OwnVersion> {
    const { hash, info } = await this.#described.of(prepared);
    return slot.version(prepared.basename, hash, info);
  }

  /** The same without waiting, if the version is already known. */
  knownVersion(slot: OwnSlot, prepared: Prepared): OwnVersion | undefined {
    const described = this.#described.known(prepared);
    return described === undefined ? undefined : slot.version(prepared.basename, described.hash, described.info);
  }

  async load({ slot, n, id }: TakenUp): Promise<LoadedRun | undefined> {
    // It may have just ended, or been cancelled: whoever asked to continue it could not know.
    await this.queue.settled();
    const own = this.#ownOf(slot);
    const row = own === undefined ? undefined : await this.client.writer.loadRun(own.slot, n);
    const version = row === undefined ? undefined : own?.versionOf(row.v);
    if (own === undefined || row === undefined || version === undefined || row.state >= firstFinished) return undefined;
    const records = new RunRecords();
    for (let isWhole = false; !isWhole; ) {
      const part = await this.client.writer.loadEntries(own.slot, n, id, records.pos);
      for (const entry of part.rows) records.add(entry);
      isWhole = part.isWhole;
    }
    const request = JSON.parse(row.request) as WfRecord; // a request is a record
    const changedEnv = await this.#prints.changed(version.info.env, version.info.environment);
    if (this.#ownOf(slot) === undefined) return undefined;
    return { version, request, records, changedEnv, extra: readExtra(row.extra), wasWaiting: row.state === storedStates.waiting };
  }

  #ownOf(slot: RunSlot): OwnSlot | undefined {
    return [...this.slots.values()].find((own) => own === slot);
  }

  /** Loads a stored version, once. @throws if its module is gone or damaged */
  runnable(version: OwnVersion): Promise<Runnable> {
    return this.#runnable.get(version);
  }

  /** Releases the slots and ends the threads. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.problems.close();
    this.#renewal.stop();
    await this.client.close();
    this.slots.clear();
  }

  whileUsable<T>(work: Promise<T>): Promise<T | undefined> {
    return this.problems.whileUsable(work);
  }

  /** Performs what a run needs from the store. While the store can't be written, the run waits. */
  async persistently<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (passingProblem(error) === undefined || this.#isClosed || this.queue.isLost) throw error;
        await this.#recovery;
      }
    }
  }

  /** Nothing will be written any more: drops what could not be written so far. */
  giveUp(): void {
    this.#isClosed = true;
    this.problems.close();
    this.queue.lose();
  }

  /** Notices every call that fails because the store can't be used, whoever made it. @throws UsageError about damage */
  #watched<T extends object>(remote: T): T {
    return new Proxy(remote, {
      get: (target, method) => {
        const call: unknown = Reflect.get(target, method);
        if (typeof call !== 'function') return call;
        return (...args: unknown[]) =>
          Promise.resolve(Reflect.apply(call, target, args)).catch((error: unknown) => {
            const problem = passingProblem(error);
            if (problem !== undefined) this.#recovery ??= this.#recovers(problem);
            throw isDamage(error) ? troubleError('damaged') : error;
          });
      },
    });
  }

  /** Retries until the store can be written. */
  async #recovers(problem: string): Promise<void> {
    this.problems.report({ calls: problem });
    for (let isOver = false; !isOver && !this.#isClosed && !this.queue.isLost; ) {
      await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
      isOver = await this.client.shared.probe(Date.now()).then(
        () => true,
        (error) => passingProblem(error) === undefined,
      );
    }
    this.#recovery = undefined;
    this.problems.report({ calls: undefined });
  }

  heard(news: ThreadNews): void {
    if ('trouble' in news) this.#foundTrouble(news);
    else if ('ended' in news) this.#lost(ENDED, news.ended);
    else this.problems.report(news);
  }

  #foundTrouble({ file, trouble }: ThreadReport): void {
    if (!this.unreadable.has(file)) this.#options.onProblem(troubleReport(file, trouble));
    this.unreadable.set(file, trouble);
    // What this process writes would be lost.
    if (isLoss(trouble) && isFileOf(this.slots.keys(), file)) this.#lost(unusable(trouble), file);
  }

  /** Runs are abandoned first, so that the end of a wait is not mistaken for a commit. */
  #lost(why: string, cause: string): void {
    if (this.#isClosed || this.queue.isLost) return;
    const isRenewed = this.#options.onLost() && (why === ENDED || why === FAILED);
    this.queue.lose();
    this.problems.report(
      { lost: why },
      isRenewed ? `The store cannot be used now: ${why} (${cause}). wf opens it again, and runs continue.` : undefined,
    );
    if (isRenewed) this.#renewal.request();
  }

  /** What this process had belongs to whoever takes it now. */
  async #renew(): Promise<void> {
    this.slots.clear();
    this.primary.forget();
    await this.#thread.renew();
    this.queue = this.#newQueue();
    this.problems.report({ commits: undefined });
    try {
      await this.#options.onRenewed();
    } catch (error) {
      this.#options.onLost();
      this.queue.lose();
      throw error;
    }
  }
}
