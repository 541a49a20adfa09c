// One run with everything that is told about it afterwards: what the log file, the terminal and the scheduler read.
import type { Outcome, Redactor, WfRecord } from '../../runtime/types.js';
import type { Prepared } from './prepared.js';

export interface RunRecord {
  readonly runId: string;
  readonly prepared: Prepared;
  /** Whether mock services answered. */
  readonly mock: boolean;
  readonly request: WfRecord;
  readonly outcome: Outcome;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** Whole milliseconds, by a clock that is never set back. */
  readonly durationMs: number;
  /** Hides the secrets of this run (`behaviour.md` 7). */
  readonly redactor: Redactor;
}
