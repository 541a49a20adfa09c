// The interface of durable runs for every front-end, whichever store is used: `wf run`, `runs`, `tasks`, `serve`, `schedule` and the
// console use this and nothing below it. Types only; `open-store.ts` opens an engine.
import type {
  Environment,
  LogEntry,
  Outcome,
  RunOptions,
  Transport,
  Value,
  WfRecord,
  WorkflowInfo,
} from '../../runtime/types.js';
import type { Prepared } from '../engine/prepare/prepared.js';
import type { RunObserver } from '../engine/records/run-record.js';
import type { Actor, AskedChange, ChangesQuery, ChangeView, WasMade } from './model/changes.js';
import type { GivenUp } from './model/file-troubles.js';
import type { RunMoving } from './model/portable-lines.js';
import type {
  Health,
  Journal,
  JournalEntry,
  JournalRange,
  LineCounts,
  ReasonGroup,
  Recalled,
  Retraced,
  RoundOfLoop,
  RunDetail,
  RunQuery,
  RunState,
  RunSummary,
  SavedView,
  StoreCopy,
  StoreGauges,
  StoreStats,
  StoreTrends,
  TaskView,
  VersionText,
} from './model/run-views.js';
import type { NewAssignee } from './model/tasks.js';

/** @param left resolves when the run leaves memory */
export type TakenUpListener = (workflow: string, left: Promise<unknown>) => void;

/** Lives as long as the process; thousands of runs pass through it. No method rejects because of a workflow or a caller. */
export interface DurableEngine {
  /**
   * Accepts and starts a run. A promise if callers may not learn of it yet: it resolves when its request is on disk.
   */
  start(request: StartRequest): Started | Promise<Started>;
  /** Records that a caller was told that this run is accepted; on disk when it resolves. */
  acknowledge(id: string): Promise<void>;
  /** Resolves with the state of the run when it has ended, when it waits as `until` says, or after `ms`; `undefined` for unknown ids. */
  settled(id: string, until: 'ended' | 'paused', ms: number): Promise<RunState | undefined>;
  /** The state of a run for callers, with unredacted outputs. */
  state(id: string): Promise<RunState | undefined>;
  /** Everything about a run for operators, redacted. `undefined` for unknown ids. */
  get(id: string): Promise<RunDetail | undefined>;
  /** Newest first, stable under new runs. */
  list(query: RunQuery): Promise<RunPage>;
  /** Counts the runs that `list` finds on all its pages, up to `most`. */
  count(query: RunQuery, most: number): Promise<number>;
  /** The runs of a filter that failed or are stuck, or those in the state that it names, grouped by their reason: the largest group first. */
  reasons(query: RunQuery): Promise<readonly ReasonGroup[]>;
  /** The journal for display, in log order and in parts, because a run may have 100,000 effects. */
  journal(id: string, range?: JournalRange): Promise<Journal | undefined>;
  /**
   * Executes a run once more against its records, up to its current point, to find the lines it reached. Sends and writes nothing.
   * @param only count lines inside these loops in these rounds only
   */
  retrace(id: string, only?: readonly RoundOfLoop[]): Promise<Retraced | undefined>;
  /** A run that can be executed again, to say why it ended as it did. `undefined` for unknown ids and texts that can't be compiled. */
  recall(id: string): Promise<Recalled | undefined>;
  /** Log entries, oldest first. Limited to 10,000, as in a log file. */
  log(id: string): Promise<readonly LogEntry[]>;

