// The interface between a run and the engine that stores it: protocol 1 between the runtime and `src/durable`. Stored modules
// include their own runtime, so later engines must keep supporting this protocol. Only plain data, callbacks and suspensions
// pass through it.
import type { TimeSpan } from '../dates/date-unit.js';
import type { LogEntry, Outcome } from '../run/outcome-types.js';
import type { Value, WfRecord } from '../values/value-types.js';

type EffectKind = 'call' | 'wait' | 'message' | 'person' | 'fork';

/**
 * The place of an effect in its workflow. `kind` and `site` are compared when a run resumes, `identity` when another text
 * replays its records; the rest is for display. Contains no values.
 */
export interface EffectSite {
  readonly kind: EffectKind;
  /** Number of the place within its module: from 0, and below 0 in the workflows that it calls. */
  readonly site: number;
  /** Line of the `.wf` file; inside a called workflow, the line of the outermost call. */
  readonly line: number;
  /** A description for people: `Orders: POST /orders/{request.id}`. Its wording may change. */
  readonly title: string;
  /**
   * A description for comparison: whether the effect recorded by one text of a workflow is that of another text. Never shown, and its form
   * never changes. Absent in what older versions recorded.
   */
  readonly identity?: string;
  readonly service?: string;
  readonly serviceKind?: string;
  readonly phrase?: string;
  readonly method?: string;
  /** Inside a called workflow: its file, and what the place is there. */
  readonly inside?: { readonly file: string; readonly line: number; readonly title: string; readonly identity?: string };
  /** For display: the `for each` rounds around it, outermost first, as the line of the loop and the round, counting from 1. */
  readonly rounds?: readonly (readonly [line: number, round: number])[];
}

/**
 * The part of an effect that the history shows. Redacted when it is created, because the environment may have changed when it is read.
 */
export interface EffectShown {
  readonly url?: string;
  /** The pairs that were sent. */
  readonly pairs?: Value;
  /** The answer; absent if it contains no secret, so that the recorded value can be shown. */
  readonly value?: Value;
}

/** The result of an attempt: `result` is recorded as JSON and returned when the run resumes. */
export interface Performed<T> {
  readonly result: T;
  readonly shown: EffectShown;
}

/** `replayed`: it comes from the record. Nothing was sent, and its log entry already exists. */
export interface Recorded<T> {
  readonly result: T;
  readonly replayed: boolean;
}

export interface AttemptOptions<T> {
  /** `at most once`: the intent is recorded before sending. A call in doubt gets this result instead of a second request. */
  readonly inDoubt?: () => T;
  /** The call has to wait for its turn; nothing is sent, or counts as an intent, before this resolves. */
  readonly turn?: () => Promise<void> | undefined;
}

/** One call of a service with all its attempts: one position in the journal. */
export interface DurableCall {
  /** Its `Idempotency-Key`, the same for every attempt and after every resumption. */
  readonly key: string;
  /** True if `attempt` would return a recorded result, so nothing needs to be prepared. */
  hasRecord(attempt: number): boolean;
  /**
   * The recorded result, or that of `perform` once everything before it is on disk.
   * @param attempt counting from 1; 0 for a call that could not be sent, which is recorded without waiting for the disk
   * @throws a suspension
   */
  attempt<T>(attempt: number, perform: () => Promise<Performed<T>>, options?: AttemptOptions<T>): Promise<Recorded<T>>;
  /**
   * The wait before the next attempt. Its due time is recorded; after a restart, only the rest of it is waited.
   * @param begin called if it begins now rather than in an earlier process
   * @throws a suspension, or whatever `sleep` throws
   */
  pause(attempt: number, ms: number, sleep: Sleep, begin: () => void): Promise<void>;
}

/** Waits this long in memory, or until `wake` resolves. Rejects if the run ends meanwhile. */
export type Sleep = (ms: number, wake?: Promise<unknown>) => Promise<void>;

