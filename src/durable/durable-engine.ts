// What every front-end sees of durable runs, whichever store keeps them: `wf run`, `runs`, `tasks`, `serve`, `schedule` and the console use
// this and nothing below it. Types only; `open-store.ts` gives an engine for a place.
import type { LogEntry, Outcome, RunOptions, WfRecord } from '../../runtime/types.js';
import type { Prepared } from '../engine/prepared.js';
import type { DurableStatus, RunDetail, RunQuery, RunState, RunSummary, StoreStats, TaskView, VersionText } from './run-views.js';

/** Opens and closes with the process; thousands of runs pass through it. No method rejects for what a workflow or a caller does. */
export interface DurableEngine {
  /**
   * Accepts a run and begins it. Resolves when the run may be spoken of: at once for a run whose first record may be written after its
   * answer, else when its request is on disk.
   */
  start(request: StartRequest): Promise<Started>;
  /** Remembers that a caller was told that this run is accepted; on disk when it resolves. */
  acknowledge(id: string): Promise<void>;
  /** Resolves with the state of the run when it has ended or waits as `until` says, or when `ms` are over; `undefined` for unknown ids. */
  settled(id: string, until: 'ended' | 'paused', ms: number): Promise<RunState | undefined>;
  /** The state of a run, for callers: outputs as they are. */
  state(id: string): Promise<RunState | undefined>;
  /** Everything about a run for operators: redacted copies. `undefined` for unknown ids. */
  get(id: string): Promise<RunDetail | undefined>;
  /** Newest first, stable under new runs. `next` is the cursor of the next page. */
  list(query: RunQuery): Promise<{ readonly runs: readonly RunSummary[]; readonly next?: string }>;
  /** The journal for display, in the order of the log; in parts, because a run may have 100,000 effects. */
  journal(id: string, range?: JournalRange): Promise<Journal | undefined>;
  /**
   * Executes a run once more against its records, up to where it stands, to tell which lines it came to: nothing is sent or written.
   * @param only count lines inside of these loops in these rounds only
   */
  retrace(id: string, only?: readonly RoundOfLoop[]): Promise<Retraced | undefined>;
  /** Log entries, oldest first; 10,000 at most, as in a log file. */
  log(id: string): Promise<readonly LogEntry[]>;

  cancel(id: string, by?: string): Promise<Change>;
  /** A `stuck` run tries again; an unfinished one that no process has goes on in this one. */
  resume(id: string): Promise<Change>;
  rerun(id: string, how: RerunRequest): Promise<Rerun>;

  send(message: MessageRequest): Promise<Sent>;
  /** Open ones, the most urgent first; then, where asked for, answered and expired ones, newest first. */
  tasks(query?: { readonly closed?: boolean; readonly limit?: number; readonly cursor?: string }): Promise<TaskPage>;
  /** With `key`: only where it is the key of this task (compared in constant time). */
  task(id: string, key?: string): Promise<TaskView | undefined>;
  answer(id: string, answer: TaskReply): Promise<Answered>;

  /** Numbers for the console; `since` bounds those of workflows and lines (ISO 8601). */
  stats(since: string): Promise<StoreStats>;
  /** How often each line was reached in finished runs of a version lately, by line number. */
  reached(version: string, since: string): Promise<ReadonlyMap<number, number>>;
  /** The text of a version of a workflow; `version` is the hash that runs name. */
  text(version: string): Promise<VersionText | undefined>;
  /** Versions that unfinished runs still use, and how many of each. */
  versionsInUse(): Promise<readonly { readonly workflow: string; readonly version: string; readonly runs: number }[]>;

  /** Calls back, at most every 250 ms, with the ids of runs and tasks that changed anywhere in the store. Returns what ends it. */
  watch(callback: (changed: Changed) => void): () => void;
  /** Finished runs, oldest first, with their journals: one object each. */
  export(since?: string): AsyncIterable<ExportedRun>;
  /** Deletes finished runs older than this, in slices of 20 ms at most. */
  prune(options: { readonly olderThanMs: number; readonly dryRun?: boolean }): Promise<{ readonly runs: number }>;
  /** What all processes know of the timetables of workflows. */
  readonly timetables: Timetables;
  /** Encrypts everything with another key (32 bytes), or with none. Needs the store for itself. */
  rekey(key: Uint8Array | undefined): Promise<void>;
  /** Whether new runs can be recorded now. */
  health(): Health;

  /** From now on the runs of dead processes are adopted, and waiting ones wake. */
  serve(): Promise<void>;
  /** Milliseconds for calls in flight to be recorded; then runs are let go, and the store is closed. */
  close(graceMs: number): Promise<{ readonly released: number }>;
}

export interface Timetables {
  /**
   * Up to which moment (milliseconds since 1970) the due times of a timetable are dealt with, in whatever process; `undefined` before its
   * first start, and after another plan was in force.
   */
  seen(workflow: string, plan: string): Promise<number | undefined>;
  /** Due times up to this moment are dealt with. Under one plan, it never goes back. */
  done(workflow: string, plan: string, until: number): Promise<void>;
}