  /** A key that every process over the store has, and nobody else. */
  keyFor(purpose: string): Promise<string>;
  /** Whether somebody has ended this session of the console, in any process. @param expiresAt milliseconds since 1970 */
  isSessionEnded(id: string, expiresAt: number): Promise<boolean>;
  endSession(id: string, expiresAt: number, now: number): Promise<void>;
  /** The record of changes by people and programs. A change is recorded if `by` is given. */
  readonly changes: ChangeRecord;
  cancel(id: string, by?: Actor): Promise<Change>;
  /**
   * Cancels runs together, much faster than one by one.
   * @param ids of runs that no other run called
   * @returns those that could not be cancelled, each with the reason
   */
  cancelMany(ids: readonly string[], by?: Actor): Promise<ReadonlyMap<string, string>>;
  /** Retries a `stuck` run, or continues an unfinished one that no process is executing. */
  resume(id: string, by?: Actor): Promise<Change>;
  rerun(id: string, how: RerunRequest, by?: Actor): Promise<Rerun>;
  /** The calls that someone has to decide on before this run can be rerun from its failure. */
  inDoubt(id: string): Promise<readonly CallInDoubt[]>;
  /** Erases the data of a finished run. What remains: that it ran, when, how it ended, and who asked for this. */
  erase(id: string, by?: Actor): Promise<Change>;
  /** Ends the wait of a run before it calls a service again. */
  retry(id: string, by?: Actor): Promise<Change>;
  /**
   * Ends a wait of a run as if its time had come: until a moment, or for a message or an answer that may be too late.
   * @param line of the wait; by default, the one that the run is shown to wait for
   */
  skip(id: string, line?: number, by?: Actor): Promise<Change>;
  /** A command waits for this run, so this process continues it after its pauses even if `serve` was not called. */
  attend(id: string): void;

  send(message: MessageRequest, by?: Actor): Promise<Sent>;
  /** Open tasks, the most urgent first; then, if requested, answered and expired ones, newest first. */
  tasks(query?: TaskQuery): Promise<TaskPage>;
  /** With `key`: only if it is the key of this task (compared in constant time). */
  task(id: string, key?: string): Promise<TaskView | undefined>;
  answer(id: string, answer: TaskReply, by?: Actor): Promise<Answered>;
  /** Assigns an open task to a person, for others to see. Anyone who may answer it still may. */
  assign(id: string, assignment: NewAssignee, by?: Actor): Promise<Assigned>;

  readonly views: SavedViewList;

  /** Figures for the console; `since` (ISO 8601) bounds those of workflows and lines. */
  stats(since: string): Promise<StoreStats>;
  /** The runs of the last 30 days, day by day. */
  trends(): Promise<StoreTrends>;
  /** Unfinished runs and tasks, for metrics. Rejects if the store can't be read. */
  gauges(): Promise<StoreGauges>;
  /** How often recent finished runs of a version reached each line. */
  reached(version: string, since: string): Promise<LineCounts>;
  /** The text of a version of a workflow; `version` is the hash that runs refer to. */
  text(version: string): Promise<VersionText | undefined>;
  /** Hashes of the versions of a workflow that runs have used, the latest ones first. A text has several if wf compiled it differently since. */
  versionsOf(workflow: string): Promise<readonly string[]>;
  /** Versions that unfinished runs still use, with the number of runs. */
  versionsInUse(): Promise<readonly { readonly workflow: string; readonly version: string; readonly runs: number }[]>;

  /**
   * Calls back, at most every 250 ms, with the ids of runs and tasks that changed anywhere in the store. Returns a function that stops
   * this.
   */
  watch(callback: (changed: Changed) => void): () => void;
  /** Tells of each run that this process continues from now on, and of the moment at which it leaves memory. */
  onTakenUp(tell: TakenUpListener): void;
  /** Finished runs, oldest first, with their journals: one object each. */
  export(since?: string): AsyncIterable<ExportedRun>;
  /** All runs as they are stored, with what they need to continue in another store. Contains requests and results as they are. */
  readonly moving: RunMoving;
  /** Deletes finished runs older than this, in slices of at most 20 ms. */
  prune(options: { readonly olderThanMs: number; readonly dryRun?: boolean }): Promise<{ readonly runs: number }>;
  /** The timetables of workflows, for all processes. */
  readonly timetables: Timetables;
  /** Encrypts everything with another key (32 bytes), or with none. Needs exclusive use of the store. */
  rekey(key: Uint8Array | undefined, by?: Actor): Promise<void>;
  /** Gives up the runs in a file that is lost or damaged. Needs exclusive use of the store. @throws UsageError also if the file can be read */
  giveUp(file: string, by?: Actor): Promise<GivenUp>;
  /**
   * Copies the store, as it is at one moment, while it is used.
   * @param target an absolute path, with nothing at it yet
   * @throws UsageError also for a store that is no folder
   */
  backUp(target: string): Promise<StoreCopy>;
  /** Whether new runs can be recorded now. */
  health(): Health;

