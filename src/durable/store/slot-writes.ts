// What the process tells the writer of its slot, as tuples: thousands pass between the threads per second, and a tuple is cheaper to copy
// than a record. All writes of a batch become durable together. Only types and their numbers.

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

export const firstFinished = storedStates.completed;

/** Kinds of rows in the journal. `part` distinguishes the rows of one position, see `RunRecords`. */
export const entryKinds = {
  /** An attempt of a call; part is twice its number. */
  call: 1,
  /** The wait before an attempt; part is twice the number of the failed one, plus one. */
  retry: 2,
  /** The start (part 0) and the end (part 1) of a wait, a message or a question. */
  wait: 3,
  message: 4,
  person: 5,
  /** A concurrent block: its start (part 0), and how it ended (part 1). */
  fork: 6,
  /** `at most once`: what is about to be sent. */
  intent: 7,
  /** A reminder of a question, or its notification; parts from 2. */
  notified: 8,
  /** Log entries that belong to no effect, as a list. */
  log: 20,
  resumed: 21,
} as const;

export type EntryKind = (typeof entryKinds)[keyof typeof entryKinds];

/** A version of a workflow: its number in the slot, the name in its address, its hash, and `VersionInfo` as JSON. */
export type VersionWrite = readonly ['version', v: number, workflow: string, hash: string, info: string];
export type SiteWrite = readonly ['site', v: number, site: number, info: string];
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
export type EntryWrite = readonly [
  'entry',
  n: number,
  pos: number,
  branch: string | null,
  seq: number | null,
  part: number | null,
  kind: EntryKind,
  site: number | null,
  at: number,
  ms: number | null,
  body: string | null,
];
/** Progress of an unfinished run: what it waits for, until when. */
export type StateWrite = readonly ['state', n: number, state: StoredState, due: number | null, waits: string | null];
export type EndWrite = readonly ['end', n: number, state: StoredState, finished: number, outcome: string | null];
/** The run made progress, so adoptions are counted afresh. */
export type ProgressWrite = readonly ['progress', n: number];
/** Rarely used properties of runs, as JSON: `RunExtra`. */
export type ExtraWrite = readonly ['extra', n: number, extra: string];

export type SlotWrite = VersionWrite | SiteWrite | RunWrite | EntryWrite | StateWrite | EndWrite | ProgressWrite | ExtraWrite;

/** One row of a journal, as read. */
export interface EntryRow {
  readonly pos: number;
  readonly branch: string;
  readonly seq: number | null;
  readonly part: number | null;
  readonly kind: EntryKind;
  readonly site: number | null;
  readonly at: number;
  readonly ms: number | null;
  readonly body: string | null;
}

/** One run, as read. */
export interface RunRow {
  readonly slot: number;
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
}
