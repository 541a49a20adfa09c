// What `call` and the kinds of services agree on: a call is prepared once, then attempted until it succeeds or is given up. Types only.
import type { Failure } from '../call-errors.js';
import type { Cancellation } from '../cancellation.js';
import type { Value, WfRecord } from '../types.js';

/** An attempt that succeeded. */
export interface Answer {
  readonly ok: true;
  readonly value: Value;
  readonly status?: number;
  readonly headers?: WfRecord;
  readonly confidence?: number;
}

export type AttemptResult = Answer | Failure;

/** A call that is ready to be sent, as often as it takes. */
export interface PreparedCall {
  readonly ok: true;
  /** For people: without credentials of its own; the redaction comes on top. */
  readonly url?: string;
  /** Longest time of one attempt in milliseconds. */
  readonly timeoutMs: number;
  /** Never rejects for what a service does, except by taking too long. */
  readonly attempt: (cancellation: Cancellation) => Promise<AttemptResult>;
}

/** Time of one attempt where the service sets none. */
export const defaultTimeoutMs = 30_000;