  /** Starts adopting the runs of dead processes and waking waiting ones. */
  serve(): Promise<void>;
  /**
   * Milliseconds for calls in progress to be recorded. Then runs are released and the store is closed.
   * @param beforeClosing called when all runs have left; until it resolves, the store still tells their states
   */
  close(graceMs: number, beforeClosing?: () => Promise<void>): Promise<{ readonly released: number }>;
}

export interface ChangeRecord {
  /** Makes a change and keeps it on record. @param made says of the result whether anything has changed */
  during<T>(change: AskedChange, make: () => Promise<T>, made: (result: T) => WasMade): Promise<T>;
  /** Records a change of the whole store that nothing can refuse any more. */
  record(change: Omit<AskedChange, 'run'>): Promise<void>;
  /** Records a change that may be told several times. @param since when the first time was at the earliest; by default, a minute ago */
  recordOnce(change: AskedChange, since?: number): Promise<void>;
  /** Adds changes of another store to the record, in the given order, except for those that are there already. */
  take(changes: readonly ChangeView[]): Promise<void>;
  /** Oldest first. */
  list(query?: ChangesQuery): AsyncIterable<ChangeView>;
}

/** Filters of the list of runs that people keep for everyone. */
interface SavedViewList {
  /** By name. */
  list(): Promise<readonly SavedView[]>;
  /**
   * Replaces one of the same name. Returns the name that it has now, and whether there was room.
   * @param workflows whose secrets are not kept in a name or a filter
   */
  save(
    view: SavedView,
    workflows: readonly Pick<WorkflowInfo, 'env'>[],
  ): Promise<{ readonly name: string; readonly isSaved: boolean }>;
  remove(name: string): Promise<void>;
}

export interface RunPage {
  readonly runs: readonly RunSummary[];
  /** The cursor of the next page. */
  readonly next?: string;
  /** Names of damaged and missing files, whose runs are left out. */
  readonly unreadable?: readonly string[];
  /** The reason why a search found nothing, in an encrypted store. */
  readonly note?: string;
}

export interface Timetables {
  /**
   * Due times of a timetable up to this moment (milliseconds since 1970) are done, in whatever process; `undefined` before its first start,
   * and after a change of plan.
   */
  seen(workflow: string, plan: string): Promise<number | undefined>;
  /** Due times up to this moment are done. Never moves back under the same plan. */
  done(workflow: string, plan: string, until: number): Promise<void>;
}

export interface StartRequest {
  readonly prepared: Prepared;
  readonly request: WfRecord;
  /** The request as it was sent, before the workflow's inputs filled in defaults. */
  readonly sent?: WfRecord | undefined;
  /** HTTP's `Idempotency-Key`, per workflow. Another use of it must have an equal request. */
  readonly key?: string | undefined;
  /** Starts nothing: only asks for the run that has this key. */
  readonly onlyAsks?: boolean;
  /** The due time (ISO 8601 UTC) that starts this run. Each is one run of the workflow, whoever starts it. Excludes `key`. */
  readonly scheduledFor?: string;
  /** IANA name of the time zone for a workflow that names none; UTC by default. */
  readonly timezone?: string | undefined;
  /** The answer precedes the outcome, so the run is on disk when `start` resolves. */
  readonly respondAsync?: boolean;
  /** For the outcome of a run that was started before, which may be long. */
  readonly reading?: ReadingTurn;
  /** Called with the id of the run before any of it happens. */
  readonly onStart?: (run: string) => void;
  /** Log entries and exchanges as they happen in this process, never those recorded earlier. */
  readonly options?: Pick<
    RunOptions,
    'onLog' | 'onExchange' | 'onProgress' | 'timeoutMs' | 'signal' | 'keepLog' | 'requestId' | 'traceparent' | 'received'
  >;
}

/** The turn of a request to read a run from the store. The request ends it when it has used what it read. */
export interface ReadingTurn {
  /** Resolves when it begins. */
  readonly enter: () => Promise<void>;
  /** There was nothing to read. */
  readonly leave: () => void;
}