/** The wait of a run: for the first message named `name` with these fields or, without fields, any message sent to this run. */
export interface WantedMessage {
  readonly name: string;
  readonly pairs: readonly (readonly [key: string, value: Value])[];
  /** Milliseconds; absent for as long as the run may take. */
  readonly timeoutMs?: number;
}

/** A question to a person. */
export interface Question {
  readonly service: string;
  readonly question: string;
  /** Who is asked, such as a mail address; absent if nobody is named. */
  readonly addressee?: string;
  /** If absent, any text is an answer. */
  readonly choices?: readonly string[];
  readonly pairs: readonly (readonly [key: string, value: Value])[];
  readonly timeoutMs?: number;
  /** The limit as written, if its length depends on the calendar. */
  readonly within?: TimeSpan;
  readonly remindMs?: number;
}

/** Milliseconds from a question until this reminder, counting from 1. @param asked milliseconds since 1970 */
export type RemindersAt = (asked: number, reminder: number) => number;

/** A task as the notification describes it. */
export interface AskedTask {
  readonly task: string;
  readonly run: string;
  readonly question: string;
  /** ISO 8601 UTC. */
  readonly due?: string;
  /** The link of the task, with its key; absent without a store, where nobody can answer. */
  readonly url?: string;
}

/** @param answered resolves when someone has answered: what is still being sent is given up */
export type Notify = (task: AskedTask, reminder: number, branch: DurableBranch, answered: Promise<void>) => Promise<void>;

export interface TaskAnswer {
  readonly answer: string;
  readonly comment: Value;
  readonly by: Value;
}

/** `at the same time:` or `for each …, N at a time:`. Its branches number their effects separately. */
export interface DurableFork {
  /** The recorded end of the block, if there is one. It counts, whatever ends first this time. */
  readonly ended: ForkEnd | undefined;
  /** When the block began, in milliseconds since 1970; absent in older engines. */
  readonly startedAt?: number;
  /** The number of branches or rounds that have begun according to the records. They count, even if the loop is stopped. */
  readonly begun: number;
  /**
   * Opens the branch or round with this number, counting from 0. If `ended` names another branch that ended the run, an effect without a
   * record throws a suspension, which the caller ignores.
   */
  branch(index: number): DurableBranch;
  /**
   * Call when the block has ended: records how, closes the branches that are still open, and lets the branch around them
   * continue. @throws a suspension if another end is recorded
   */
  end(how: ForkEnd): void;
}

export interface ForkEnd {
  /** The branch that completed, rejected, failed or stopped the loop; absent if all of them simply ended. */
  readonly by?: number;
  /** It stopped the loop. Otherwise it ended the run. */
  readonly isStopped?: true;
  /** Branches or rounds that had begun by then. Later ones don't count. */
  readonly begun: number;
  /** The branches that ended in the ordinary way, of a block that ended once enough of them had; those left out were cut off. */
  readonly done?: readonly number[];
  /** For a called workflow. */
  readonly called?: CalledEnd;
}

