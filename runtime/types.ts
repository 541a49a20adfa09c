// The types that the runtime, the emitted modules and the front-ends agree on. No code: every file of the runtime may import it.
import type { Exchange, Mocks } from './mock-types.js';

export type { Exchange, MockAnswer, MockCall, Mocks } from './mock-types.js';

/** A value of the language. `null` and `undefined` are both `empty`. */
export type Value = null | undefined | boolean | number | string | Value[] | { [key: string]: Value };

/** A record of the language; always read through own properties. */
export type WfRecord = { [key: string]: Value };

/**
 * Where an operation stands in the `.wf` file (1-based line and column, length in UTF-16 units), then the source texts of its
 * operands, left to right, for the message of a run-time error.
 */
export type Place = readonly [line: number, column: number, length: number, ...operands: string[]];

/** Text that may name environment variables: a service's address or a header's value. */
export type EnvTemplate = readonly (string | { readonly env: string })[];

export type ServiceKind = 'api' | 'webhook' | 'ai' | 'plugin';

/** One declaration of `services:`, as it stands in the emitted module. */
export interface ServiceSpec {
  readonly name: string;
  readonly kind: ServiceKind;
  /** API and webhook. */
  readonly url?: EnvTemplate;
  /** API and webhook; a header declared twice is here once, the last one. */
  readonly headers?: readonly (readonly [name: string, value: EnvTemplate])[];
  /** Longest time of one attempt in milliseconds; the kind's default where it is left out. */
  readonly timeoutMs?: number;
  /** AI. */
  readonly provider?: 'openai' | 'anthropic' | 'ollama';
  /** AI: the part after the provider. */
  readonly model?: EnvTemplate;
  /** Plugin: as written in the file, relative to the `.wf` file, or a package name. */
  readonly module?: string;
  /** Plugin of a built module: bundled in. Without it the run's `loadPlugin` is asked. */
  readonly load?: () => Promise<unknown>;
}

/** One part of the text after `at`: literal text, or a value with the name it was written as. */
export type PathPart = string | { readonly name: string; readonly value: Value };

/** How often and when a failed call is tried again. */
export interface RetryPolicy {
  readonly times: number;
  readonly waitMs: number;
  readonly doubling?: boolean;
}

/** What an emitted module asks of `call`. */
export interface CallRequest {
  readonly service: ServiceSpec;
  /** First word of the verb phrase, lower case as written; `ask` for an AI. */
  readonly verb: string;
  /** The rest of the verb phrase. */
  readonly description: string;
  /** The parts of the path; left out where there is no `at`. */
  readonly path?: readonly PathPart[];
  /** The `with` pairs in the order of the file. */
  readonly parameters: readonly (readonly [key: string, value: Value])[];
  /** AI: the instruction with its values filled in. */
  readonly instruction?: string;
  readonly retry?: RetryPolicy;
  /** The workflow keeps the response headers: a recording needs them. */
  readonly savesHeaders?: boolean;
  /** True where statements handle the failure; a call that is not handled throws. */
  readonly handled: boolean;
  readonly place: Place;
}

/** What a call gives back to the emitted module. */
export interface CallResult {
  readonly ok: boolean;
  readonly value?: Value;
  /** Whenever there was an answer, also a failing one. */
  readonly status?: number;
  readonly headers?: WfRecord;
  /** AI only. */
  readonly confidence?: number;
  /** `message`, `status`, `body`, `service`, `attempts`; only where `ok` is false. */
  readonly failure?: WfRecord;
}

/** One HTTP exchange, as the runtime asks for it. Redirects are never followed by a transport. */
export interface TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborted on the attempt's time limit and when the run ends. Made when it is first read: `onAbort` costs less. */
  readonly signal: AbortSignal;
  /** Calls back when `signal` would abort, at once where it has; a transport uses one or the other. */
  onAbort(callback: () => void): void;
  /** Decoded bytes of the body that the caller wants at most; what is longer may be cut anywhere past it. */
  readonly maxBytes: number;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Either the whole body, or its parts: those may be abandoned half-read, and the transport then closes the connection. */
  readonly body: AsyncIterable<Uint8Array> | Uint8Array;
}

