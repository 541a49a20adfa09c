// What a run did, as far as it can be observed: the evaluator's expectation and the result of the compiled program have this form.
import type { Problem } from './inputs.js';
import type { Val } from './values.js';

export const startOfPrograms = new Date('2026-03-01T09:30:00.500Z');

/** The observable effects of a run. */
export interface Seen {
  readonly status: 'completed' | 'rejected' | 'error';
  readonly outputs?: unknown;
  readonly message?: string;
  /** Line of the error. */
  readonly line?: number;
  /** With a request that its inputs don't accept. */
  readonly problems?: readonly Problem[];
  readonly logs: readonly unknown[];
  readonly calls: readonly unknown[];
  /** Set if parts ran at the same time: their log entries and calls have no order. */
  readonly unordered?: Unordered;
}

export interface Unordered {
  /** How the run can have ended instead, if several parts end it: whichever came first counts. */
  readonly ends: readonly Ending[];
  /** Whether a part ended the run, so the others may have been aborted before they logged or called anything. */
  readonly isCut: boolean;
}

export type Ending = Pick<Seen, 'status' | 'outputs' | 'message' | 'line' | 'problems'> & {
  /** What a caller gets. */
  readonly result?: Val;
};
