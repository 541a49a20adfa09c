// The port of the engine to a store of any kind: to read runs, to deliver messages and answers, to write a run while it is in memory,
// and to read it when it continues. A folder answers from its thread, a database over its connections. Types only.
import type { EffectSite } from '../../../runtime/run/durable-run.js';
import type { WfRecord } from '../../../runtime/types.js';
import type { Runnable } from '../../engine/engine.js';
import type { Actor, ChangeRow, NewChange } from '../model/changes.js';
import type { EntryRow } from '../model/entries.js';
import type { FileTrouble } from '../model/file-troubles.js';
import type { DeliveredMessage, MessageSent, MessageWish, NewMessage, Successor } from '../model/messages.js';
import type {
  CountedRun,
  FoundRun,
  RerunRow,
  RunRow,
  ShardWrite,
  StoredRunFilter,
  StoredState,
  UnfinishedCount,
} from '../model/run-rows.js';
import type { OpenTasks } from '../model/run-views.js';
import type { RunExtra } from '../model/stored-run.js';
import type { NewTask, StoredAnswer, TaskAnswered, TaskRow } from '../model/tasks.js';
import type { OwnVersion, StoredSite } from '../model/versions.js';

/** Part of a journal: as much as fits into one answer. */
export interface EntryPart {
  readonly rows: EntryRow[];
  /** Whether it extends to the end. */
  readonly isWhole: boolean;
}

/** Reads runs. Ids are 32 hexadecimal digits, times milliseconds since 1970. */
export interface RunReader {
  findRun(id: string): Promise<FoundRun | undefined>;
  list(filter: StoredRunFilter): Promise<FoundRun[]>;
  /** Whether values can be found only whole, by `find by`. */
  isEncrypted(): Promise<boolean>;
  /** The journal of a run from a position on. @param most rows wanted */
  entries(shard: number, n: number, id: string, from: number, most?: number): Promise<EntryPart>;
  /** The call sites of a version: number and JSON. */
  sites(shard: number, v: number): Promise<(readonly [site: number, info: string])[]>;
  /** Ids of the runs that repeat this one. */
  rerunsOf(id: string): Promise<string[]>;
  /** The runs that repeat any of these, oldest first. */
  rerunsOfAll(ids: readonly string[]): Promise<RerunRow[]>;
  /** The number of attempts, waits, messages and questions that a run has completed. */
  effectsOf(run: Pick<RunRow, 'id' | 'shard' | 'n'>): Promise<number>;
  versionOf(hash: string): Promise<{ readonly workflow: string; readonly info: string } | undefined>;
  runsSince(since: number): Promise<CountedRun[]>;
  countByState(): Promise<(readonly [StoredState, number])[]>;
  /** Unfinished runs by workflow and state. */
  countUnfinished(): Promise<UnfinishedCount[]>;
  /** Versions that unfinished runs use: name, hash, and number of runs. */
  versionsOfUnfinished(): Promise<{ workflow: string; version: string; runs: number }[]>;
  readContent(hash: string): Promise<string | undefined>;
}

