// The port: everything that an engine asks of a store. It reads runs, delivers messages and answers, claims keys, decides which process
// has a run, writes a run while it is in memory, and reads it when it continues. A folder answers from its thread, a database over its
// connections. Types only.
import type { EffectSite } from '../../../runtime/run/durable-run.js';
import type { Environment, MessagePlace, TakeTurn, WfRecord } from '../../../runtime/types.js';
import type { Runnable } from '../../engine/engine.js';
import type { Prepared } from '../../engine/prepare/prepared.js';
import type { Actor, ChangeRow, NewChange } from '../model/changes.js';
import type { EntryRow } from '../model/entries.js';
import type { FileTrouble, GivenUp } from '../model/file-troubles.js';
import type { DeliveredMessage, InboxKind, MessageSent, MessageWish, NewMessage, Successor } from '../model/messages.js';
import type { ClaimedKey, ClaimedOnce, KeyClaim, OnceValue } from '../model/request-keys.js';
import type {
  CountedRun,
  FoundRun,
  RerunRow,
  RunRow,
  StoredRunFilter,
  StoredState,
  StoreWrite,
  UnfinishedCount,
} from '../model/run-rows.js';
import type { Health, OpenTasks, SavedView, StoreCopy } from '../model/run-views.js';
import type { RunExtra } from '../model/stored-run.js';
import type { NewAssignee, NewTask, StoredAnswer, TaskAnswered, TaskAssigned, TaskRow } from '../model/tasks.js';
import type { OwnVersion, StoredSite, VersionInfo } from '../model/versions.js';

/** Part of a journal: as much as fits into one answer. */
export interface EntryPart {
  readonly rows: EntryRow[];
  /** Whether it extends to the end. */
  readonly isWhole: boolean;
  /** The rest can't be read. */
  readonly isDamaged?: true;
}

/** The state of a run, and the file that it is in; 0 in a database. */
export type PlacedState = Pick<RunRow, 'id' | 'shard' | 'state'>;

/** Reads runs. Ids are 32 hexadecimal digits, times milliseconds since 1970. */
export interface RunReader {
  findRun(id: string): Promise<FoundRun | undefined>;
  list(filter: StoredRunFilter): Promise<FoundRun[]>;
  /** Counts the runs that `list` would find. */
  count(filter: StoredRunFilter): Promise<number>;
  /** Whether values can be found only whole, by `find by`. */
  isEncrypted(): Promise<boolean>;
  /** The journal of a run from a position on. @param most rows wanted */
  entries(shard: number, n: number, id: string, from: number, most?: number): Promise<EntryPart>;
  /** The call sites of a version: number and JSON, which is empty for one that can't be read. */
  sites(shard: number, v: number): Promise<(readonly [site: number, info: string])[]>;
  /** Ids of the runs that repeat this one. */
  rerunsOf(id: string): Promise<string[]>;
  /** The runs that repeat any of these, oldest first. */
  rerunsOfAll(ids: readonly string[]): Promise<RerunRow[]>;
  /** The number of attempts, waits, messages and questions that a run has completed; `undefined` if its journal is damaged. */
  effectsOf(run: Pick<RunRow, 'id' | 'shard' | 'n'>): Promise<number | undefined>;
  versionOf(hash: string): Promise<{ readonly workflow: string; readonly info: string } | undefined>;
  /** Hashes of the versions of a workflow, the latest ones first. */
  versionsOf(workflow: string): Promise<string[]>;
  runsSince(since: number): Promise<CountedRun[]>;
  countByState(): Promise<(readonly [StoredState, number])[]>;
  /** The states of those of these runs that there are. */
  statesOf(ids: readonly string[]): Promise<PlacedState[]>;
  /** Unfinished runs by workflow and state. */
  countUnfinished(): Promise<UnfinishedCount[]>;
  /** Versions that unfinished runs use: name, hash, and number of runs. */
  versionsOfUnfinished(): Promise<{ workflow: string; version: string; runs: number }[]>;
  readContent(hash: string): Promise<string | undefined>;
}