/** Sends one request; rejects when there is no answer. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;

/** Replaces secrets by `[redacted]`. Made by `redaction.ts`. */
export interface Redactor {
  text(text: string): string;
  /** Deep, keys too; what holds no secret is given back as it is. */
  value(value: Value): Value;
}

/** An entry of a run's log (`behaviour.md` 7). `set` entries exist only while tracing and are never written to a log file. */
export interface LogEntry {
  /** ISO 8601 UTC with milliseconds. */
  time: string;
  type: 'step' | 'log' | 'call' | 'retry' | 'wait' | 'warning' | 'set';
  /** The step that was running, or absent outside of steps. */
  step?: string;
  /** Line of the `.wf` file. */
  line?: number;
  message?: string;
  [detail: string]: Value;
}

export type RunStatus = 'completed' | 'rejected' | 'error';

export interface RunError {
  message: string;
  line?: number;
  column?: number;
  /** Length of the text at fault. */
  length?: number;
  /** Stable code of the run-time error (`WF6xx`). */
  code: string;
}

/** How a run ended. Errors that a workflow, its input or a service causes are data here, never exceptions. */
export interface Outcome {
  status: RunStatus;
  outputs?: WfRecord;
  message?: string;
  error?: RunError;
  log: LogEntry[];
  /** How many entries were dropped past the 10,000th. */
  dropped?: number;
  /** Hides the secrets that this run met: for whoever writes the request or the outputs into a log. Not enumerable. */
  readonly redactor?: Redactor;
  /** What was thrown, where the error was unexpected. Not enumerable. */
  readonly cause?: unknown;
}

/** What a host may hand to a run. All of it is optional: a built module runs alone. */
export interface RunOptions {
  env?: Readonly<Record<string, string | undefined>> | undefined;
  /** `true`: the standard mock answers. */
  mock?: boolean | Mocks | undefined;
  /** Aborting ends the run as `error`; the reason's message, where it is an Error, becomes the run's message. */
  signal?: AbortSignal | undefined;
  onLog?: ((entry: LogEntry) => void) | undefined;
  onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Used instead of the built-in transport. */
  fetch?: typeof fetch | undefined;
  transport?: Transport | undefined;
  loadPlugin?: ((module: string) => Promise<unknown>) | undefined;
  /** Longest run in milliseconds, beside the limit of the file itself; the shorter one counts. 0 or absent: none. */
  timeoutMs?: number | undefined;
  /** Coverage: told the index of every place that is reached; modules emitted for it only. */
  onReach?: ((index: number) => void) | undefined;
  /** Told now and then how far the loop that begins on `line` has come. */
  onProgress?: ((line: number, done: number, total: number) => void) | undefined;
  /** Keep no log in the outcome (servers read `onLog`). */
  keepLog?: boolean | undefined;
  /** The start of the run; `now` and `today` come from it. */
  startedAt?: Date | undefined;
  /** Further texts that no log line may hold, beside the environment values that the workflow names. */
  secrets?: readonly string[] | undefined;
  /** The request comes from `parseJson` or a reader of this project: it is plain data already, and is used without a copy. */
  requestIsPlain?: boolean | undefined;
}

/** What a module says of itself; `export const workflow`. */
export interface WorkflowInfo {
  readonly name: string;
  readonly version: number;
  readonly description?: string;
  /** `""` where the file has none. */
  readonly trigger: string;
  /** Base name of the `.wf` file. */
  readonly file: string;
  readonly timeoutMs?: number;
  /** Environment variables that the file names, sorted. */
  readonly env: readonly string[];
  readonly services: readonly { readonly name: string; readonly kind: ServiceKind }[];
  /** Paths of the request that the file reads, without the leading `request.`, e.g. `customer.email`; sorted. */
  readonly requestFields: readonly string[];
  /** Keys of every `complete with`, sorted. */
  readonly outputKeys: readonly string[];
  /** Version of `wf` that emitted the module. */
  readonly compiler: string;
}

export type RunFunction = (request: WfRecord, options?: RunOptions) => Promise<Outcome>;

/** The exports of an emitted module. */
export interface WorkflowModule {
  readonly workflow: WorkflowInfo;
  readonly run: RunFunction;
}
