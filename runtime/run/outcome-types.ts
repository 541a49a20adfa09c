// The reports of a run to its host: how it ended, the entries of its log, and the spans of its trace (OpenTelemetry). Types only;
// `types.ts` re-exports them.
import type { InputProblem } from '../inputs/input-types.js';
import type { ServiceKind } from '../services/service-types.js';
import type { Value, WfRecord } from '../values/value-types.js';

/** The log entry of an attempt of a call: written by runs in memory and by stores, shown by `--verbose`. */
export type CallLogFields = Record<
  'service' | 'kind' | 'phrase' | 'method' | 'url' | 'status' | 'durationMs' | 'attempt' | 'ok',
  Value
> &
  Partial<Record<'error' | 'body', Value>>;

/** An entry of a run's log. `set` entries only exist while tracing and are never written to a log file. */
export interface LogEntry {
  /** ISO 8601 UTC with milliseconds. */
  time: string;
  type: 'step' | 'log' | 'message' | 'call' | 'retry' | 'wait' | 'warning' | 'set' | 'resumed';
  /** The current step; absent outside steps. */
  step?: string;
  /** Line of the `.wf` file. */
  line?: number;
  message?: string;
  [detail: string]: Value;
}

export type RunStatus = 'completed' | 'rejected' | 'error';

export interface RunError {
  message: string;
  /** The message without values of the run, for HTTP clients; absent if it has no such form. */
  publicMessage?: string;
  line?: number;
  column?: number;
  /** Length of the marked text. */
  length?: number;
  /** Stable code of the run-time error (`WF6xx`). */
  code: string;
  /** The problems of the request (`WF642`). */
  problems?: readonly InputProblem[];
}

/** The end of a run. Errors caused by a workflow, its input or a service are data here, never exceptions. */
export type Outcome = CompletedOutcome | RejectedOutcome | FailedOutcome;

interface AnyOutcome {
  log: LogEntry[];
  /** Number of entries dropped beyond the 10,000th. */
  dropped?: number;
}

/** The lines under `complete`. */
export interface OwnAnswer {
  /** Default: 200. */
  readonly status?: number;
  /** Default: the response as JSON. */
  readonly text?: string;
}

/** A kind of answer that a workflow can give. */
export interface OwnAnswerInfo {
  readonly status: number;
  readonly isText: boolean;
}

/** `complete with …` */
export interface CompletedOutcome extends AnyOutcome {
  status: 'completed';
  outputs: WfRecord;
  /** Its answer over HTTP, in place of the usual one. */
  answer?: OwnAnswer | undefined;
  message?: undefined;
  error?: undefined;
}

/** `reject with …`: the workflow decided so. */
export interface RejectedOutcome extends AnyOutcome {
  status: 'rejected';
  message: string;
  outputs?: undefined;
  error?: undefined;
}

/** Something went wrong. */
export interface FailedOutcome extends AnyOutcome {
  status: 'error';
  message: string;
  error: RunError;
  outputs?: undefined;
}

/** A span of a trace (OpenTelemetry), which the host records. */
export interface TraceSpan {
  /** Sent with a request over HTTP, so that the service continues the trace. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Begins a span below this one. */
  child(part: TracedPart): TraceSpan;
  /** @param result of a call; nothing for a step */
  end(result?: TracedResult): void;
}

/** The attributes of a span. Contains no secret. */
export type TracedPart =
  | { readonly kind: 'step'; readonly name: string; readonly line: number; readonly file: string }
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
      /** Of the line: in a called workflow, another one than that of the run. */
      readonly file: string;
    };

export interface TracedResult {
  /** Of the HTTP response. */
  readonly status?: number;
  /** Code of the failure: `WF630`. Absent after a success. */
  readonly code?: string;
}
