// Runs, tasks and journals for front-ends, in the terms of the HTTP API, so that the command line, the console and programs see the same:
// what happened, with all values redacted. Times are ISO 8601 UTC. Types only.
import type { Outcome, OwnAnswer, Redactor, RunError, RunOptions, Value, WfRecord } from '../../../runtime/types.js';
import type { Checked, Emitted } from '../../compiler/compile.js';
import type { ChangeView } from './changes.js';

export type DurableStatus = 'running' | 'waiting' | 'completed' | 'rejected' | 'error' | 'cancelled' | 'stuck';

const finishedStatuses = ['completed', 'rejected', 'error', 'cancelled'] as const satisfies readonly DurableStatus[];

export const durableStatuses: readonly DurableStatus[] = ['running', 'waiting', 'stuck', ...finishedStatuses];

/** Whether a run is over. `stuck` is not: someone can resume it. */
export const isFinished = (status: DurableStatus): boolean => (finishedStatuses as readonly DurableStatus[]).includes(status);

/** The reason why a finished run can't be cancelled or resumed. */
export const deletedProblem = 'It has been deleted.';

export const endedProblem = (status: DurableStatus): string => `The run has already ended, with the status "${status}".`;

export interface WaitingFor {
  readonly kind: 'time' | 'message' | 'person' | 'retry';
  /** When it began. Runs of older versions do not say. */
  readonly since?: string;
  readonly until?: string;
  /** For a message. */
  readonly name?: string;
  /** For a person, or for the call that is retried. */
  readonly service?: string;
  /** Id of the task. */
  readonly task?: string;
  /** Line of the `.wf` file. */
  readonly line?: number;
  /** How many other branches wait. This one is due first. */
  readonly others?: number;
}

/** That the data of a run was erased. */
export interface Erased {
  readonly at: string;
  readonly by?: string;
}

/** The part of a run that a caller who knows its id may see. Outputs are unredacted. */
export interface RunState {
  readonly run: string;
  /** For the run of a called workflow: the run that called it. */
  readonly parent?: string;
  /** Name in the address: the base name of the file. */
  readonly workflow: string;
  /** The version declared in the file. */
  readonly version: number;
  readonly status: DurableStatus;
  readonly createdAt: string;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly waitingFor?: WaitingFor;
  readonly outputs?: WfRecord;
  /** The status and the text that it chose itself, for its caller. */
  readonly answer?: OwnAnswer;
  /** For a run that was rejected, failed, was cancelled or is stuck. */
  readonly message?: string;
  readonly error?: RunError;
  readonly rerunOf?: string;
  /** Its request, results and log were erased. */
  readonly erased?: Erased;
  /** The due time of the timetable that started it. */
  readonly scheduledFor?: string;
}