/** Rows that belong to no process: messages, questions, inboxes of runs, keys of requests, modules, timetables, and the record of changes. */
export interface SharedRows {
  /** The message of this effect, if there is one. Otherwise the run waits from now on, unless its time is up. */
  wantMessage(wish: MessageWish): Promise<DeliveredMessage | undefined>;
  /** Holds places in line for these messages, for a run that is about to start. */
  holdPlaces(run: string, places: readonly MessagePlace[]): Promise<void>;
  /** Delivers or stores a message. One already sent with this key is not sent again. */
  sendMessage(message: NewMessage): Promise<MessageSent>;
  /** Ends the wait of an effect: its message is in the journal, or something else ended its branch. */
  endWait(run: string, address: string, isRecorded: boolean): Promise<void>;
  /** The message that an ended run did not record at this address, also if its process died before it was put aside. */
  undeliveredMessage(run: string, address: string): Promise<DeliveredMessage | undefined>;
  /** A message sent to a run's id that the run never read goes to its successor. */
  readdressMessages(successors: readonly Successor[]): Promise<void>;
  /** Creates the task of this effect, or finds it; returns its id and the key of its link. */
  openTask(task: NewTask): Promise<{ readonly id: string; readonly key: string }>;
  /** Records the first answer that comes in time; refuses any other. */
  recordAnswer(id: string, answer: StoredAnswer, now: number, by?: Actor): Promise<TaskAnswered>;
  /** Assigns an open task to a person. */
  assignTask(id: string, assignment: NewAssignee, now: number, by?: Actor): Promise<TaskAssigned>;
  /** The task that an effect of a run has asked, with its answer if there is one. */
  taskOf(run: string, address: string): Promise<TaskRow | undefined>;
  /** Ends a task whose answer is in the journal, or that takes no answer any more. */
  endTask(run: string, address: string): Promise<void>;
  /** Ends the waits and tasks of runs that have ended: nothing that arrives later is for them. */
  endShared(runs: readonly string[]): Promise<void>;
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
  /** A key that every process over the store has, and nobody else: 32 hexadecimal digits. */
  keyFor(purpose: string): Promise<string>;
  /** Whether somebody has ended this session of the console. @param expiresAt milliseconds since 1970 */
  isSessionEnded(id: string, expiresAt: number): Promise<boolean>;
  endSession(id: string, expiresAt: number, now: number): Promise<void>;
  /** Records a change before it is made; returns its number. */
  recordChange(change: NewChange, at: number): Promise<number>;
  /** Records a change that several processes notice, unless one of them has done so since this moment. */
  recordChangeOnce(change: NewChange, at: number, since: number): Promise<void>;
  /** Withdraws a change that was refused: nothing has changed. */
  withdrawChange(id: number): Promise<void>;
  /** Adds to a change what is only known after it was made. */
  completeChange(id: number, change: NewChange): Promise<void>;
  /** The changes after this number, oldest first. @param run only those of this run */
  listChanges(after: number, since: number, run?: string): Promise<ChangeRow[]>;
  /** Open tasks by workflow, also those that are out of time. */
  countTasks(now: number): Promise<OpenTasks[]>;
  /** Puts a request into the inbox of a run; returns the number of the row. @param place the effect or the waits that it is about */
  addToInbox(run: string, kind: InboxKind, at: number, place: string | null): Promise<number>;
  /** Asks for many runs to be cancelled, and records that someone did, if anyone is named; returns the numbers of these records. */
  askToCancel(runs: readonly string[], by: Actor | undefined, at: number): Promise<ReadonlyMap<string, number>>;
  isInInbox(id: number): Promise<boolean>;
  removeFromInbox(ids: readonly number[]): Promise<void>;
  /** @param instead the run of a failed claim, whose process died before it recorded the run */
  claimKey(claim: KeyClaim, instead?: string): Promise<ClaimedKey>;
  /** @param owner the writer of the run @param instead a run that has the value and does not count any more */
  claimOnce(value: OnceValue, run: string, owner: string, instead?: string): Promise<ClaimedOnce>;
  /** The run is on disk. */
  confirmOnce(value: OnceValue, run: string): Promise<void>;
  /** The run will not start. */
  releaseOnce(value: OnceValue, run: string): Promise<void>;
  /** Stores modules and texts of workflows by their hashes. */
  storeContents(contents: readonly (readonly [hash: string, data: string])[], at: number): Promise<void>;
  /** Filters that people keep, by name. */
  listViews(): Promise<SavedView[]>;
  /** Replaces one of the same name. Returns whether there was room. */
  saveView(view: SavedView): Promise<boolean>;
  removeView(name: string): Promise<void>;
  /** Due times of a timetable up to this moment are done; `undefined` before its first start, and after a change of plan. */
  timetableSeen(workflow: string, plan: string): Promise<number | undefined>;
  timetableDone(workflow: string, plan: string, until: number): Promise<void>;
}

/** Erases the data of single runs. Their existence, state and times remain. */
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

/** Everything that is needed to open a store. */
export interface OpenOptions {
  readonly env: Environment;
  readonly cwd: string;
  /** Opens the store to change its key, and for nothing else. */
  readonly isRekeying?: boolean;
  /** Called with a sentence when the store can't be written, and when it can be again. */
  readonly onProblem?: (sentence: string) => void;
  /** Receives the milliseconds of each commit. */
  readonly observer?: { committed(durationMs: number): void } | undefined;
}

