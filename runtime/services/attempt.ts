// The interface between `call` and the kinds of services: a call is prepared once, then attempted until it succeeds or gives
// up. Types only.
import type { Cancellation } from '../run/cancellation.js';
import type { TraceSpan } from '../run/outcome-types.js';
import type { Value, WfRecord } from '../values/value-types.js';
import type { Failure } from './call-errors.js';

/** An attempt that succeeded. */
export interface ServiceAnswer {
  readonly ok: true;
  readonly value: Value;
  readonly status?: number;
  readonly headers?: WfRecord;
  readonly confidence?: number;
  /** Something the author should know although the call succeeded: a sentence for the log. */
  readonly warning?: string;
}

export type AttemptResult = ServiceAnswer | Failure;

/** A call that is ready to be sent, as often as necessary. */
export interface PreparedCall {
  readonly ok: true;
  /** For people. Contains no credentials; redaction comes on top. */
  readonly url?: string;
  /** Time limit of one attempt in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Never rejects because of the service, except by taking too long.
   * @param span of this attempt, if the run is traced
   */
  readonly attempt: (cancellation: Cancellation, span?: TraceSpan) => Promise<AttemptResult>;
}

/** Time limit of one attempt if the service sets none. */
export const defaultTimeoutMs = 30_000;