export interface StartRequest {
  readonly prepared: Prepared;
  readonly request: WfRecord;
  /** The `Idempotency-Key` of HTTP, per workflow: another use of it must have an equal request. */
  readonly key?: string;
  /** The due time (ISO 8601 UTC) that starts this run: each is one run of the workflow, whoever starts it. Not together with `key`. */
  readonly scheduledFor?: string;
  /** IANA name of the time zone for a workflow that names none; UTC if it is left out. */
  readonly timezone?: string | undefined;
  /** The answer comes before the outcome: the run is on disk when `start` resolves. */
  readonly respondAsync?: boolean;
  /** Told the id of the run before anything of it happens. */
  readonly onStart?: (run: string) => void;
  /** Log entries and exchanges as they happen in this process; never those that were recorded before. */
  readonly options?: Pick<RunOptions, 'onLog' | 'onExchange' | 'onProgress' | 'timeoutMs' | 'signal' | 'keepLog'>;
}

export type Started =
  | { readonly kind: 'started'; readonly run: string; readonly end: Promise<Ended> }
  /** The key was used before, with an equal request. `acknowledged`: a caller was answered already that the run is accepted. */
  | { readonly kind: 'known'; readonly run: string; readonly state: RunState; readonly acknowledged: boolean }
  /** The key was used before, with another request. */
  | { readonly kind: 'other request'; readonly run: string }
  | { readonly kind: 'unavailable'; readonly problem: string };

/** How a run left this process. `paused` is told once, when it begins to wait for longer than 30 s, a message or a person. */
export type Ended =
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | { readonly kind: 'paused' | 'released' | 'lost' | 'cancelled' | 'stuck'; readonly state: RunState };

/** `not possible`: the state forbids it; `elsewhere`: a living process has the run and was not asked through the store. */
export type Change =
  | { readonly kind: 'done'; readonly state: RunState }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not possible'; readonly state: RunState; readonly problem: string }
  | { readonly kind: 'elsewhere'; readonly state: RunState };

export interface RerunRequest {
  readonly from: 'start' | 'failure';
  readonly workflow: 'recorded' | 'current';
}

export type Rerun =
  | { readonly kind: 'started'; readonly run: string; readonly end: Promise<Ended> }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not possible'; readonly problem: string };

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

export interface TaskPage {
  readonly tasks: readonly TaskView[];
  readonly next?: string;
}

export type Answered =
  | { readonly kind: 'answered'; readonly task: TaskView }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'no choice'; readonly choices: readonly string[] }
  /** `task` says who answered, and when. */
  | { readonly kind: 'answered before'; readonly task: TaskView }
  /** Its time is over, or its run has ended. */
  | { readonly kind: 'over'; readonly task: TaskView };

/** Half-open: `from` is the first position; `limit` 1,000 where it is left out. */
export interface JournalRange {
  readonly from?: number;
  readonly limit?: number;
}

export interface Journal {
  readonly entries: readonly JournalEntry[];
  /** Position to go on from; left out at the end. */
  readonly next?: number;
}

/** Line of a `for each`, and a round of it, from 1. */
export type RoundOfLoop = readonly [line: number, round: number];

export interface Retraced {
  /** How often each statement was reached, by the line that it begins on. */
  readonly reached: ReadonlyMap<number, number>;
  /** The rounds of `for each` that effects belong to, outermost first, by the position of their first entry in the journal. */
  readonly rounds: ReadonlyMap<number, readonly RoundOfLoop[]>;
  /** Of each `for each` that has gone round: its highest round so far, whichever rounds are asked for. */
  readonly loops: ReadonlyMap<number, number>;
  /** Of each line in a loop with a `log`, by branch (`placeOfLog`): the rounds of each time that it logged, in their order. */
  readonly logged: ReadonlyMap<string, readonly (readonly RoundOfLoop[])[]>;
  /** False where it took too long, or came another way than recorded: then what is known is a beginning. */
  readonly isWhole: boolean;
}

/** One effect, or one part of it, as it is shown beside its line. All values are redacted copies. */
export interface JournalEntry {
  readonly position: number;
  readonly kind: 'call' | 'retry' | 'wait' | 'message' | 'person' | 'fork' | 'log' | 'step' | 'warning' | 'resumed';
  readonly line?: number;
  readonly site?: number;
  /** `""` for the run itself; branches and rounds: `4.0`, `4.0/2.17` (position of the block, number of the branch). */
  readonly branch: string;
  /** The rounds of `for each` that it belongs to, outermost first: line of the loop, then the round, from 1. Left out outside of loops. */
  readonly rounds?: readonly (readonly [line: number, round: number])[];
  /** ISO 8601 UTC. */
  readonly startedAt: string;
  /** Left out while it is open. */
  readonly finishedAt?: string;
  readonly attempt?: number;
  readonly ok?: boolean;
  readonly status?: number;
  readonly service?: string;
  readonly phrase?: string;
  readonly method?: string;
  readonly url?: string;
  /** Cause of a failed attempt. */
  readonly error?: string;
  /** When the next attempt or the end of the wait is due. */
  readonly due?: string;
  /** What was sent: pairs of a call, of a wanted message, of a question. */
  readonly sent?: WfRecord;
  /** What came back: answer, message, decision. */
  readonly answer?: unknown;
  /** Of `log`, `step`, `warning`, `resumed`. */
  readonly message?: string;
}

export interface ExportedRun extends RunDetail {
  readonly journal: readonly JournalEntry[];
}

export interface Changed {
  readonly runs: readonly { readonly run: string; readonly status: DurableStatus }[];
  readonly tasks: boolean;
  /** Something changed in another process: whoever shows anything looks at it again. */
  readonly elsewhere?: boolean;
}

export type Health = { readonly ok: true } | { readonly ok: false; readonly problem: string; readonly since: string };
