// The part of an engine that reads the store for front-ends: runs, tasks and figures. Also passes on messages, answers and other changes, and
// keeps them on record.
import { UsageError } from '../../engine/usage-error.js';
import type { Change, Changed, ChangeRecord, DurableEngine, Rerun, RerunRequest, SavedViewList } from '../durable-engine.js';
import {
  type Actor,
  type AskedChange,
  type ChangesQuery,
  type ChangeView,
  nameOf,
  toChangeView,
  type WasMade,
} from '../model/changes.js';
import type { GivenUp } from '../model/file-troubles.js';
import { calledRunHex, toRunHex } from '../model/run-ids.js';
import { isFinished, type RunQuery, type StoreGauges, type StoreStats, type StoreTrends } from '../model/run-views.js';
import { erasedExtra, readExtra } from '../model/stored-run.js';
import type { StoreAccess } from '../store/port.js';
import { exportRuns } from '../transfer/portable-runs.js';
import { storeGauges, storeNumbers, storeTrends } from '../views/figures.js';
import type { Retracing } from '../views/retracing.js';
import type { RunLookup } from '../views/run-lookup.js';
import { toRunState } from '../views/show-run.js';
import type { ChangeNews } from './change-news.js';
import type { LiveRuns } from './live-runs.js';
import type { PeopleActions } from './people-actions.js';
import type { RunWaits } from './run-waits.js';

export interface EngineParts {
  readonly store: StoreAccess;
  readonly news: ChangeNews;
  readonly runs: LiveRuns;
  readonly lookup: RunLookup;
  readonly waits: RunWaits;
  readonly people: PeopleActions;
  readonly retracing: Retracing;
  readonly actions: {
    readonly cancel: (id: string) => Promise<Change>;
    readonly cancelMany: (ids: readonly string[], by: Actor | undefined) => Promise<ReadonlyMap<string, string>>;
    readonly resume: (id: string) => Promise<Change>;
    readonly retry: (id: string) => Promise<Change>;
    readonly skip: (id: string, line?: number) => Promise<Change>;
  };
}

type Arguments<Name extends 'settled' | 'journal' | 'send' | 'tasks' | 'task' | 'answer' | 'assign' | 'retrace' | 'reached'> =
  Parameters<DurableEngine[Name]>;

export abstract class EngineQueries {
  protected abstract readonly parts: EngineParts;
  /** Runs that a command stays for: 32 hexadecimal digits each. */
  protected readonly attended = new Set<string>();

  attend(id: string): void {
    const hex = toRunHex(id);
    if (hex !== undefined) this.attended.add(hex);
  }

  #recorded: RecordedChanges | undefined;

  get changes(): RecordedChanges {
    this.#recorded ??= new RecordedChanges(this.parts.store);
    return this.#recorded;
  }

  #eraser: RunEraser | undefined;

  protected get eraser(): RunEraser {
    const { store, lookup, news } = this.parts;
    this.#eraser ??= new RunEraser(store, lookup, news);
    return this.#eraser;
  }

  protected abstract repeat(id: string, how: RerunRequest): Promise<Rerun>;
  protected abstract setKey(key: Uint8Array | undefined): Promise<void>;
  protected abstract giveUpFile(file: string): Promise<GivenUp>;

  cancel = (run: string, by?: Actor) =>
    this.changes.during({ action: 'cancel', run, by }, () => this.parts.actions.cancel(run), isMade);
  cancelMany = (runs: readonly string[], by?: Actor) => this.parts.actions.cancelMany(runs, by);
  resume = (run: string, by?: Actor) =>
    this.changes.during({ action: 'resume', run, by }, () => this.parts.actions.resume(run), isMade);
  retry = (run: string, by?: Actor) =>
    this.changes.during({ action: 'retry', run, by }, () => this.parts.actions.retry(run), isMade);
  skip = (run: string, line?: number, by?: Actor) =>
    this.changes.during(
      { action: 'skip', run, by, about: line === undefined ? undefined : `line ${line}` },
      () => this.parts.actions.skip(run, line),
      isMade,
    );
  erase = (run: string, by?: Actor) =>
    this.changes.during({ action: 'erase', run, by }, () => this.eraser.erase(run, by && nameOf(by)), isMade);
  rerun = (run: string, how: RerunRequest, by?: Actor) =>
    this.changes.during(
      { action: 'rerun', run, by },
      () => this.repeat(run, by === undefined ? how : { ...how, by: nameOf(by) }),
      (rerun) => rerun.kind === 'started' && { about: rerun.run },
    );
  giveUp = (file: string, by?: Actor) =>
    this.changes.during(
      { action: 'give-up', by, about: file },
      () => this.giveUpFile(file),
      () => true,
    );

