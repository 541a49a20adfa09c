// A store in a folder, as the engine sees it: its threads, the shards of this process, its commits, and whether they succeed.
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '../../../../runtime/types.js';
import type { Runnable } from '../../../engine/engine.js';
import { faultCode, fileFault } from '../../../engine/files/file-fault.js';
import { UsageError } from '../../../engine/usage-error.js';
import type { EntryRow } from '../../model/entries.js';
import {
  DamagedRecord,
  DamagedRun,
  type FileTrouble,
  type GivenUp,
  isLoss,
  troubleError,
  troubleReport,
  troubles,
  unusable,
} from '../../model/file-troubles.js';
import { toRunId } from '../../model/run-ids.js';
import { hasEnded, storedStates } from '../../model/run-rows.js';
import type { Health, StoreCopy } from '../../model/run-views.js';
import { readExtra, readRequest } from '../../model/stored-run.js';
import type { OwnVersion } from '../../model/versions.js';
import type { LoadedRun, OpenOptions, RunWriter, Store, StoreErasing, StoreEvents, TakenUp } from '../port.js';
import { StoreHealth } from '../shared/availability.js';
import { DescribedVersions, EnvironmentFingerprints, RunnableVersions } from '../shared/versions.js';
import { CommitQueue } from './commit-queue.js';
import { FolderCustody } from './folder-custody.js';
import { FolderPruning } from './folder-pruning.js';
import { OwnShard } from './own-shard.js';
import type { TakenShard } from './shard.js';
import {
  isDamage,
  isUnanswered,
  passingProblem,
  problemOf,
  type StoreClient,
  startStoreClient,
  type ThreadNews,
  ThreadRenewal,
} from './store-client.js';
import { prepareStoreFolder, SHARED_FILE } from './store-folder.js';
import type { ThreadReport } from './thread-calls.js';
import { isFileOf } from './unreadable-shards.js';

interface SqliteStoreOptions {
  readonly folder: string;
  readonly key: Uint8Array | undefined;
  readonly env: Environment;
  /** Opens the store to change its key, the only thing possible after an interrupted change. */
  readonly isRekeying: boolean;
  /** Receives the milliseconds of each commit. */
  readonly onCommitted?: ((durationMs: number) => void) | undefined;
  /** Called when the store can't be written, and when it can be again. */
  readonly onProblem: (sentence: string) => void;
}

const ENDED = 'its thread has ended';
const FAILED = 'a commit failed';

/** Milliseconds between attempts to write to an unavailable store. */
const PROBE_MS = 250;

export class SqliteStore implements Store {
  readonly client: StoreClient;
  queue: CommitQueue;
  readonly shards = new Map<number, OwnShard>();
  readonly unreadable = new Map<string, FileTrouble>();
  readonly #options: SqliteStoreOptions;
  readonly #thread: StoreClient;
  readonly #renewal: ThreadRenewal;
  readonly #described: DescribedVersions;
  readonly #runnable = new RunnableVersions((hash) => this.client.reader.readContent(hash));
  readonly custody: FolderCustody;
  readonly pruning: FolderPruning;
  #events: StoreEvents | undefined;
  #isClosed = false;
  readonly problems: StoreHealth;
  readonly #prints: EnvironmentFingerprints;
  #recovery: Promise<void> | undefined;

  static async open(options: SqliteStoreOptions): Promise<SqliteStore> {
    const { folder, key, isRekeying } = options;
    let store: SqliteStore | undefined;
    const early: ThreadNews[] = [];
    const heard = (news: ThreadNews): void => void (store === undefined ? early.push(news) : store.heard(news));
    const client = await startStoreClient({ folder, key, isRekeying }, heard);
    store = new SqliteStore(client, options);
    for (const news of early) store.heard(news);
    return store;
  }

  private constructor(client: StoreClient, options: SqliteStoreOptions) {
    this.#thread = client;
    const { reader, writer, shared } = client;
    this.client = { ...client, reader: this.#watched(reader), writer: this.#watched(writer), shared: this.#watched(shared) };
    this.#options = options;
    this.#prints = new EnvironmentFingerprints(options.env, (texts) => client.shared.shortHashes(texts));
    this.#described = new DescribedVersions(this.#prints, (contents) => this.client.shared.storeContents(contents, Date.now()));
    this.problems = new StoreHealth(options.onProblem);
    this.queue = this.#newQueue();
    this.custody = new FolderCustody(this);
    this.pruning = new FolderPruning(this, { folder: options.folder, key: options.key, isRekeying: false });
    this.#renewal = new ThreadRenewal({ attempt: () => this.#renew(), onDone: () => this.problems.report({ lost: undefined }) });
  }

  #newQueue(): CommitQueue {
    return new CommitQueue({
      commit: (shard, writes) => this.#thread.writer.commit(shard, writes),
      problemOf: passingProblem,
      onHealth: (problem) => this.problems.report({ commits: problem }),
      onCommitted: this.#options.onCommitted,
      onLost: (error) =>
        this.#lost(isDamage(error) ? unusable('damaged') : FAILED, error instanceof Error ? error.message : String(error)),
    });
  }

