// A run as front-ends record it, and who counts runs and calls: requests, schedules, and a store that continues runs.
import type { LogEntry, Outcome, Redactor, RunOptions, RunStatus, WfRecord, WorkflowInfo } from '../../../runtime/types.js';
import type { Prepared } from '../prepare/prepared.js';

export interface RunObserver {
  /**
   * A run enters memory.
   * @param workflow base name of the file
   * @returns a function to call when it leaves: with its outcome and duration, or without if it continues later or was cancelled
   */
  started(workflow: string): (outcome?: RunStatus, durationMs?: number) => void;
  /** One attempt, from a `call` entry in the log of a run. */
  called(entry: LogEntry): void;
  /** A call that failed is sent again: a `retry` entry. */
  retried(entry: LogEntry): void;
  /** A store has written what was waiting. */
  committed(durationMs: number): void;
}

/** Counts what schedules do. */
export interface ScheduleObserver {
  /** @param workflow base name of the file, here and below */
  planned(workflow: string): void;
  /** A due time has started a run. */
  fired(workflow: string): void;
  /** A due time got no run. */
  skipped(workflow: string): void;
  /** Due times passed before anyone noticed. */
  late(workflow: string, dueTimes: number): void;
}

/** Receives the log of a run, and shows its calls to the observer as well. */
export function observedLog(observer: RunObserver | undefined, onLog: RunOptions['onLog']): RunOptions['onLog'] {
  if (observer === undefined) return onLog;
  return (entry, branch) => {
    if (entry.type === 'call') observer.called(entry);
    else if (entry.type === 'retry') observer.retried(entry);
    onLog?.(entry, branch);
  };
}

export interface RunRecord {
  readonly runId: string;
  readonly prepared: Prepared;
  /** Whether mock services answered. */
  readonly mock: boolean;
  readonly request: WfRecord;
  readonly outcome: Outcome;
  /** The bug behind an internal error. No file has it. */
  readonly cause?: unknown;
  /** The state, in a store, of a run without an outcome. Then `outcome` only has its message and its log so far. */
  readonly unfinished?: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** Whole milliseconds, by a clock that never goes back. */
  readonly durationMs: number;
  /** Redacts the secrets of this run. */
  readonly redactor: Redactor;
}

/** The part of a record that a log file and an alert need. A store keeps no more of the workflow. */
export interface ReportedRun extends Omit<RunRecord, 'prepared'> {
  readonly prepared: { readonly file: string; readonly workflow: Pick<WorkflowInfo, 'name' | 'version' | 'trigger'> };
}
