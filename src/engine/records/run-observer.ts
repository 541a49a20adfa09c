// Who counts runs and calls, whatever starts the runs: requests, schedules, or a store that continues them.
import type { LogEntry, RunStatus } from '../../../runtime/types.js';

export interface RunObserver {
  /**
   * A run enters memory.
   * @param workflow base name of the file
   * @returns a function to call when it leaves: with its outcome and duration, or without if it continues later or was cancelled
   */
  started(workflow: string): (outcome?: RunStatus, durationMs?: number) => void;
  /** One attempt, from a `call` entry in the log of a run. */
  called(entry: LogEntry): void;
}

/** Receives the log of a run, and shows its calls to the observer as well. */
export function observedLog(
  observer: RunObserver | undefined,
  onLog: ((entry: LogEntry) => void) | undefined,
): ((entry: LogEntry) => void) | undefined {
  if (observer === undefined) return onLog;
  return (entry) => {
    if (entry.type === 'call') observer.called(entry);
    onLog?.(entry);
  };
}