  /** Recorded before, because the store is closed after it, and sealed with the new key. */
  rekey = (key: Uint8Array | undefined, by?: Actor) =>
    this.changes.during(
      { action: 'rekey', by },
      () => this.setKey(key),
      () => true,
    );

  readonly views: SavedViewList = {
    list: () => this.parts.store.client.shared.listViews(),
    save: async (view, workflows) => {
      const hidden = (text: string): string =>
        workflows.reduce((shown, workflow) => this.parts.lookup.redactorOf({ workflow }).text(shown), text);
      const fields = [...new URLSearchParams(view.query)].map(([field, value]): [string, string] => [field, hidden(value)]);
      const name = hidden(view.name);
      const query = new URLSearchParams(fields).toString();
      return { name, isSaved: await this.parts.store.client.shared.saveView({ ...view, name, query }) };
    },
    remove: (name) => this.parts.store.client.shared.removeView(name),
  };

  keyFor = (purpose: string) => this.parts.store.client.shared.keyFor(purpose);
  isSessionEnded = (id: string, expiresAt: number) => this.parts.store.client.shared.isSessionEnded(id, expiresAt);
  endSession = (id: string, expiresAt: number, now: number) => this.parts.store.client.shared.endSession(id, expiresAt, now);
  settled = (...args: Arguments<'settled'>) => this.parts.waits.settled(...args);
  state = (id: string) => this.parts.lookup.state(id);
  get = (id: string) => this.parts.lookup.get(id);
  list: DurableEngine['list'] = async (query) => (findsNothing(query) ? { runs: [] } : this.parts.lookup.list(query));
  count: DurableEngine['count'] = async (query, most) => (findsNothing(query) ? 0 : this.parts.lookup.count(query, most));
  reasons: DurableEngine['reasons'] = async (query) => (findsNothing(query) ? [] : this.parts.lookup.reasons(query));
  journal = (...args: Arguments<'journal'>) => this.parts.lookup.journal(...args);
  log = (id: string) => this.parts.lookup.log(id);
  text = (version: string) => this.parts.lookup.text(version);
  send = (...args: Arguments<'send'>) => this.parts.people.send(...args);
  tasks = (...args: Arguments<'tasks'>) => this.parts.people.tasks(...args);
  task = (...args: Arguments<'task'>) => this.parts.people.task(...args);
  answer = (...args: Arguments<'answer'>) => this.parts.people.answer(...args);
  assign = (...args: Arguments<'assign'>) => this.parts.people.assign(...args);
  retrace = (...args: Arguments<'retrace'>) => this.parts.retracing.retrace(...args);
  recall = (id: string) => this.parts.retracing.recall(id);
  reached = (...args: Arguments<'reached'>) => this.parts.retracing.reached(...args);
  watch = (callback: (changed: Changed) => void) => this.parts.news.watch(callback);
  export = (since?: string) => exportRuns(this.parts.store, this.parts.lookup, since);

  versionsOf = (workflow: string) => this.parts.store.client.reader.versionsOf(workflow);

  async versionsInUse(): ReturnType<DurableEngine['versionsInUse']> {
    await this.parts.store.queue.settled();
    return this.parts.store.client.reader.versionsOfUnfinished();
  }

  async stats(since: string): Promise<StoreStats> {
    await this.parts.store.queue.settled();
    return storeNumbers(this.parts.store, Date.parse(since) || 0);
  }

  trends(): Promise<StoreTrends> {
    return storeTrends(this.parts.store);
  }

  gauges(): Promise<StoreGauges> {
    return storeGauges(this.parts.store);
  }
}

const isMade = ({ kind }: Change): boolean => kind === 'done' || kind === 'asked';

/** Nothing in a store contains the character NUL, and a database refuses to look for it. */
const findsNothing = ({ workflow, version, q }: RunQuery): boolean => [workflow, version, q].some((text) => text?.includes('\0'));

/** Milliseconds in which all processes notice a change from outside. */
const NOTICED_MS = 60_000;

/**
 * Keeps changes on record: who made them, when, and which way they came in. A change is recorded before it is made, so that no crash can
 * lose the record, and withdrawn if it turns out to be impossible.
 */
class RecordedChanges implements ChangeRecord {
  readonly #store: StoreAccess;

  constructor(store: StoreAccess) {
    this.#store = store;
  }

