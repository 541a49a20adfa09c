// What the journal of a run says of the workflows that it calls. Types only.
import type { Outcome, WfRecord } from '../types.js';

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

/** How a called workflow ended. */
export interface CalledEnd extends Pick<Outcome, 'status' | 'outputs' | 'message' | 'error'> {
  /** Cause of the failure of the call, redacted. */
  readonly cause?: string;
  /** It took longer than its caller waits. */
  readonly isLate?: true;
}
