// The part of an engine that shows runs, and passes on what people and messages do to them, with the record of that.
import type { Change, Changed, DurableEngine, Rerun, RerunRequest, SavedViewList } from '../durable-engine.js';
import { type Actor, nameOf } from '../model/changes.js';
import type { GivenUp } from '../model/file-troubles.js';
import { toRunHex } from '../model/run-ids.js';
import type { RunQuery, StoreGauges, StoreStats, StoreTrends } from '../model/run-views.js';
import type { StoreAccess } from '../store/port.js';
import { exportRuns } from '../transfer/export-runs.js';
import { storeGauges, storeNumbers, storeTrends } from '../views/figures.js';
import type { Retracing } from '../views/retracing.js';
import type { RunLookup } from '../views/run-lookup.js';
import type { ChangeNews } from './change-news.js';
import type { LiveRuns } from './live-runs.js';
import type { PeopleActions } from './people-actions.js';
import { RecordedChanges } from './recorded-changes.js';
import { RunEraser } from './run-eraser.js';
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