/** A run that this process executes. */
export interface StartedHere {
  readonly kind: 'started';
  readonly run: string;
  readonly end: Promise<Ended>;
  /** Its end; `undefined` after `ms` milliseconds, or as soon as the store can't be used. */
  endWithin(ms: number): Promise<Ended | undefined>;
  /**
   * Whether the run and its request are on disk, so that its caller may be told of it. Waits for that while the store can be used.
   * @param isPatient also waits while it can't: no client does
   */
  recorded(isPatient?: boolean): Promise<boolean>;
}

export type Started =
  | StartedHere
  /** The key was used before, with an equal request. `acknowledged`: a caller was already told that the run is accepted. */
  | { readonly kind: 'known'; readonly run: string; readonly state: RunState; readonly acknowledged: boolean }
  /** The key was used before, with another request. */
  | { readonly kind: 'other request'; readonly run: string }
  /** `once for each`: a run with an equal value has completed, and has been deleted since. */
  | { readonly kind: 'done before'; readonly run: string }
  /** The request only asked, and its key is new. */
  | { readonly kind: 'new key' }
  | { readonly kind: 'unavailable'; readonly problem: string }
  /** The store can't be used, and this run is not on disk: it may still start when the store can be used again. */
  | { readonly kind: 'unrecorded'; readonly run: string };

/** The way in which a run left this process. `cause`: the bug behind an internal error, which is not stored. `paused` is reported once, when it begins to wait for longer than 30 s, a message or a person. */
export type Ended =
  | { readonly kind: 'outcome'; readonly outcome: Outcome; readonly cause?: unknown }
  | { readonly kind: 'paused' | 'released' | 'lost' | 'cancelled' | 'stuck'; readonly state: RunState };

/**
 * `asked`: another process has the run and does not respond; it makes the change as soon as it does. `not possible`: the state forbids it.
 * `elsewhere`: another process has the run and was not asked through the store.
 */
export type Change =
  | { readonly kind: 'done' | 'asked'; readonly state: RunState }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not possible'; readonly state: RunState; readonly problem: string }
  | { readonly kind: 'elsewhere'; readonly state: RunState };

export interface RerunRequest {
  readonly from: 'start' | 'failure';
  readonly workflow: 'recorded' | 'current';
  /** From the failure: lines of calls in doubt to send again. */
  readonly again?: readonly number[];
  /** From the failure: results of calls in doubt, which are not sent. Several for one line belong to its calls in their order. */
  readonly done?: readonly { readonly line: number; readonly result: Value }[];
  /** The name of whoever decided that, if known. */
  readonly by?: string | undefined;
  /** Refuses a run that has been rerun, even by someone else at the same time. */
  readonly onlyFirst?: boolean;
  /** HTTP's `Idempotency-Key`, for this run. */
  readonly key?: string | undefined;
}

/** A call `at most once` that its service may or may not have received. */
export interface CallInDoubt {
  readonly line: number;
  /** Inside a called workflow: the name of its service, and the line in its file. */
  readonly workflow?: string;
  readonly calledLine?: number;
  readonly service?: string;
  readonly phrase?: string;
  /** ISO 8601 UTC. */
  readonly sentAt: string;
  /** The reason why that is not known, as part of a sentence. */
  readonly reason: string;
}

export type Rerun =
  | Omit<StartedHere, 'endWithin' | 'recorded'>
  | { readonly kind: 'unknown' }
  /** Someone has to decide on these calls first. */
  | { readonly kind: 'in doubt'; readonly calls: readonly CallInDoubt[] }
  /** The key was used before, with an equal request. */
  | { readonly kind: 'known'; readonly run: string }
  /** `fromStart`: it is possible from the start, as `problem` says. `hasOne`: it is possible unless `onlyFirst` is set. */
  | { readonly kind: 'not possible'; readonly problem: string; readonly fromStart?: true; readonly hasOne?: true };

export interface MessageRequest {
  readonly name: string;
  readonly body: WfRecord;
  /** Only for this run. */
  readonly run?: string;
  /** Sent twice with the same key, it is delivered once. */
  readonly key?: string;
}

