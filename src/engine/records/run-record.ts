// One run, with everything that is reported about it afterwards: to the log file, the terminal and the scheduler.
import type { Outcome, Redactor, WfRecord } from '../../../runtime/types.js';
import type { Prepared } from '../prepare/prepared.js';

export interface RunRecord {
  readonly runId: string;
  readonly prepared: Prepared;
  /** Whether mock services answered. */
  readonly mock: boolean;
  readonly request: WfRecord;
  readonly outcome: Outcome;
  /** What a store says of a run without an outcome. Then `outcome` only has its message and its log so far. */
  readonly unfinished?: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** Whole milliseconds, by a clock that never goes back. */
  readonly durationMs: number;
  /** Redacts the secrets of this run. */
  readonly redactor: Redactor;
}
