// The files of a store, as this process uses them: its threads, the slots it owns, its commits, and whether they succeed.
import type { WfRecord } from '../../../runtime/types.js';
import type { Runnable } from '../../engine/engine.js';
import { pluginLoader } from '../../engine/load-plugin.js';
import type { Prepared } from '../../engine/prepared.js';
import type { Health } from '../durable-engine.js';
import { RunRecords } from '../journal/run-records.js';
import { CommitQueue } from '../store/commit-queue.js';
import { storedStates } from '../store/slot-writes.js';
import { sqliteCodes } from '../store/sqlite.js';
import { type StoreClient, StoreFault, startStoreClient } from '../store/store-client.js';
import type { TakenSlot } from '../store/taken-slot.js';
import { type DescribedVersion, describeVersion, loadVersion, type VersionInfo } from '../stored-version.js';
import type { LoadedRun, RunSource, TakenUp } from './live-runs.js';
import { OwnSlot, type OwnVersion } from './own-slot.js';
import type { RunSlot } from './run-slot.js';
import { readExtra } from './stored-run.js';

export interface EmbeddedStoreOptions {
  readonly folder: string;
  readonly key: Uint8Array | undefined;
  /** Opens the store to change its key, the only thing possible after an interrupted change. */
  readonly isRekeying: boolean;
  /** Called when the store can't be written, and when it can be again. */
  readonly onTrouble: (sentence: string) => void;
  /** The store's thread has ended: nothing here belongs to this process any more. */
  readonly onLost: () => void;
}

const problems: ReadonlyMap<number, string> = new Map([
  [sqliteCodes.full, 'the disk is full'],
  [sqliteCodes.readOnly, 'it is read-only'],
  [sqliteCodes.ioError, 'the disk reports an error'],
  [sqliteCodes.cannotOpen, 'its files cannot be opened'],
  [sqliteCodes.busy, 'another program holds it'],
]);

const damageCodes: ReadonlySet<number> = new Set([sqliteCodes.corrupt, sqliteCodes.notADatabase]);

const LOST = 'its thread has ended';
const DAMAGED = 'one of its files is damaged';

/** Milliseconds between attempts to write to an unavailable store. */
const PROBE_MS = 250;

const problemOf = (error: unknown): string | undefined => (error instanceof StoreFault ? problems.get(error.sqlite) : undefined);

export class EmbeddedStore implements RunSource {
  readonly client: StoreClient;
  readonly queue: CommitQueue;
  readonly slots = new Map<number, OwnSlot>();
  readonly #options: EmbeddedStoreOptions;
  readonly #described = new WeakMap<Prepared, DescribedVersion>();
  readonly #runnable = new Map<string, Promise<Runnable>>();
  #primary: Promise<OwnSlot> | undefined;
  #isClosed = false;
  #trouble: { readonly problem: string; readonly since: string } | undefined;
  readonly #problems: { commits?: string | undefined; calls?: string | undefined; lost?: string } = {};
  #recovery: Promise<void> | undefined;
  /** Those who don't wait for a store that can't be written. */
  readonly #impatient = new Set<() => void>();

  static async open(options: EmbeddedStoreOptions): Promise<EmbeddedStore> {
    const { folder, key, isRekeying } = options;
    return new EmbeddedStore(await startStoreClient({ folder, key, isRekeying }), options);
  }

  private constructor(client: StoreClient, options: EmbeddedStoreOptions) {
    this.client = { ...client, writer: this.#watched(client.writer), shared: this.#watched(client.shared) };
    this.#options = options;
    this.queue = new CommitQueue({
      commit: (slot, writes) => client.writer.commit(slot, writes),
      problemOf,
      onHealth: (problem) => this.#tell({ commits: problem }),
      onLost: (error) => this.#lost(error instanceof StoreFault && damageCodes.has(error.sqlite) ? DAMAGED : LOST),
    });
    void client.ended.then(() => this.#lost(LOST));
  }

  get health(): Health {
    return this.#trouble === undefined ? { ok: true } : { ok: false, ...this.#trouble };
  }

  /** The slot for new runs, taken on first use. @param empty whether the slot must not contain runs of others */
  primary(empty: boolean): Promise<OwnSlot> {
    this.#primary ??= this.client.writer.takeSlot(empty).then((taken) => this.own(taken));
    // A disk that is full now may have space later.
    this.#primary.catch(() => {
      this.#primary = undefined;
    });
    return this.#primary;
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
    let described = this.#described.get(prepared);
    if (described === undefined) {
      described = describeVersion(prepared);
      await this.client.shared.storeContents(described.contents, Date.now());
      this.#described.set(prepared, described);
    }
    return slot.version(prepared.basename, described.hash, described.info);
  }