export type Sent =
  | { readonly kind: 'sent'; readonly delivered: 0 | 1; readonly run?: string; readonly keptUntil?: string }
  /** The key was used before with another body. */
  | { readonly kind: 'other body' }
  | { readonly kind: 'unknown run' }
  | { readonly kind: 'run finished' };

export interface TaskReply {
  readonly answer: string;
  readonly comment?: string;
  readonly by?: string;
}

export interface TaskQuery {
  readonly closed?: boolean;
  /** Only those addressed to this person, or taken by them. */
  readonly for?: string;
  /** Only those of this workflow, by its name in addresses. */
  readonly workflow?: string;
  /** Only those that this run asks. */
  readonly run?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export interface TaskPage {
  readonly tasks: readonly TaskView[];
  readonly next?: string;
}

export type Answered =
  | { readonly kind: 'answered'; readonly task: TaskView }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'no choice'; readonly choices: readonly string[] }
  /** The answer, the comment or the name of the person exceeds `mostOfAnswer`. */
  | { readonly kind: 'too long' }
  /** `task` says who answered, and when. */
  | { readonly kind: 'answered before'; readonly task: TaskView }
  /** Its time is up, or its run has ended. */
  | { readonly kind: 'over'; readonly task: TaskView };

export type Assigned =
  | { readonly kind: 'assigned'; readonly task: TaskView }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'too long' }
  /** Someone else has it: `task` says who. */
  | { readonly kind: 'taken'; readonly task: TaskView }
  /** The question is answered, or its time is over. */
  | { readonly kind: 'closed'; readonly task: TaskView };

export interface ExportedRun extends RunDetail {
  readonly journal: readonly JournalEntry[];
}

export interface Changed {
  /** Ids of runs that changed. */
  readonly runs: readonly string[];
  readonly tasks: boolean;
  /** Something changed in another process, so views must be refreshed. */
  readonly elsewhere?: boolean;
}

/** A run that ended as `error` when nobody waited for its answer any more. */
export interface FailedRun {
  readonly run: string;
  /** The name under which the workflow is served. */
  readonly workflow: string;
  readonly file: string;
  readonly outcome: Outcome;
  /** The bug behind an internal error. */
  readonly cause: unknown;
}

/** A run that ended in this process, or that is stuck. */
export interface RunHere {
  readonly run: string;
  /** Base name of the `.wf` file. */
  readonly file: string;
  /** Empty if the file has none. */
  readonly trigger: string;
  readonly isStuck: boolean;
}

export interface OpenStoreOptions {
  /** The variables that workflows read as `env`; `WF_STORE_KEY` is the key of the store. */
  readonly env: Environment;
  readonly cwd: string;
  /** The workflow currently served under a name, for reruns with the current text. */
  readonly current?: (workflow: string) => Prepared | undefined;
  /** Milliseconds to keep finished runs; forever by default. */
  readonly keepMs?: number | undefined;
  /** Milliseconds to keep messages that no run waits for; 7 days by default. */
  readonly keepMessagesMs?: number | undefined;
  /** Start of the links of tasks; `http://localhost:3000` by default. */
  readonly publicUrl?: string | undefined;
  /** More text to keep out of logs: a server's tokens. */
  readonly secrets?: readonly string[];
  readonly strictEnv?: boolean;
  /** Opens the store to change its key, and for nothing else. */
  readonly isRekeying?: boolean;
  /** Called with a sentence when the store can't be written, and when it can be again. */
  readonly onProblem?: (sentence: string) => void;
  /** Receives the log lines of runs that continue here: adopted ones, and ones that waited for long. */
  readonly onLog?: (run: string, entry: LogEntry, workflow: string) => void;
  /** Receives the error of a run that ended here after it was adopted or had waited. Secrets are redacted. */
  readonly onError?: (failed: FailedRun) => void;
  /** Receives each run that ends here, or gets stuck. The store stays open until that is done. Must not reject. */
  readonly onLeft?: (left: RunHere) => Promise<void>;
  readonly transport?: Transport;
  /** Counts the runs that this process executes. */
  readonly observer?: RunObserver | undefined;
  /** Milliseconds that a run may work, given the limit of its file; 0 for none. For runs that continue here. */
  readonly limitOf?: (workflowMs: number | undefined) => number;
}
