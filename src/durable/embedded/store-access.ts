// What runs, pages and commands read and change in any kind of store. The embedded store answers from its thread, a database over its
// connections.
import type { StoreClient } from '../store/store-client.js';
import type { FileTrouble } from '../store/unreadable-slots.js';

export type RunReader = Pick<
  StoreClient['reader'],
  | 'findRun'
  | 'list'
  | 'entries'
  | 'sites'
  | 'rerunsOf'
  | 'effectsOf'
  | 'versionOf'
  | 'runsSince'
  | 'countByState'
  | 'versionsOfUnfinished'
  | 'readContent'
>;

export type SharedRows = Pick<
  StoreClient['shared'],
  | 'wantMessage'
  | 'sendMessage'
  | 'endWait'
  | 'lateMessage'
  | 'readdressMessages'
  | 'openTask'
  | 'recordAnswer'
  | 'taskOf'
  | 'endTask'
  | 'endShared'
  | 'findTask'
  | 'isTaskKey'
  | 'listTasks'
>;

export interface StoreAccess {
  readonly client: { readonly reader: RunReader; readonly shared: SharedRows };
  /** Names of files that can't be read, and why; what they contain is left out. */
  readonly unreadable?: ReadonlyMap<string, FileTrouble>;
  /** Performs what a run needs, and waits while the store can't be written; absent if calls wait on their own. */
  persistently?<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves with the result of the work, or with `undefined` as soon as the store can't be written. */
  whileUsable<T>(work: Promise<T>): Promise<T | undefined>;
  /** `settled` resolves when everything that this process has written so far can be read; with an id, at least everything of this run. */
  readonly queue: { settled(run?: string): Promise<void> };
}