  get health(): Health {
    return this.problems.state;
  }

  readonly #knownDamaged = new Set<string>();
  readonly #erasedIn = new Set<number>();

  readonly erasing: StoreErasing = {
    eraseRun: async (run, extra) => {
      await this.queue.settled();
      await this.client.writer.eraseRun({ id: run.id, shard: run.shard, n: run.n }, extra);
      this.#erasedIn.add(run.shard);
    },
    scrub: async () => {
      const shards = [...this.#erasedIn];
      this.#erasedIn.clear();
      await this.client.writer.scrub(shards);
    },
  };

  own(taken: TakenShard): OwnShard {
    const shard = new OwnShard(taken, this.queue, this.#described);
    this.shards.set(taken.shard, shard);
    return shard;
  }

  /** Releases a shard in which nothing runs. */
  async release({ shard }: OwnShard): Promise<void> {
    await this.queue.settled();
    this.shards.delete(shard);
    await this.client.writer.releaseShard(shard, false);
  }

  get isEncrypted(): boolean {
    return this.#options.key !== undefined;
  }

  async load({ writer, n, id }: TakenUp): Promise<LoadedRun | undefined> {
    // It may have just ended, or been cancelled: whoever asked to continue it could not know.
    await this.queue.settled();
    const own = this.#ownOf(writer);
    const row = own === undefined ? undefined : await this.client.writer.loadRun(own.shard, n);
    if (own === undefined || row === undefined || hasEnded(row.state)) return undefined;
    const version = own.numbered(row.v);
    if (row.isDamaged === true || version === undefined) throw this.#damaged(row.id);
    const entries: EntryRow[] = [];
    for (let isWhole = false; !isWhole; ) {
      const part = await this.client.writer.loadEntries(own.shard, n, id, (entries.at(-1)?.pos ?? -1) + 1);
      if (part.isDamaged === true) throw this.#damaged(row.id);
      for (const entry of part.rows) entries.push(entry);
      isWhole = part.isWhole;
    }
    const { request, received, version: onlyVersion } = readRequest(row.request);
    const changedEnv = await this.#prints.changed(version.info.env, version.info.environment);
    if (this.#ownOf(writer) === undefined) return undefined;
    return {
      version,
      request,
      received,
      onlyVersion,
      entries,
      changedEnv,
      extra: readExtra(row.extra),
      wasWaiting: row.state === storedStates.waiting,
    };
  }

  /** Reports it once, although whoever looks for runs that are due comes across it again and again. */
  #damaged(id: string): DamagedRun {
    return this.#foundDamaged(new DamagedRun(toRunId(id), 'it does not continue'), id);
  }

  #foundDamaged<T extends UsageError>(error: T, id: string): T {
    if (!this.#knownDamaged.has(id)) this.#options.onProblem(`${error.message} ${error.hint}`);
    this.#knownDamaged.add(id);
    return error;
  }

  #ownOf(shard: RunWriter): OwnShard | undefined {
    return [...this.shards.values()].find((own) => own === shard);
  }

  /** Loads a stored version, once. @throws if its module is gone or damaged */
  runnable(version: OwnVersion): Promise<Runnable> {
    return this.#runnable.get(version);
  }

  attach(events: StoreEvents): void {
    this.#events = events;
  }

  problemOf(error: unknown): string | undefined {
    return passingProblem(error);
  }

  watchElsewhere(onChange: () => void): () => void {
    return watchElsewhere(this.#options.folder, (shard) => this.shards.has(shard), onChange);
  }

  isUsedElsewhere(): Promise<boolean> {
    return this.client.writer.isUsedElsewhere();
  }

  async undelivered(): Promise<number> {
    const { shared, reader } = this.client;
    const found = new Set<string>();
    let rows = await shared.inboxAfter(0);
    for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
      for (const { run, place } of rows) if (place !== null) found.add(run);
      rows = await shared.inboxAfter(last.id);
    }
    const runs = await Promise.all([...found].map((run) => reader.findRun(run)));
    return runs.filter((run) => run !== undefined && run.row.state !== storedStates.stuck && !hasEnded(run.row.state)).length;
  }

  importing<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  rekey(key: Uint8Array | undefined): Promise<void> {
    return this.client.writer.rekey(key);
  }

  giveUpFile(file: string): Promise<GivenUp> {
    return this.client.writer.giveUp(file);
  }

  async backUp(target: string): Promise<StoreCopy> {
    await this.queue.settled();
    return this.client.writer.backUp(target);
  }

  /** Releases the shards and ends the threads. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.problems.close();
    this.#renewal.stop();
    await this.client.close();
    this.shards.clear();
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

  /** Writes nothing more: drops what could not be written so far. */
  giveUp(): void {
    this.#isClosed = true;
    this.problems.close();
    this.queue.lose();
  }

  /** Notices every call that fails because the store can't be used, whoever made it. @throws UsageError about damage */
  #watched<T extends Record<keyof T, (...args: never[]) => Promise<unknown>>>(remote: T): T {
    const failed = (error: unknown): never => {
      const problem = passingProblem(error);
      if (problem !== undefined) this.#recovery ??= this.#recovers(problem);
      if (isUnanswered(error) && !this.#isClosed)
        throw new UsageError('The store cannot be used now: it is being opened again.', 'Try again in a moment.');
      throw isDamage(error) ? troubleError('damaged') : error;
    };
    const calls = Object.entries<(...args: never[]) => Promise<unknown>>(remote);
    return Object.fromEntries(calls.map(([method, call]) => [method, (...args: never[]) => call(...args).catch(failed)])) as T; // the same methods
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
    else if ('damaged' in news) this.#foundDamaged(new DamagedRecord(news.damaged), news.damaged);
    else if ('ended' in news) this.#lost(ENDED, news.ended);
    else this.problems.report(news);
  }

  #foundTrouble({ file, trouble }: Extract<ThreadReport, { readonly file: string }>): void {
    if (!this.unreadable.has(file)) this.#options.onProblem(troubleReport(file, trouble));
    this.unreadable.set(file, trouble);
    // Everything that this process writes would be lost.
    if (isLoss(trouble) && isFileOf(this.shards.keys(), file)) this.#lost(unusable(trouble), file);
  }

