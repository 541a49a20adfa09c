// What runs, pages and commands read and change in a store, whichever kind it is. The embedded store answers from its thread, a database
// over its connections.
import type { StoreClient } from '../store/store-client.js';

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
  /** `settled` resolves when everything that this process has written so far can be read; with an id, at least what it has of this run. */
  /** Does what a run needs, and waits while the store cannot be written; left out where calls wait by themselves. */
  persistently?<T>(work: () => Promise<T>): Promise<T>;
  readonly queue: { settled(run?: string): Promise<void> };
}