/** One line of execution: the run itself, a branch, or a round. Numbers its effects from 0. */
export interface DurableBranch {
  /** Milliseconds since 1970, for `now`: the start of the run, or the recorded end of its last pause. */
  readonly now: number;
  /** A call begins. @throws a suspension if a different effect was recorded here */
  call(site: EffectSite): DurableCall;
  /**
   * `wait`.
   * @param begin called if it begins now rather than in an earlier process
   * @param due when it ends, in milliseconds since 1970, if the file names a moment; absent in older modules
   * @throws a suspension, or whatever `sleep` throws
   */
  pause(site: EffectSite, ms: number, sleep: Sleep, begin: () => void, due?: number): Promise<void>;
  /** The message, or `undefined` if none came in time. @throws a suspension, or whatever `sleep` throws */
  receive(site: EffectSite, wanted: WantedMessage, sleep: Sleep): Promise<Recorded<Value>>;
  /**
   * The answer of a person, or `undefined` if none came in time.
   * @param notify sends the notification (0) and each reminder, as calls of the branch it receives; must not throw because of
   * the service
   */
  ask(
    site: EffectSite,
    question: Question,
    notify: Notify,
    sleep: Sleep,
    remindersAt: RemindersAt,
  ): Promise<Recorded<TaskAnswer | undefined>>;
  /**
   * A block begins. The branch has no effect of its own until the block has ended.
   * @param called the workflow that runs in its only branch
   * @throws a suspension
   */
  fork(site: EffectSite, called?: CalledRun): Promise<DurableFork>;
  /** A branch or round may start: immediately if it has records, otherwise when no other branch can continue with records. */
  ready(): Promise<void>;
  /** The branch has reached its end. @throws a suspension if it has more records */
  complete(): void;
  /**
   * Stores a log entry that no recorded effect produces: a `step`, a `log`, a `warning`, or the `call` that the end of the run or
   * the branch aborted. False if it is already stored and must not be shown again.
   */
  log(entry: LogEntry): boolean;
  /** The branch or round is over. */
  close(): void;
}

/** The host's part of a run in a store: `RunOptions.durable`. */
export interface DurableRun {
  readonly protocol: 1;
  readonly id: string;
  /** Milliseconds since 1970 when the run was accepted. Its time limit counts from here. */
  readonly startedAt: number;
  /** It only repeats what is recorded, so no time limit applies. */
  readonly isReplay?: boolean;
  readonly main: DurableBranch;
}

const suspension = Symbol.for('wf.suspension');

export type SuspensionReason = 'parked' | 'lost' | 'released' | 'stuck';

/**
 * Thrown to release a run before its end: it waits for long, it belongs to another process, this process is stopping, or it can't continue.
 * Passes through the runtime unchanged and never becomes an outcome.
 */
interface Suspension {
  readonly [suspension]: SuspensionReason;
}

/** Only the engine throws this. Recognized by its mark, because each stored module has a runtime with its own classes. */
export const suspend = (reason: SuspensionReason): Error & Suspension =>
  Object.assign(new Error(`The run is released: ${reason}`), { [suspension]: reason } as const);

/** The reason why the run is released, or `undefined` if `thrown` is anything else. */
export const suspensionOf = (thrown: unknown): SuspensionReason | undefined =>
  // Only `suspend` sets this mark.
  typeof thrown === 'object' && thrown !== null && suspension in thrown ? (thrown as Suspension)[suspension] : undefined;

const refusal = Symbol.for('wf.refusal');

/** Thrown if the journal can't store a run, which then ends as `error`. */
export interface Refused {
  readonly code: string;
  readonly message: string;
}

/** Only the engine throws this. Recognized by its mark. */
export const refuseRun = (refused: Refused): Error => Object.assign(new Error(refused.message), { [refusal]: refused });

/** The value that the journal can't store, or `undefined` if `thrown` is anything else. */
export const refusedOf = (thrown: unknown): Refused | undefined =>
  // Only `refuseRun` sets this mark.
  typeof thrown === 'object' && thrown !== null && refusal in thrown ? (thrown as { [refusal]: Refused })[refusal] : undefined;

/** A call of another workflow, which the history shows as a run of its own. */
export interface CalledRun {
  readonly title: string;
  readonly version: number;
  /** Its file, from the folder of the workflow that calls it. */
  readonly file: string;
  readonly trigger: string;
  readonly request: WfRecord;
  /** Of its caller, for a workflow that names none. */
  readonly timezone?: string;
  /** From 1. */
  readonly attempt: number;
  /** Milliseconds that it may take, if that is limited. */
  readonly withinMs?: number;
}

/** The end of a called workflow. */
export interface CalledEnd extends Pick<Outcome, 'status' | 'outputs' | 'message' | 'error'> {
  /** Cause of the failure of the call, redacted. */
  readonly cause?: string;
  /** It took longer than its caller waits. */
  readonly isLate?: true;
}