  /** Runs are abandoned first, so that the end of a wait is not mistaken for a commit. */
  #lost(why: string, cause: string): void {
    if (this.#isClosed || this.queue.isLost) return;
    const isRenewed = (this.#events?.lost() ?? false) && (why === ENDED || why === FAILED);
    this.queue.lose();
    this.problems.report(
      { lost: why },
      isRenewed ? `The store cannot be used now: ${why} (${cause}). wf opens it again, and runs continue.` : undefined,
    );
    if (isRenewed) this.#renewal.request();
  }

  /** Other processes may take everything that this one had. */
  async #renew(): Promise<void> {
    this.shards.clear();
    this.custody.forget();
    await this.#thread.renew();
    this.queue = this.#newQueue();
    this.problems.report({ commits: undefined });
    try {
      await this.#events?.renewed();
    } catch (error) {
      this.#events?.lost();
      this.queue.lose();
      throw error;
    }
  }
}

const WATCH_EVERY_MS = 500;
const WATCHED_FILES = /^(?:s(\d+)|common)\.db(?:-wal)?$/;

/**
 * Notices that another process has written to the store by the times of its files. Never opens them, because closing such a file would drop
 * the locks that this process holds on it.
 * @param isOwn whether only this process writes to a shard
 * @returns a function that stops watching
 */
function watchElsewhere(folder: string, isOwn: (shard: number) => boolean, onChange: () => void): () => void {
  let last = stateOf(folder, isOwn);
  const timer = setInterval(() => {
    const now = stateOf(folder, isOwn);
    if (now !== last) onChange();
    last = now;
  }, WATCH_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function stateOf(folder: string, isOwn: (shard: number) => boolean): string {
  try {
    return readdirSync(folder)
      .filter((name) => {
        const found = WATCHED_FILES.exec(name);
        return found !== null && (found[1] === undefined || !isOwn(Number(found[1])));
      })
      .map((name) => {
        const state = statSync(path.join(folder, name), { throwIfNoEntry: false });
        return `${name} ${state?.mtimeMs} ${state?.size}`;
      })
      .join('\n');
  } catch {
    // The folder is gone or can't be read, which the store reports itself.
    return '';
  }
}

/** The reason why the system refuses to write here, as the end of a sentence. */
function refusal(folder: string): string | undefined {
  try {
    for (const name of [folder, path.join(folder, SHARED_FILE)]) accessSync(name, constants.R_OK | constants.W_OK);
    return undefined;
  } catch (error) {
    return faultCode(error) === 'ENOENT' ? undefined : fileFault(error);
  }
}

/** @throws UsageError if the folder can't be a store, or the store can't be opened */
export async function openFolder(where: string, key: Uint8Array | undefined, options: OpenOptions): Promise<Store> {
  const folder = prepareStoreFolder(where, options.cwd);
  return SqliteStore.open({
    folder,
    key,
    env: options.env,
    isRekeying: options.isRekeying === true,
    onCommitted: options.observer?.committed,
    onProblem: options.onProblem ?? (() => undefined),
  }).catch((error: unknown) => {
    if (error instanceof UsageError) throw error;
    const fault = (why: string, hint?: string): UsageError =>
      new UsageError(
        `The store ${where} cannot be opened: ${why}.`,
        hint,
        passingProblem(error) !== undefined && hint === undefined,
      );
    if (isDamage(error)) throw fault(problemOf(error), troubles.damaged.wayOut);
    const refused = refusal(folder);
    throw refused === undefined ? fault(problemOf(error)) : fault(refused, 'Give --store a folder that can be written.');
  });
}
