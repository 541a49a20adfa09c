// The spans of a trace (OpenTelemetry), as a run reports them to its host. Types only; `types.ts` re-exports them.
import type { ServiceKind } from '../services/service-types.js';

/** A span of a trace (OpenTelemetry), which the host records. */
export interface TraceSpan {
  /** Sent with a request over HTTP, so that the service continues the trace. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Begins a span below this one. */
  child(part: TracedPart): TraceSpan;
  /** @param result of a call; nothing for a step */
  end(result?: TracedResult): void;
}

/** What a span is about. Contains no secret. */
export type TracedPart =
  | { readonly kind: 'step'; readonly name: string; readonly line: number }
  | {
      readonly kind: 'call';
      readonly service: string;
      readonly serviceKind: ServiceKind;
      readonly method: string;
      readonly line: number;
      /** From 1. */
      readonly attempt: number;
      /** As the log shows it. */
      readonly url: string | undefined;
    };

export interface TracedResult {
  /** Of the HTTP response. */
  readonly status?: number;
  /** Code of the failure: `WF630`. Absent after a success. */
  readonly code?: string;
}