/** A decision on a call in doubt, made when the run was started as a rerun. */
export interface DoubtDecision {
  readonly line: number;
  /** `again`: it was sent again; `done`: a given result was taken as its own. */
  readonly decision: 'again' | 'done';
  readonly by?: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** One line of the list of runs. */
export interface RunSummary extends Omit<RunState, 'outputs' | 'answer' | 'error'> {
  /** Summary: the first text or number fields of the request, redacted, at most 80 characters. */
  readonly about: string;
  /**
   * The reason why it failed, was rejected or is stuck, in a few words without its values: `Payments: 503`. Runs that failed alike share
   * it.
   */
  readonly reason?: string;
  /** For a run that did not complete: its latest rerun. */
  readonly rerunBy?: string;
  /** A rerun that has completed, so that nothing is left to do; perhaps a rerun of a rerun. */
  readonly madeGoodBy?: string;
  /** Hash of its text and module, for `text`. */
  readonly textHash: string;
  /** Whole milliseconds from its start to its end, or until now. */
  readonly durationMs: number;
}

/** Everything about one run, redacted. */
export interface RunDetail extends RunSummary {
  /** `name` of `config:`. */
  readonly title: string;
  /** For the run of a called workflow: the run that someone started, which it belongs to. */
  readonly root?: string;
  readonly request: WfRecord;
  readonly outputs?: WfRecord;
  readonly answer?: OwnAnswer;
  readonly error?: RunError;
  /** Decisions on calls in doubt of the run that this one repeats. */
  readonly decisions?: readonly DoubtDecision[];
  /** Runs that repeat this one. */
  readonly reruns: readonly string[];
  readonly effects: number;
  /** Changes that people and programs made to it, oldest first; absent if nothing. */
  readonly activity?: readonly ChangeView[];
}

export type RunOrder = 'oldest' | 'due' | 'longest';

export interface RunQuery {
  /** The runs of workflows that this run has called. They are in no other list. */
  readonly parent?: string;
  /** Name in the address. */
  readonly workflow?: string;
  /** The number of a version, or the beginning of its hash; of several, with commas. */
  readonly version?: string;
  /** With `workflow`: also its runs that others have called, as far as the newest runs have called it. */
  readonly withCalled?: boolean;
  readonly status?: DurableStatus;
  /** ISO 8601, by creation time; `since` inclusive, `until` exclusive. */
  readonly since?: string;
  readonly until?: string;
  /** An id or its beginning, or text within the request. In an encrypted store: a whole value that `find by` names. */
  readonly q?: string;
  /** With `q`: also text within the outcome, such as its message. */
  readonly searchesOutcome?: boolean;
  /** The `reason` of a run, whole. */
  readonly reason?: string;
  /** ISO 8601: waiting runs that have waited since then or longer. */
  readonly waitingSince?: string;
  /** Newest first by default. `due`: waiting runs, the first due first. `longest`: by duration. */
  readonly sort?: RunOrder;
  /** Maximum runs that are read to find those with a reason; no limit by default. */
  readonly mostRead?: number;
  /** 1 to 100; 50 by default. */
  readonly limit?: number;
  readonly cursor?: string;
}

/** A filter of the list of runs that someone keeps for everyone. */
export interface SavedView {
  readonly name: string;
  /** The filter, as the query of the address of the list. */
  readonly query: string;
  /** The person who saved it, if known. */
  readonly by?: string | undefined;
}

/** Runs that failed alike. */
export interface ReasonGroup {
  readonly reason: string;
  readonly runs: number;
  /** Names in addresses. */
  readonly workflows: readonly string[];
  /** When the oldest and the newest of them were created. */
  readonly first: string;
  readonly last: string;
  /** Id of the newest one. */
  readonly latest: string;
}

export interface TaskView {
  readonly task: string;
  readonly run: string;
  readonly workflow: string;
  readonly service: string;
  readonly question: string;
  /** The person asked; absent if nobody is named. */
  readonly addressee?: string;
  /** The person who took it or was given it. */
  readonly assignee?: string;
  readonly choices?: readonly string[];
  readonly pairs?: Value;
  readonly askedAt: string;
  readonly due?: string;
  /** `over`: its time is up, or its run has ended. */
  readonly status: 'open' | 'answered' | 'over';
  readonly answer?: string;
  readonly comment?: string;
  readonly by?: string;
  readonly answeredAt?: string;
}

export interface VersionText {
  readonly workflow: string;
  readonly title: string;
  readonly version: number;
  readonly file: string;
  /** Where the file was when its runs started, on the machine that they started on; absent for a called workflow. Never shown. */
  readonly path?: string;
  readonly text: string;
  /** Hash of its text and of the files that are compiled into it: the same whatever version of wf has compiled them, and wherever they are. */
  readonly content: string;
}

export interface StoreStats {
  /** Runs by their current state, created within the last hour and the last day. `error` leaves out those made good by a rerun. */
  readonly lastHour: Readonly<Record<DurableStatus, number>>;
  readonly lastDay: Readonly<Record<DurableStatus, number>>;
  /** Failed runs that were made good. */
  readonly madeGood: { readonly lastHour: number; readonly lastDay: number };
  /** All unfinished runs, however old. */
  readonly unfinished: Readonly<Record<'running' | 'waiting' | 'stuck', number>>;
  readonly workflows: readonly WorkflowStats[];
}

/** Runs of some days. */
export interface DayFigures {
  readonly runs: number;
  readonly failures: number;
  readonly medianMs?: number;
  /** 95 % of the runs took no longer. */
  readonly p95Ms?: number;
}

/** The last 30 days. */
export interface Trend {
  /** Oldest first, up to now. */
  readonly days: readonly Pick<DayFigures, 'runs' | 'failures'>[];
  readonly week: DayFigures;
  readonly month: DayFigures;
}

export interface StoreTrends {
  readonly all: Trend;
  /** By the names of workflows in addresses. */
  readonly workflows: ReadonlyMap<string, Trend>;
}

/** The current contents of a store, for metrics. Moments are milliseconds since 1970. */
export interface StoreGauges {
  readonly runs: readonly UnfinishedRuns[];
  readonly tasks: readonly OpenTasks[];
  /** Since this process renewed its lease; absent for a folder, which needs none. */
  readonly leaseAgeMs?: number;
}

/** The unfinished runs of one workflow in one state. */
export interface UnfinishedRuns {
  readonly workflow: string;
  readonly status: DurableStatus;
  readonly count: number;
  /** When the oldest was created. */
  readonly oldest: number;
}

/** Questions of one workflow without an answer. */
export interface OpenTasks {
  readonly workflow: string;
  readonly open: number;
  /** The number of them that are out of time. */
  readonly overdue: number;
  /** When the oldest was asked. */
  readonly oldest: number;
}

export interface WorkflowStats {
  readonly workflow: string;
  readonly runs: number;
  readonly failures: number;
  readonly medianMs?: number;
  /** 95 % of the runs took no longer. */
  readonly p95Ms?: number;
  /** Runs and failures per hour, oldest first, up to now: 24 items. */
  readonly hours: readonly { readonly runs: number; readonly failures: number }[];
}

export type Health = { readonly ok: true } | { readonly ok: false; readonly problem: string; readonly since: string };

/** A copy of a store, as it was at one moment. */
export interface StoreCopy {
  readonly files: number;
  readonly bytes: number;
}

/** Half-open: `from` is the first position; `limit` is 1,000 by default. */
export interface JournalRange {
  readonly from?: number;
  readonly limit?: number;
}

export interface Journal {
  readonly entries: readonly JournalEntry[];
  /** Position to continue from; absent at the end. */
  readonly next?: number;
}

/** How often recent runs of one text reached its lines. */
export interface LineCounts {
  /** The number of runs that were counted. */
  readonly runs: number;
  /** By line number. */
  readonly lines: ReadonlyMap<number, number>;
}

/** Line of a `for each`, and one of its rounds, from 1. */
export type RoundOfLoop = readonly [line: number, round: number];

export interface Retraced {
  /** The number of times that each statement was reached, by its first line. */
  readonly reached: ReadonlyMap<number, number>;
  /** The `for each` rounds that effects belong to, outermost first, by the position of their first entry in the journal. */
  readonly rounds: ReadonlyMap<number, readonly RoundOfLoop[]>;
  /** The highest round so far of each `for each` that has started, whichever rounds are requested. */
  readonly loops: ReadonlyMap<number, number>;
  /** For each line with a `log` in a loop, by branch (`logAddress`): the rounds of each of its entries, in order. */
  readonly logged: ReadonlyMap<string, readonly (readonly RoundOfLoop[])[]>;
  /** The calls behind the last records, at most one in a branch. A run that executes is making them. */
  readonly next: readonly NextCall[];
  /** The reason why lines may be marked wrongly, as a sentence. Then the result only covers the beginning. */
  readonly doubt?: string;
}

export interface NextCall {
  readonly line: number;
  /** The call in words that people read: `Orders: POST /orders/{request.id}`. */
  readonly title: string;
  /** The path of its branch. */
  readonly branch: string;
}

/** A run that can be executed again against its records. Nothing in it is redacted. */
export interface Recalled {
  readonly checked: Pick<Checked, 'text' | 'workflow'>;
  readonly reachable: Emitted['reachable'];
  readonly request: WfRecord;
  /**
   * Executes it once more, or what it would have done with another request and the same answers. Sends and writes nothing.
   * @returns no outcome if the records end before the run does
   */
  readonly execute: (request: WfRecord, options: RecallOptions) => Promise<Reexecuted>;
}

interface RecallOptions extends Pick<RunOptions, 'onReach' | 'onLog'> {
  /** Lines inside these loops only count in these rounds. */
  readonly only?: readonly RoundOfLoop[];
}

interface Reexecuted {
  readonly outcome: Outcome | undefined;
  readonly redactor: Redactor;
  readonly traced: Retraced;
}

/** One effect, or one part of it, as shown next to its line. All values are redacted copies. */
export interface JournalEntry {
  readonly position: number;
  readonly kind: 'call' | 'workflow' | 'retry' | 'wait' | 'message' | 'person' | 'fork' | 'log' | 'step' | 'warning' | 'resumed';
  readonly line?: number;
  readonly site?: number;
  /** Inside a called workflow: the name of its service, and the line in its file. `line` is that of the call. */
  readonly workflow?: string;
  readonly calledLine?: number;
  /** `""` for the run itself; for branches and rounds, `4.0` or `4.0/2.17` (position of the block, number of the branch). */
  readonly branch: string;
  /** The `for each` rounds that it belongs to, outermost first: line of the loop, then the round, from 1. Absent outside loops. */
  readonly rounds?: readonly (readonly [line: number, round: number])[];
  /** ISO 8601 UTC. */
  readonly startedAt: string;
  /** Absent while it is open. */
  readonly finishedAt?: string;
  readonly attempt?: number;
  readonly ok?: boolean;
  readonly status?: number;
  readonly service?: string;
  /** For `workflow`: the id of its run. */
  readonly run?: string;
  readonly phrase?: string;
  readonly method?: string;
  readonly url?: string;
  /** Cause of a failed attempt. */
  readonly error?: string;
  /** When the next attempt or the end of the wait is due. */
  readonly due?: string;
  /** Sent: pairs of a call, of an expected message, of a question. */
  readonly sent?: WfRecord;
  /** Received: answer, message, decision. */
  readonly answer?: unknown;
  /** Headers of a failing answer that say what to do next. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For `log`, `step`, `warning`, `resumed`. */
  readonly message?: string;
}