/** A store, as an engine sees it. */
export interface Store extends StoreAccess, RunSource {
  /** Whether requests are sealed with a key. */
  readonly isEncrypted: boolean;
  readonly health: Health;
  readonly custody: RunCustody;
  /** Asked before each request is sent; absent if nothing but its death takes runs from a process. */
  readonly fence?: Fence;
  /** The limits of services, if other processes share them. */
  readonly takeTurn?: TakeTurn;
  /** Tells an engine what happens to its runs. Called once, before anything else. */
  attach(events: StoreEvents): void;
  /** The reason why the store can't be used now, as the end of a sentence; `undefined` for any other error. */
  problemOf(error: unknown): string | undefined;
  /** Calls back when other processes have written. Returns a function that stops this. */
  watchElsewhere(onChange: () => void): () => void;
  readonly pruning: OldRuns;
  /** Whether another process uses the store: it may be working on unfinished runs. */
  isUsedElsewhere(): Promise<boolean>;
  /** Number of unfinished runs that wait with a message or an answer that is not in their journals yet. */
  undelivered(): Promise<number>;
  /** Imports runs, while no other process does. */
  importing<T>(work: () => Promise<T>): Promise<T>;
  /** Encrypts everything with another key, or with none. The store must be opened again afterwards. */
  rekey(key: Uint8Array | undefined): Promise<void>;
  /** Gives up the runs in a file that is lost or damaged. @throws UsageError also if the file can be read */
  giveUpFile(file: string): Promise<GivenUp>;
  /** Copies the store as it is at one moment. @param target an absolute path @throws UsageError also for a store that is no folder */
  backUp(target: string): Promise<StoreCopy>;
  /** Writes nothing more. Runs continue in the processes that take them. */
  giveUp(): void;
  close(): Promise<void>;
}

export interface StoreEvents {
  /**
   * Reports runs that belong to this process no more.
   * @param writer where they were written; everywhere by default
   * @param cause the error, if they can't be written for another reason than that another process has them
   * @returns whether this process needs the store again
   */
  lost(writer?: RunWriter, cause?: unknown): boolean;
  /** Reports that the store is open again, and holds nothing of this process. */
  renewed(): Promise<void>;
}

/** Says whether this process certainly has its runs at this moment. */
export interface Fence {
  readonly isGood: boolean;
}

/** Which process has a run. A run is executed by the one that has it, and by no other. */
export interface RunCustody {
  /** Milliseconds between two polls. */
  readonly pollMs: number;
  /** Milliseconds that a living process has to act on a request. */
  readonly patienceMs: number;
  /** Runs that one commit cancels. Whatever else this process writes into a folder waits for it. */
  readonly cancelsTogether: number;
  /** Whether other processes can leave due runs at any time, so that each poll looks for them. */
  readonly looksForDue: boolean;
  /** Milliseconds since this process proved that it is alive; `undefined` if nothing but its death takes runs from it. */
  readonly leaseAgeMs?: number | undefined;
  /** Makes the store ready for runs. Called before any of the following. */
  begin(): Promise<void>;
  /** Begins to adopt the runs that other processes leave. */
  serve(): Promise<void>;
  /** Ends polls that wait for the store. */
  stop(): void;
  /** A writer for a new run; `undefined` if it must be taken first. */
  writer(): RunWriter | undefined;
  takeWriter(): Promise<RunWriter>;
  /** A writer for a run that comes from another store. */
  takeImportWriter(): Promise<RunWriter>;
  /** Takes runs whose processes have died or released them. @param room maximum runs wanted */
  adopt(room: number): Promise<AdoptedRuns>;
  /** Takes runs that wait and whose time has come. @param only these runs; all of them by default */
  takeDue(now: number, room: number, only?: ReadonlySet<string>): Promise<DueRuns>;
  /**
   * Hands over what has arrived for the runs of this process, in order. A row goes once it was handled; after a failure, it comes again.
   * @param held the runs in memory
   * @param handle gets one row, or several in a row that cancel runs; returns for each whether it has served its purpose
   */
  deliver(held: Iterable<string>, handle: (arrivals: readonly InboxArrival[]) => Promise<readonly boolean[]>): Promise<void>;
  /** This process has more runs now: hands over again what was not for any of its runs. */
  deliverAgain(): void;
  /** Takes a run to continue it, also a `stuck` one. `here`: this process has it already. */
  take(id: string): Promise<TakenUp | 'here' | 'elsewhere'>;
  /**
   * Cancels runs that no process is executing, together.
   * @param isHeld whether a run is in the memory of this process
   * @returns those that were cancelled, and those that had ended
   */
  cancelFree(
    ids: readonly string[],
    isHeld: (id: string) => boolean,
  ): Promise<{ readonly done: readonly string[]; readonly over: readonly string[] }>;
  /** Ends waits of a run that no process is executing; it is due now. Returns false if one is. @param hurried says which waits */
  hurryFree(id: string, hurried: (extra: RunExtra) => RunExtra, isHeld: () => boolean): Promise<boolean>;
  /** Saves rarely used properties of a run that has left memory. */
  remember(id: string, more: RunExtra): Promise<void>;
  /** Whether a writer is gone, so that its runs will not be recorded any more. @param owner as it named itself */
  isGone(owner: string): Promise<boolean>;
}

