// A journal for front-ends: what happened, with all values redacted, and the lines that the run reached. Types only.
import type { Outcome, Redactor, RunOptions, WfRecord } from '../../../runtime/types.js';
import type { Checked, Emitted } from '../../compiler/compile.js';

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
  /** Why lines may be marked wrongly, as a sentence. Then the result only covers the beginning. */
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

export interface RecallOptions extends Pick<RunOptions, 'onReach' | 'onLog'> {
  /** Lines inside these loops only count in these rounds. */
  readonly only?: readonly RoundOfLoop[];
}

export interface Reexecuted {
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
