// The interface of all kinds of databases: a connection that performs one task at a time.

import type { Failure } from '../../../runtime/call-errors.js';
import type { DatabaseTask } from '../../../runtime/connector-types.js';
import type { Result } from './result.js';

/** An open connection, used by one task at a time. */
export interface DatabaseSession {
  /** False after it broke, or if it may carry state over to the next task. */
  readonly isUsable: boolean;
  /**
   * Runs one statement in its own transaction. Cancels it on the server when the signal aborts.
   * @throws Failed for everything the database can be blamed for; any other exception is a bug
   */
  perform(task: DatabaseTask, signal: AbortSignal): Promise<Result>;
  close(): Promise<void>;
  /** Calls back when the connection breaks while idle. */
  onBroken(callback: () => void): void;
}

/** Carries a failure to the call. */
export class Failed extends Error {
  constructor(readonly failure: Failure) {
    super(failure.cause);
  }
}

/** Statements that leave no session state. Any other may leave a setting, a lock or a temporary table. */
const withoutTraces =
  /^\s*(?:select|insert|update|delete|replace|merge|with|values|table|explain|show|drop|alter|create(?!\s+(?:(?:local|global)\s+)?temp))\b/i;

/** Whether a session can be reused after this statement. */
export const leavesNothingBehind = (text: string): boolean => withoutTraces.test(text);
