// The interface between a server and the schedules that it runs. Neither imports the other.
import type { Environment, Mocks } from '../../runtime/types.js';
import type { DurableEngine } from '../durable/durable-engine.js';
import type { Prepared } from './prepare/prepared.js';
import type { LateSchedule } from './records/alerts.js';
import type { RunObserver, RunRecord, ScheduleObserver } from './records/run-record.js';

export interface ServedSchedulesOptions {
  readonly workflows: readonly Prepared[];
  /** Stores the runs. Then each due time is one run, however many processes serve. */
  readonly store: DurableEngine | undefined;
  readonly env: Environment;
  readonly cwd: string;
  /** Called for each run. */
  readonly mock: () => boolean | Mocks;
  /** Time limit of a run in milliseconds, on top of the workflow's own; 0 for none. */
  readonly limitOf: (workflowMs: number | undefined) => number;
  /** Milliseconds that a run in memory may continue after `stop`. */
  readonly graceMs: number;
  readonly catchUp: boolean;
  readonly secrets: readonly string[];
  /** Counts runs in memory; a store counts its own. */
  readonly observer?: RunObserver | undefined;
  /** Counts what happens to due times. */
  readonly scheduleObserver?: ScheduleObserver | undefined;
  /** Is told of due times that passed before anyone noticed. */
  readonly onLate?: ((schedule: LateSchedule) => void) | undefined;
  /** Receives each run in memory at its end, with its log. */
  readonly onRunEnd?: ((record: RunRecord) => Promise<void>) | undefined;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

export interface ServedSchedules {
  /** Serves these workflows from the next due time on. */
  replace(workflows: readonly Prepared[]): void;
  /** Starts no more runs. Resolves when those in memory have ended; those in the store are released when it closes. */
  stop(): Promise<void>;
}

/** Runs workflows at the due times of their schedules, along with requests. */
export type StartSchedules = (options: ServedSchedulesOptions) => Promise<ServedSchedules>;