  async during<T>({ action, by, run, about }: AskedChange, make: () => Promise<T>, made: (result: T) => WasMade): Promise<T> {
    const hex = run === undefined ? undefined : toRunHex(run);
    if (by === undefined || (run !== undefined && hex === undefined)) return make();
    const { shared } = this.#store.client;
    const change = { action, by, run: hex, about };
    const id = await shared.recordChange(change, Date.now());
    const result = await make().catch(async (error: unknown) => {
      // Anything else may have been asked for before it failed.
      if (error instanceof UsageError) await shared.withdrawChange(id).catch(() => undefined);
      throw error;
    });
    const outcome = made(result);
    if (outcome === false) await shared.withdrawChange(id);
    else if (outcome !== true) await shared.completeChange(id, { ...change, ...outcome });
    return result;
  }

  async record({ action, by, about }: Omit<AskedChange, 'run'>): Promise<void> {
    if (by !== undefined) await this.#store.client.shared.recordChange({ action, by, about }, Date.now());
  }

  async recordOnce({ action, by, run, about }: AskedChange, since?: number): Promise<void> {
    const now = Date.now();
    const change = by && { action, by, run: run && toRunHex(run), about };
    if (change !== undefined) await this.#store.client.shared.recordChangeOnce(change, now, since ?? now - NOTICED_MS);
  }

  async take(changes: readonly ChangeView[]): Promise<void> {
    if (changes.length === 0) return;
    const known = new Set<string>();
    for await (const change of this.list()) known.add(JSON.stringify(change));
    for (const change of changes) {
      const { time, name, role, way, action, run, about } = change;
      if (known.has(JSON.stringify(change))) continue;
      const of = run === undefined ? undefined : toRunHex(run);
      await this.#store.client.shared.recordChange({ action, by: { name, role, way }, run: of, about }, Date.parse(time));
    }
  }

  async *list({ run, since = 0 }: ChangesQuery = {}): AsyncIterable<ChangeView> {
    const hex = run === undefined ? undefined : toRunHex(run);
    if (run !== undefined && hex === undefined) return;
    for (let after = 0; ; ) {
      const rows = await this.#store.client.shared.listChanges(after, since, hex);
      const last = rows.at(-1);
      if (last === undefined) return;
      yield* rows.map(toChangeView);
      after = last.id;
    }
  }
}

/** Milliseconds after which files are rewritten: once for many runs. */
const SCRUB_MS = 500;

/** Erases the data of finished runs on request: what remains is that a run was, when, how it ended, and who asked to erase it. */
class RunEraser {
  readonly #store: StoreAccess;
  readonly #lookup: RunLookup;
  readonly #news: ChangeNews;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #scrubbing: Promise<void> = Promise.resolve();

  constructor(store: StoreAccess, lookup: RunLookup, news: ChangeNews) {
    this.#store = store;
    this.#lookup = lookup;
    this.#news = news;
  }

  async erase(id: string, by?: string): Promise<Change> {
    const hex = toRunHex(id);
    const found = hex === undefined ? undefined : await this.#lookup.find(hex);
    if (hex === undefined || found === undefined) return { kind: 'unknown' };
    const state = toRunState(found);
    const called = await this.#lookup.calledBy(id);
    if (called !== undefined)
      return {
        kind: 'not possible',
        state,
        problem: `This run is part of the run ${called.root}, which called it. Erase that one.`,
      };
    if (!isFinished(state.status))
      return { kind: 'not possible', state, problem: `The run has not ended; its status is "${state.status}". Cancel it first.` };
    const branches = new Set((await this.#lookup.entries(found)).flatMap(({ branch }) => outermostFirst(branch)));
    const runs = [hex, ...[...branches].map((branch) => calledRunHex(hex, branch))] as const;
    const extra = readExtra(found.row.extra);
    const key = await this.#store.client.shared.eraseShared(runs, found.workflow, extra.key);
    const erased = extra.erased ?? { at: new Date().toISOString(), ...(by === undefined ? {} : { by }) };
    await this.#store.erasing.eraseRun(found.row, erasedExtra(extra, key, erased));
    this.#timer ??= setTimeout(() => void this.#scrub(), SCRUB_MS).unref();
    this.#news.run(hex);
    this.#news.tasks();
    return { kind: 'done', state: (await this.#lookup.state(id)) ?? state };
  }

  /** Rewrites what is due. */
  async close(): Promise<void> {
    if (this.#timer !== undefined) void this.#scrub();
    await this.#scrubbing;
  }

  #scrub(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // The data is gone already; what is left of it in a file goes with the next one.
    this.#scrubbing = this.#scrubbing.then(() => this.#store.erasing.scrub()).catch(() => undefined);
    return this.#scrubbing;
  }
}

/** A branch, and those around it: `a`, `a/b`, `a/b/c`. */
function outermostFirst(branch: string): string[] {
  const parts = branch === '' ? [] : branch.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
