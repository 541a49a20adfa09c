// The interface of all kinds of databases: a connection that performs one task at a time.
import type { Failure } from '../../../runtime/services/call-errors.js';
import type { DatabaseTask } from '../../../runtime/services/connector-types.js';
import { mostResultBytes, type Result } from './result.js';

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

/** Keeps track of whether a connection can still be used. */
export abstract class OpenSession {
  protected usable = true;
  #broken: () => void = () => {};

  get isUsable(): boolean {
    return this.usable;
  }

  onBroken(callback: () => void): void {
    this.#broken = callback;
  }

  protected broke(): void {
    this.usable = false;
    this.#broken();
  }
}

/** Maximum bytes received per result, including protocol overhead. Beyond it, a single row exceeds the limit of results. */
export const mostReceived = 3 * mostResultBytes;

/** Milliseconds that a cancelled statement gets to end before its connection is closed. */
export const cancelPatience = 2_000;

/** Whether all names in the statement are fixed in the workflow, so that a message can quote them. */
export const hasFixedNames = (task: DatabaseTask): boolean =>
  task.does === 'run' || task.table.every((part) => typeof part === 'string');

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