  /** The same without waiting, if the version is already known. */
  knownVersion(slot: OwnSlot, prepared: Prepared): OwnVersion | undefined {
    const described = this.#described.get(prepared);
    return described === undefined ? undefined : slot.version(prepared.basename, described.hash, described.info);
  }

  async load({ slot, n, id }: TakenUp): Promise<LoadedRun | undefined> {
    const own = this.#ownOf(slot);
    const row = own === undefined ? undefined : await this.client.writer.loadRun(own.slot, n);
    const version = row === undefined ? undefined : own?.versionOf(row.v);
    if (own === undefined || row === undefined || version === undefined) return undefined;
    const records = new RunRecords();
    for (let isWhole = false; !isWhole; ) {
      const part = await this.client.writer.loadEntries(own.slot, n, id, records.pos);
      for (const entry of part.rows) records.add(entry);
      isWhole = part.isWhole;
    }
    const request = JSON.parse(row.request) as WfRecord; // a request is a record
    return { version, request, records, extra: readExtra(row.extra), wasWaiting: row.state === storedStates.waiting };
  }

  #ownOf(slot: RunSlot): OwnSlot | undefined {
    return [...this.slots.values()].find((own) => own === slot);
  }

  /** Loads a stored version, once. @throws if its module is gone or damaged */
  runnable({ hash, info }: OwnVersion): Promise<Runnable> {
    let found = this.#runnable.get(hash);
    if (found === undefined) {
      found = this.#load(info);
      this.#runnable.set(hash, found);
      found.catch(() => this.#runnable.delete(hash));
    }
    return found;
  }

  async #load(info: VersionInfo): Promise<Runnable> {
    const { workflow, run } = await loadVersion(info, (hash) => this.client.reader.readContent(hash));
    return { workflow, run, loadPlugin: pluginLoader(info.folder), folder: info.folder };
  }

  /** Releases the slots and ends the threads. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.client.close();
    this.slots.clear();
  }

  /** Resolves with the result of the work, or with `undefined` as soon as the store can't be written. */
  unlessTroubled<T>(work: Promise<T>): Promise<T | undefined> {
    if (!this.health.ok) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => resolve(undefined);
      this.#impatient.add(giveUp);
      void work.then(resolve, reject).finally(() => this.#impatient.delete(giveUp));
    });
  }

  /** Performs what a run needs from the store. While the store can't be written, the run waits. */
  async persistently<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (problemOf(error) === undefined || this.#isClosed || this.queue.isLost) throw error;
        await this.#recovery;
      }
    }
  }

  /** Why the store is temporarily unavailable; `undefined` for any other error. */
  unavailable(error: unknown): string | undefined {
    return problemOf(error);
  }

  /** Nothing will be written any more: drops what could not be written so far. */
  giveUp(): void {
    this.#isClosed = true;
    this.queue.lose();
  }

  /** Notices every call that fails because the store can't be written, whoever made it. */
  #watched<T extends object>(remote: T): T {
    return new Proxy(remote, {
      get: (target, method) => {
        const call: unknown = Reflect.get(target, method);
        if (typeof call !== 'function') return call;
        return (...args: unknown[]) =>
          Promise.resolve(Reflect.apply(call, target, args)).catch((error: unknown) => {
            const problem = problemOf(error);
            if (problem !== undefined) this.#recovery ??= this.#recovers(problem);
            throw error;
          });
      },
    });
  }

  /** Retries until the store can be written. */
  async #recovers(problem: string): Promise<void> {
    this.#tell({ calls: problem });
    for (let isOver = false; !isOver && !this.#isClosed && !this.queue.isLost; ) {
      await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
      isOver = await this.client.shared.probe(Date.now()).then(
        () => true,
        (error) => problemOf(error) === undefined,
      );
    }
    this.#recovery = undefined;
    this.#tell({ calls: undefined });
  }

  /** Runs are abandoned first, so that the end of a wait is not mistaken for a commit. */
  #lost(why: string): void {
    if (this.#isClosed || this.queue.isLost) return;
    this.#options.onLost();
    this.queue.lose();
    this.#tell({ lost: why });
  }

  #tell(news: { commits?: string | undefined; calls?: string | undefined; lost?: string }): void {
    Object.assign(this.#problems, news);
    const { lost, commits, calls } = this.#problems;
    const problem = lost ?? commits ?? calls;
    if (problem === this.#trouble?.problem || this.#isClosed) return;
    this.#trouble = problem === undefined ? undefined : { problem, since: new Date().toISOString() };
    if (problem !== undefined) for (const giveUp of this.#impatient) giveUp();
    if (problem === undefined) this.#options.onTrouble('The store is writable again; runs continue.');
    else if (problem === lost)
      this.#options.onTrouble(`The store cannot be used any more: ${lost}. Restart wf to continue its runs.`);
    else this.#options.onTrouble(`The store cannot be written: ${problem}. Runs wait until it can be written again.`);
  }
}
