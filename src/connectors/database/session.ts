// What the three kinds of databases have in common for `database.ts`: a connection that performs one task after the other.

import type { Failure } from '../../../runtime/call-errors.js';
import type { DatabaseTask } from '../../../runtime/connector-types.js';
import type { Result } from './result.js';

/** An open connection, used by one task at a time. */
export interface DatabaseSession {
  /** False once it is broken, or holds what must not reach the next task. */
  readonly isUsable: boolean;
  /**
   * One statement in a transaction of its own. When the signal aborts, the statement is cancelled in the database.
   * @throws a `Failed` for what can be said in plain words; anything else is a fault of wf
   */
  perform(task: DatabaseTask, signal: AbortSignal): Promise<Result>;
  close(): Promise<void>;
  /** Calls back when the connection breaks while nobody uses it. */
  onBroken(callback: () => void): void;
}

/** A failure on its way to the call. */
export class Failed extends Error {
  constructor(readonly failure: Failure) {
    super(failure.cause);
  }
}

/** Statements that change nothing in the session itself. Any other may leave a setting, a lock or a temporary table in it. */
const withoutTraces =
  /^\s*(?:select|insert|update|delete|replace|merge|with|values|table|explain|show|drop|alter|create(?!\s+(?:(?:local|global)\s+)?temp))\b/i;

/** Whether the next call may use a session in which this statement ran. */
export const leavesNothingBehind = (text: string): boolean => withoutTraces.test(text);