export interface AdoptedRuns {
  readonly runs: readonly TakenUp[];
  /** Runs that were executing when too many processes died in a row: they are `stuck` now. */
  readonly stuck: readonly string[];
  /** Whether this process has taken anything, also if nothing in it continues now. */
  readonly isNew: boolean;
  /** The reason why others could not be taken. */
  readonly fault?: unknown;
}

export interface DueRuns {
  readonly runs: readonly TakenUp[];
  /** When the next one is due, in milliseconds since 1970. */
  readonly next?: number | undefined;
}

/** A row of the inbox of a run. */
export interface InboxArrival {
  readonly run: string;
  readonly kind: InboxKind;
  /** The effect that it is for, or the waits to skip. */
  readonly place: string | null;
  /** The run has ended: its process may have died before it ended what others keep for it. */
  readonly isOver: boolean;
  /** Where the run continues, if it waits here and is not in memory. */
  readonly at?: TakenUp | undefined;
}

/** Deletes what is old. All times are milliseconds since 1970; `before` is 0 if only workflows that say so have their runs deleted. */
export interface OldRuns {
  /** Number of runs that ended before this moment and can be deleted. */
  count(before: number, now: number): Promise<number>;
  /** Begins to delete runs; `undefined` if there are none. */
  begin(before: number, now: number): Promise<RunDeletion | undefined>;
  /** Deletes what mentions no run any more: keys, messages, closed questions, modules. */
  deleteRest(before: number, now: number): Promise<void>;
}

export interface RunDeletion {
  /** Deletes some runs. `isOver`: none are left. */
  slice(): Promise<{ readonly deleted: number; readonly isOver: boolean }>;
  end(): Promise<void>;
}

/** Where a run is written while it is in memory: a shard of a folder with many runs, or the row and the legs of one run in a database. */
export interface RunWriter {
  /** Names this writer in the claims of its runs. */
  readonly owner: string;
  /** A number for a new run. @param id 32 hexadecimal digits */
  newRun(id: string): number;
  /** The version of a workflow, if it is stored already. */
  knownVersion(prepared: Prepared): OwnVersion | undefined;
  /** Its module and text are on disk when this resolves. */
  versionOf(prepared: Prepared): Promise<OwnVersion>;
  /** The version that a run was recorded with. */
  recordedVersion(found: FoundRun): OwnVersion;
  /** The version of a run that comes from another store. */
  importedVersion(workflow: string, hash: string, info: VersionInfo): Promise<OwnVersion>;
  /** Adds a write without requesting a commit; returns the argument for `durable`. */
  write(write: StoreWrite): number;
  /** Commits pending writes soon. */
  flush(): void;
  /** Commits pending writes after a moment. Whoever is done with the run waits for the promise, if any: much is pending. */
  flushLazily(): Promise<void> | undefined;
  /** Resolves when this write, and all before it, are durable and the next effect may happen; `undefined` if they already are. */
  durable(generation: number): Promise<void> | undefined;
  /** Whether this write is on disk, even if the run has been lost since. */
  isDurable(generation: number): boolean;
  /** It belongs to this process no more: nothing written since is durable, and no effect may happen. */
  readonly isLost?: boolean;
  /** Stores the description of a call site, once per version. */
  describe(v: number, site: EffectSite): void;
  siteOf(v: number, site: number): StoredSite | undefined;
  /** It was executing, or had been released, when this process took it. */
  readonly wasInterrupted?: boolean;
  /**
   * The run has left memory. Absent if other runs use the writer.
   * @param how it has ended; it is free for any process; or it could not be read, and others should wait before they try
   * @param ending what else has to be done before its state is shown
   */
  leave?(how: 'ended' | 'free' | 'unread', ending?: Promise<void>): Promise<void>;
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
  /** The value of `received`, if the run reads it. */
  readonly received?: WfRecord | undefined;
  /** Hash of the only version that the run may execute, if its request says so. */
  readonly onlyVersion?: string | undefined;
  /** Its journal. */
  readonly entries: readonly EntryRow[];
  readonly extra: RunExtra;
  /** Names of environment variables whose values differ from those at its start. */
  readonly changedEnv?: readonly string[];
  readonly wasWaiting: boolean;
}

/** The store, as far as continuing runs are read from it. */
interface RunSource {
  /** `undefined` if the run is gone. */
  load(run: TakenUp): Promise<LoadedRun | undefined>;
  /** Loads a stored version, once. @throws if its module is gone or damaged */
  runnable(version: OwnVersion): Promise<Runnable>;
}
