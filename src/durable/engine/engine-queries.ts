// The part of an engine that is the same for every kind of store: showing runs, and what people and messages do to them.
import type { Changed, DurableEngine } from '../durable-engine.js';
import { toRunHex } from '../model/run-ids.js';
import type { RunQuery, StoreStats } from '../model/run-views.js';
import type { StoreAccess } from '../store/port.js';
import { exportRuns } from '../transfer/export-runs.js';
import { storeNumbers } from '../views/figures.js';
import type { Retracing } from '../views/retracing.js';
import type { RunLookup } from '../views/run-lookup.js';
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
}

type Arguments<Name extends 'settled' | 'journal' | 'send' | 'tasks' | 'task' | 'answer' | 'retrace' | 'reached'> = Parameters<
  DurableEngine[Name]
>;

export abstract class EngineQueries {
  protected abstract readonly parts: EngineParts;
  /** Runs that a command stays for: 32 hexadecimal digits each. */
  protected readonly attended = new Set<string>();

  attend(id: string): void {
    const hex = toRunHex(id);
    if (hex !== undefined) this.attended.add(hex);
  }

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
  retrace = (...args: Arguments<'retrace'>) => this.parts.retracing.retrace(...args);
  recall = (id: string) => this.parts.retracing.recall(id);
  reached = (...args: Arguments<'reached'>) => this.parts.retracing.reached(...args);
  watch = (callback: (changed: Changed) => void) => this.parts.news.watch(callback);
  export = (since?: string) => exportRuns(this.parts.store, this.parts.lookup, since);

  async versionsInUse(): ReturnType<DurableEngine['versionsInUse']> {
    await this.parts.store.queue.settled();
    return this.parts.store.client.reader.versionsOfUnfinished();
  }

  async stats(since: string): Promise<StoreStats> {
    await this.parts.store.queue.settled();
    return storeNumbers(this.parts.store, Date.parse(since) || 0);
  }
}

/** Nothing in a store contains the character NUL, and a database refuses to look for it. */
const findsNothing = ({ workflow, q }: RunQuery): boolean => [workflow, q].some((text) => text?.includes('\0'));

/** Milliseconds between searches for runs old enough to delete. */
const EVERY_MS = 3_600_000;

/** @param keepMs how long to keep runs; forever by default. Returns the timer, for clearing it. */
export function pruneRegularly(
  keepMs: number | undefined,
  prune: (options: { readonly olderThanMs: number }) => Promise<unknown>,
): ReturnType<typeof setInterval> | undefined {
  if (keepMs === undefined) return undefined;
  const pruneNow = (): void => void prune({ olderThanMs: keepMs }).catch(() => undefined);
  pruneNow();
  return setInterval(pruneNow, EVERY_MS).unref();
}