/** Messages and questions, which any process can answer, and any run can wait for, and the record of changes. */
export interface SharedRows {
  /** The message of this place, if there is one. Otherwise the run waits from now on, unless its time is up. */
  wantMessage(wish: MessageWish): Promise<DeliveredMessage | undefined>;
  /** Delivers or stores a message. One already sent with this key is not sent again. */
  sendMessage(message: NewMessage): Promise<MessageSent>;
  /** The place has its message in the journal, or something else ended its branch. */
  endWait(run: string, place: string, isRecorded: boolean): Promise<void>;
  /** The message that an ended run did not record at this place, also if its process died before it was put aside. */
  undeliveredMessage(run: string, place: string): Promise<DeliveredMessage | undefined>;
  /** A message sent to a run's id that the run never read goes to its successor. */
  readdressMessages(successors: readonly Successor[]): Promise<void>;
  /** Creates the task of this place, or finds it; returns its id and the key of its link. */
  openTask(task: NewTask): Promise<{ readonly id: string; readonly key: string }>;
  /** Only the first answer counts, and only in time. */
  recordAnswer(id: string, answer: StoredAnswer, now: number, by?: Actor): Promise<TaskAnswered>;
  /** The task that an effect of a run has asked, with its answer if there is one. */
  taskOf(run: string, place: string): Promise<TaskRow | undefined>;
  /** The answer is in the journal, or no answer counts any more. */
  endTask(run: string, place: string): Promise<void>;
  /** A run has ended: nothing that arrives later is for it. */
  endShared(run: string): Promise<void>;
  /**
   * Deletes messages, tasks and values of `once for each` of a run, and replaces its key by a hash, which it returns.
   * @param runs its id, and those of the workflows that it called
   */
  eraseShared(runs: readonly [string, ...string[]], workflow: string, key: string | undefined): Promise<string | undefined>;
  findTask(id: string): Promise<TaskRow | undefined>;
  /** Whether this is the key of a task's link. Compares in constant time. */
  isTaskKey(id: string, key: string): Promise<boolean>;
  /** Open tasks, the most urgent first, or closed ones, the newest first. */
  listTasks(closed: boolean, now: number, limit: number, offset: number): Promise<TaskRow[]>;
  /** Records a change before it is made; returns its number. */
  recordChange(change: NewChange, at: number): Promise<number>;
  /** It was refused: nothing has changed. */
  withdrawChange(id: number): Promise<void>;
  /** Says more about it, now that it is made. */
  completeChange(id: number, change: NewChange): Promise<void>;
  /** A part of the record: those after this number, oldest first. @param run only those of this run */
  listChanges(after: number, since: number, run?: string): Promise<ChangeRow[]>;
  /** Open tasks by workflow, also those that are out of time. */
  countTasks(now: number): Promise<OpenTasks[]>;
}

/** Erases what a store keeps of single runs, except for that they were. */
export interface StoreErasing {
  /** Deletes request, results, log and outcome of a finished run. @param extra what remains of its other properties */
  eraseRun(run: Pick<RunRow, 'id' | 'shard' | 'n'>, extra: string): Promise<void>;
  /** Overwrites what erased rows have left in files. */
  scrub(): Promise<void>;
}

export interface StoreAccess {
  readonly erasing: StoreErasing;
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

/** The place that a run writes to while it is in memory: a shard of a folder with many runs, or the row and the legs of one run in a database. */
export interface RunWriter {
  /** A number for a new run. */
  newRun(): number;
  /** Adds a write without requesting a commit; returns the argument for `durable`. */
  write(write: ShardWrite): number;
  /** Commits pending writes soon. */
  flush(): void;
  /** Commits pending writes after a moment, because no one waits for them. */
  flushLazily(): void;
  /** Resolves when this write, and all before it, are durable and the next effect may happen; `undefined` if they already are. */
  durable(generation: number): Promise<void> | undefined;
  /** Whether this write is on disk, even if the run has been lost since. */
  isDurable(generation: number): boolean;
  /** It belongs to this process no more: nothing written since is durable, and no effect may happen. */
  readonly isLost?: boolean;
  /** Stores what a place does, once per version. */
  describe(v: number, site: EffectSite): void;
  siteOf(v: number, site: number): StoredSite | undefined;
  /** It was executing, or had been released, when this process took it. */
  readonly wasInterrupted?: boolean;
  /** Whether a row of the run says that it is here. Absent if nothing but its death takes runs from a process. */
  isAt?(owner: unknown, leg: unknown): boolean;
  /** Resolves when everything written so far can be read, or the run is lost. Absent if its store knows. */
  settled?(): Promise<void>;
  /** The run has left memory. @param isOver it has ended and needs no other process */
  leave?(isOver: boolean): Promise<void>;
  /** Nothing more is written: the run belongs to another process, or will. */
  lose?(): void;
  /** The lease of this process had expired. @param leg the leg in which it still has the run; `undefined` if it has it no more */
  revived?(leg: number | undefined): void;
}

/** A stored run that continues. */
export interface TakenUp {
  readonly writer: RunWriter;
  readonly n: number;
  readonly id: string;
}

/** A run as read from its store. */
export interface LoadedRun {
  readonly version: OwnVersion;
  readonly request: WfRecord;
  /** Its journal. */
  readonly entries: readonly EntryRow[];
  readonly extra: RunExtra;
  /** Names of environment variables whose values differ from those at its start. */
  readonly changedEnv?: readonly string[];
  readonly wasWaiting: boolean;
}

/** The store, as far as continuing runs are read from it. */
export interface RunSource {
  /** `undefined` if the run is gone. */
  load(run: TakenUp): Promise<LoadedRun | undefined>;
  /** Loads a stored version, once. @throws if its module is gone or damaged */
  runnable(version: OwnVersion): Promise<Runnable>;
}
