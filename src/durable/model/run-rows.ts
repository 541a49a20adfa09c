// One stored run: its states, its columns, and the writes that change it. Writes are tuples, because thousands pass between threads per
// second, and a tuple is cheaper to copy than a record.
import type { EntryWrite } from './entries.js';

/** Adoptions in a row without progress after which a run becomes `stuck`, because it ends every process that tries. */
export const MOST_ADOPTIONS = 10;

/** Stored states of runs; finished ones from `completed` on. `released`: released by a process that stopped; shown as running. */
export const storedStates = {
  running: 1,
  waiting: 2,
  stuck: 3,
  released: 4,
  completed: 11,
  rejected: 12,
  error: 13,
  cancelled: 14,
} as const;

export type StoredState = (typeof storedStates)[keyof typeof storedStates];

/** The states of runs that have ended, and of those that have not. */
export const finishedStates: readonly StoredState[] = [
  storedStates.completed,
  storedStates.rejected,
  storedStates.error,
  storedStates.cancelled,
];
export const unfinishedStates: readonly StoredState[] = [
  storedStates.running,
  storedStates.waiting,
  storedStates.stuck,
  storedStates.released,
];

export const hasEnded = (state: StoredState): boolean => finishedStates.includes(state);

/** These states as a list of SQL. */
export const stateList = (states: readonly StoredState[]): string => `(${states.join(', ')})`;

/** A version of a workflow: its number in the shard, the name in its address, its hash, and `VersionInfo` as JSON. */
type VersionWrite = readonly ['version', v: number, workflow: string, hash: string, info: string];
type SiteWrite = readonly ['site', v: number, site: number, info: string];
/** A new run. `id` is 32 hexadecimal digits, times are milliseconds since 1970. One that is stored lazily includes its end. */
export type RunWrite = readonly [
  'run',
  n: number,
  id: string,
  v: number,
  state: StoredState,
  finished: number | null,
  request: string,
  outcome: string | null,
  extra: string | null,
];
/** Progress of an unfinished run: what it waits for, until when. */
type StateWrite = readonly ['state', n: number, state: StoredState, due: number | null, waits: string | null];
type EndWrite = readonly ['end', n: number, state: StoredState, finished: number, outcome: string | null];
/** The run made progress, so adoptions are counted afresh. */
type ProgressWrite = readonly ['progress', n: number];
/** Rarely used properties of runs, as JSON: `RunExtra`. */
type ExtraWrite = readonly ['extra', n: number, extra: string];

export type StoreWrite = VersionWrite | SiteWrite | RunWrite | EntryWrite | StateWrite | EndWrite | ProgressWrite | ExtraWrite;

/** One run, as read. */
export interface RunRow {
  readonly shard: number;
  readonly n: number;
  readonly id: string;
  readonly v: number;
  readonly state: StoredState;
  readonly finished: number | null;
  readonly due: number | null;
  readonly adoptions: number;
  readonly waits: string | null;
  readonly request: string;
  readonly outcome: string | null;
  readonly extra: string | null;
  /** Its texts can't be read: they were changed in the store. The row has none of them. */
  readonly isDamaged?: true;
}

/** A run with the description of its version. */
export interface FoundRun {
  readonly row: RunRow;
  /** Name in the address. */
  readonly workflow: string;
  /** Hash of its version. */
  readonly hash: string;
  /** `VersionInfo` as JSON. */
  readonly info: string;
}

export interface StoredRunFilter {
  readonly workflow?: string | undefined;
  /** Of these versions of workflows. */
  readonly version?: VersionWish | undefined;
  /** Of versions that include a file of this name: they may call it. */
  readonly calling?: string | undefined;
  readonly states?: readonly StoredState[] | undefined;
  /** Ids from this one on, and before this one: 32 hexadecimal digits. */
  readonly from?: string | undefined;
  readonly before?: string | undefined;
  /** Only later ones. */
  readonly after?: string | undefined;
  readonly search?: RunSearch | undefined;
  readonly limit: number;
  /** Oldest first. */
  readonly ascending?: boolean | undefined;
}

/** Versions whose hash begins like one of these, or those with this number in their file. */
type VersionWish = { readonly hashes: readonly string[] } | { readonly number: string };

/** A number such as `2`, or at least seven digits of the hash of a version, or of several with commas; anything else is no hash. */
export const readVersionWish = (text: string): VersionWish =>
  /^\d{1,6}$/.test(text) ? { number: text } : { hashes: text.toLowerCase().split(',') };

/** A term that a run is looked up by. */
export interface RunSearch {
  /** Text within the request, or a whole value that `find by` names. */
  readonly text: string;
  /** Or text within the outcome, unless the store is encrypted. */
  readonly searchesOutcome: boolean;
  /** Or an id between these two, if the term may be the beginning of one: 32 hexadecimal digits. */
  readonly ids?: readonly [first: string, last: string] | undefined;
}

/** From a row of a store. */
export const toUnfinishedCount = (row: Readonly<Record<keyof UnfinishedCount, unknown>>): UnfinishedCount => ({
  workflow: String(row.workflow),
  state: Number(row.state) as StoredState, // only these are written
  count: Number(row.count),
  oldest: String(row.oldest),
});

/** A run that repeats another one. */
export interface RerunRow {
  readonly id: string;
  /** Id of the other one. */
  readonly of: string;
  readonly state: StoredState;
}

/** Unfinished runs of one workflow in one state. */
export interface UnfinishedCount {
  readonly workflow: string;
  readonly state: StoredState;
  readonly count: number;
  /** Id of the oldest: 32 hexadecimal digits. */
  readonly oldest: string;
}

export interface CountedRun {
  /** 32 hexadecimal digits. */
  readonly id: string;
  readonly workflow: string;
  readonly state: StoredState;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly finished: number | null;
}
