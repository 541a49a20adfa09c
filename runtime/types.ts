// Types shared by the runtime, the emitted modules and the front-ends. No code. What they are made of stands in files of its own, which
// never import this one.
import type { TimeSpan } from './dates/date-unit.js';
import type { InputField } from './inputs/input-types.js';
import type { BlockPlace, EndSignal } from './run/cancellation.js';
import type { Clock } from './run/clock.js';
import type { DurableBranch, DurableRun } from './run/durable-run.js';
import type { LogEntry, Outcome, OwnAnswerInfo, TraceSpan } from './run/outcome-types.js';
import type { Connectors } from './services/connector-types.js';
import type {
  CallLimits,
  ClientCertificate,
  EnvTemplate,
  Method,
  ServiceKind,
  SignIn,
  TakeTurn,
} from './services/service-types.js';
import type { PathPart, SourceLocation, Value, WfRecord } from './values/value-types.js';

export type * from './run/outcome-types.js';
export type * from './services/service-types.js';
export type * from './values/value-types.js';

/** One declaration of `services:` in the emitted module. */
export interface ServiceSpec {
  readonly name: string;
  readonly kind: ServiceKind;
  /** API, webhook, database, mail server, folder: its address or path. */
  readonly url?: EnvTemplate;
  /** API and webhook. If a header is declared twice, only the last one is here. */
  readonly headers?: readonly (readonly [name: string, value: EnvTemplate])[];
  /** Mail server: the sender. */
  readonly from?: EnvTemplate;
  /** Person: the mail server that sends the questions. */
  readonly notifiedBy?: () => ServiceSpec;
  /** API. */
  readonly signIn?: SignIn;
  /** API and webhook. */
  readonly clientCertificate?: ClientCertificate;
  readonly limits?: CallLimits;
  /** Time limit of one attempt in milliseconds; absent for the default of the kind. */
  readonly timeoutMs?: number;
  /** AI. */
  readonly provider?: 'openai' | 'anthropic' | 'ollama';
  /** AI: the part after the provider. */
  readonly model?: EnvTemplate;
  /** Workflow: compiled with its caller; absent if that failed. */
  readonly called?: WorkflowModule;
  /** Workflow: from the folder of the caller to its own; absent if they are the same. */
  readonly folder?: string;
  /** Plugin: as written in the file, relative to the `.wf` file, or a package name. */
  readonly module?: string;
  /** Plugin of a built module: bundled. Otherwise the run's `loadPlugin` loads it. */
  readonly load?: () => Promise<unknown>;
}

/** The number and times of retries of a failed call. */
export interface RetryPolicy {
  readonly times: number;
  readonly waitMs: number;
  /** A wait in the calendar, such as 2 working hours: each wait is counted from where it starts. */
  readonly wait?: TimeSpan;
  readonly doubling?: boolean;
}

/** The argument that an emitted module passes to `call`. */
export interface CallRequest {
  readonly service: ServiceSpec;
  /** First word of the verb phrase, lower case as written; `ask` for an AI. */
  readonly verb: string;
  /** The rest of the verb phrase. */
  readonly description: string;
  /** The parts of the path; absent without `at`. */
  readonly path?: readonly PathPart[];
  /** The `with` pairs in the order of the file. */
  readonly parameters: readonly (readonly [key: string, value: Value])[];
  /** Database: the pairs after `where`. */
  readonly where?: readonly (readonly [key: string, value: Value])[];
  /** Database: the text after `running`, with the values that are bound. */
  readonly statement?: readonly PathPart[];
  /** `with headers:` under the call, over those of the service. */
  readonly headers?: readonly (readonly [name: string, value: Value])[];
  /** `send … as the body`; absent if the pairs are sent. */
  readonly body?: { readonly value: Value };
  /** `sent as PUT`, instead of the method that the verb implies. */
  readonly method?: Method;
  /** Person: who is asked, such as a mail address; absent if nobody is named. */
  readonly addressee?: string;
  /** Person, AI: the allowed answers; absent for any. */
  readonly choices?: readonly string[];
  /** The time limit of each attempt, instead of that of the service. */
  readonly timeoutMs?: number;
  /** Person: milliseconds until the deadline. */
  readonly withinMs?: number;
  /** As written, if its length depends on the calendar: 8 working hours. */
  readonly within?: TimeSpan;
  /** Person: milliseconds between reminders. */
  readonly remindMs?: number;
  readonly remind?: TimeSpan;
  /** AI: the instruction with its values filled in. Person: the question. */
  readonly instruction?: string;
  readonly retry?: RetryPolicy;
  /** `at most once`: never sent again if it may have been received. */
  readonly atMostOnce?: boolean;
  /** The workflow keeps the response headers: a recording needs them. */
  readonly savesHeaders?: boolean;
  /** True if statements handle the failure. An unhandled call throws. */
  readonly handled: boolean;
  readonly location: SourceLocation;
  /** Number of this place among those of the workflow that call, ask or wait: an index into `WorkflowInfo.sites`. */
  readonly site: number;
}

/** The result that a call returns to the emitted module. */
export interface CallResult {
  readonly ok: boolean;
  readonly value?: Value;
  /** Present whenever there was an answer, even a failing one. */
  readonly status?: number;
  readonly headers?: WfRecord;
  /** AI only. */
  readonly confidence?: number;
  /** Person only: `empty` if there is none. */
  readonly comment?: Value;
  /** Person only: who answered, if that is known. */
  readonly person?: Value;
  /** `message`, `status`, `body`, `service`, `attempts`; only if `ok` is false. */
  readonly failure?: WfRecord;
}

/** Replaces secrets with `[redacted]`. Created by `redaction.ts`. */
export interface Redactor {
  text(text: string): string;
  /** Deep, including keys. Returns a value without secrets unchanged. */
  value(value: Value): Value;
  /** Like `text`, for text that was cut off: drops what may be the beginning of a secret at its end. */
  beginning(text: string): string;
  /** Characters of a secret in its longest form; `beginning` never drops more. */
  readonly longest: number;
}

/** Facts about a run, besides its outcome, that a host may need. */
export interface RunDetails {
  /** Redacts the secrets that the run came across, for anyone who logs its request or outputs. Created on first use. */
  readonly redactor: Redactor;
  /** The exception behind an unexpected error (`WF699`). */
  readonly cause?: unknown;
}

/** What runs one after the other: the run itself, or a branch or round of those that run concurrently. Only its identity counts. */
export interface BranchOfRun {
  /** What it belongs to; `undefined` for the run itself. */
  readonly around: BranchOfRun | undefined;
}

/** Options that a host can pass to a run. Everything is optional, because a built module also runs without wf. */
export interface RunOptions {
  env?: Environment | undefined;
  /** `true`: the default mock answers. */
  mock?: boolean | Mocks | undefined;
  /** Aborting ends the run as `error`. If the reason is an Error, its message becomes the run's message. */
  signal?: EndSignal | undefined;
  onLog?: ((entry: LogEntry, branch?: BranchOfRun) => void) | undefined;
  onExchange?: ((exchange: ServiceExchange) => void) | undefined;
  /** Used in place of the built-in transport. */
  fetch?: typeof fetch | undefined;
  transport?: Transport | undefined;
  loadPlugin?: ((module: string) => Promise<unknown>) | undefined;
  /** Reaches databases, mail servers and folders. */
  connectors?: Connectors | undefined;
  /** Folder that the paths in the workflow's services are relative to. Default: the current one. */
  folder?: string | undefined;
  /** Time limit in milliseconds, in addition to that of the file; the shorter one applies. 0 or absent: none. */
  timeoutMs?: number | undefined;
  /** Coverage: receives the index of every place reached, and the branch of a run in a store. Only for modules emitted for coverage. */
  onReach?: ((index: number, stored: DurableBranch | undefined, branch?: BranchOfRun) => void) | undefined;
  /** Reports from time to time how far the loop that starts on `line` has come. */
  onProgress?: ((line: number, done: number, total: number) => void) | undefined;
  /**
   * Called when a run in memory begins to wait for an answer or a message. Only a store can receive one.
   * @param what "an answer from Boss", for example
   */
  onAwaited?: ((line: number, what: string) => void) | undefined;
  /** Called once when the run has ended, before its outcome is returned. */
  onEnd?: ((details: RunDetails) => void) | undefined;
  /** Resolves when the outputs of this run may be written, which are long. Others that are being written take up memory. */
  turnToEnd?: (() => Promise<void>) | undefined;
  /** Keep no log in the outcome (servers read `onLog`). */
  keepLog?: boolean | undefined;
  /** The span of the run. Steps and attempts of calls begin spans below it. */
  trace?: TraceSpan | undefined;
  /** `traceparent` of the HTTP request that started the run, empty if it had none. Absent if no request did. */
  traceparent?: string | undefined;
  /** The value of `received`. Default: started on the command line, now. */
  received?: WfRecord | undefined;
  /** Sent as `X-Request-Id` with every HTTP call, so that services log what the caller can name. Default: no such header. */
  requestId?: string | undefined;
  /** When the run starts; `now` and `today` derive from it. */
  startedAt?: Date | undefined;
  /** The time zone of a workflow that names none; an IANA name. */
  timezone?: string | undefined;
  /** That of the run that calls this one, with mock answers. */
  clock?: Clock | undefined;
  /** The run, or the branch, that calls this one: if it is abandoned, so is this one. */
  caller?: BlockPlace | undefined;
  /** More text to keep out of every log line, in addition to the environment values that the workflow names. */
  secrets?: readonly string[] | undefined;
  /** Replaces the limits of this process: those of all processes over a database. */
  takeTurn?: TakeTurn | undefined;
  /** The journal of a run in a store. */
  durable?: DurableRun | undefined;
  /** The request comes from `parseJson` or a reader of this project, so it is plain data and needs no copy. */
  requestIsPlain?: boolean | undefined;
  /** The request comes from `acceptRequest`, so it fits the inputs. */
  requestIsAccepted?: boolean | undefined;
}

/** The module's description of itself: `export const workflow`. */
export interface WorkflowInfo {
  readonly name: string;
  readonly version: number;
  readonly description?: string;
  /** Empty if the file has none. */
  readonly trigger: string;
  /** Base name of the `.wf` file. */
  readonly file: string;
  readonly timeoutMs?: number;
  /** The longest `wait` with a fixed time, in milliseconds. */
  readonly longestWaitMs?: number;
  /** Places that wait for a person, a message, or longer than an hour. */
  readonly pauses?: readonly { readonly line: number; readonly reason: string }[];
  /** IANA name of the time zone in which days begin. */
  readonly timezone?: string;
  /** When it runs without a request: the words of `--every`, or a cron expression. */
  readonly schedule?: string;
  /** Dates that are not working days. */
  readonly holidays?: readonly string[];
  /** `monday to friday 9:00 to 17:00`. */
  readonly workingHours?: string;
  /** Of the names of months and weekdays; English if absent. */
  readonly language?: string;
  /** Settings for requests over HTTP. */
  readonly serving?: ServingInfo;
  /** It, or a workflow that it calls, reads `received`. */
  readonly received?: true;
  /** Environment variables that the file names, sorted. */
  readonly env: readonly string[];
  /** Credentials that the file itself contains, to keep out of every view of a run; absent if there are none. */
  readonly secrets?: readonly string[];
  readonly services: readonly { readonly name: string; readonly kind: ServiceKind }[];
  /** Services of the workflows that it calls, directly or indirectly; absent if it calls none. */
  readonly calledServices?: readonly { readonly name: string; readonly kind: ServiceKind }[];
  /** `once for each`; `keptForMs`: how long a value is kept at least, in milliseconds. Absent without that setting. */
  readonly once?: { readonly keptForMs?: number };
  /** `find by`: paths of the request whose values find a run in an encrypted store. Absent without that setting. */
  readonly findBy?: readonly (readonly string[])[];
  /** `keep for`: how long finished runs are kept, in milliseconds. Absent if the store decides. */
  readonly keepForMs?: number;
  /** The declared fields of the request; absent if the file declares none. */
  readonly inputs?: readonly InputField[];
  /** Paths of the request that the file reads, without the leading `request.`, e.g. `customer.email`; sorted. */
  readonly requestFields: readonly string[];
  /** Keys of every `complete with`, sorted. */
  readonly outputKeys: readonly string[];
  /** Answers besides the usual one; absent if there are none. */
  readonly ownAnswers?: readonly OwnAnswerInfo[];
  /** Lines of the places that call, ask or wait, in the order of the file. The index of a place is its number. */
  readonly sites: readonly number[];
  /** Version of `wf` that emitted the module. */
  readonly compiler: string;
}

/** A message that a run has a place for. */
export interface MessagePlace {
  readonly name: string;
  /** Fields that the message must have. */
  readonly pairs: readonly (readonly [key: string, value: Value])[];
}

export interface RunFunction {
  (request: WfRecord, options?: RunOptions): Promise<Outcome>;
  /**
   * The value of `once for each`: two requests with an equal value are one run. Absent without that setting.
   * @throws WfError if the expression can't be evaluated on this request
   */
  readonly onceFor?: (request: WfRecord, options?: RunOptions) => Promise<Value>;
  /** Messages that the run may wait for, and that can be recognized by its request alone. Absent if there are none. */
  readonly placesFor?: (request: WfRecord, options?: RunOptions) => Promise<readonly MessagePlace[]>;
}

/** The HTTP settings of a workflow. */
export interface ServingInfo {
  /** The provider whose signature requests must carry, such as `github`. */
  readonly signature?: string;
  /** Environment variables with the secrets of that provider. */
  readonly secrets?: readonly string[];
  /** Answer 202 as soon as the run is recorded. */
  readonly isAccepted?: boolean;
  /** Default: 400. */
  readonly statusWhenRejected?: number;
  /** Maximum runs of this workflow at a time. */
  readonly runsAtOnce?: number;
}

/** The exports of an emitted module. */
export interface WorkflowModule {
  readonly workflow: WorkflowInfo;
  readonly run: RunFunction;
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Replaces the real services: answers a call without opening any connection. Implemented by `services/mock.ts`. */
export interface Mocks {
  answer(call: MockCall): MockAnswer;
  /** Whether it has an answer for this particular call; absent if it has none. */
  hasAnswer?(call: MockCall): boolean;
  /**
   * Messages by name, for `wait for`: the one that every wait gets, those that arrive in turn, or `none` for silence. A missing name gets the
   * default message.
   */
  readonly messages?: Readonly<Record<string, WfRecord | readonly MockMessage[] | 'none'>>;
  /** Called when a run begins to wait for a message with these fields. */
  awaits?(name: string, pairs: WfRecord): void;
  /** Called when a run on a simulated clock pauses for this many milliseconds, at most. */
  pauses?(ms: number): void;
}

/** A message that one wait gets. */
export interface MockMessage {
  readonly message: WfRecord;
  /** From the start of the run; absent if it is there from the start. */
  readonly after?: TimeSpan;
}

export interface MockCall {
  readonly service: ServiceSpec;
  readonly verb: string;
  readonly description: string;
  readonly method: string;
  /** The path with its values encoded, e.g. `/items/A1`; `undefined` without `at`. */
  readonly path?: string;
  readonly parameters: WfRecord;
  /** Database: the pairs after `where`. */
  readonly where?: WfRecord;
  /** Database: the text after `running`, as written. */
  readonly statement?: string;
  /** The value of `send … as the body`. */
  readonly body?: Value;
  readonly instruction?: string;
  /** Person: the allowed answers. */
  readonly choices?: readonly string[];
  /** Person: who is asked, with `addressed to`. */
  readonly addressee?: string;
}

export type MockAnswer =
  | {
      readonly ok: true;
      readonly value: Value;
      readonly status: number;
      readonly headers: WfRecord;
      readonly confidence?: number;
      readonly takes?: TimeSpan;
    }
  | {
      readonly ok: false;
      readonly message: string;
      readonly status?: number;
      readonly body?: Value;
      readonly retryable: boolean;
      readonly takes?: TimeSpan;
    };

/** One call that reached a service or its mock: `wf test` compares it, and `--record` writes it. */
export interface ServiceExchange {
  readonly call: MockCall;
  /** As the workflow makes it, with how it is sent. */
  readonly request: CallRequest;
  readonly url?: string;
  readonly attempt: number;
  readonly result: {
    ok: boolean;
    value?: Value;
    status?: number;
    /** Only if the workflow saves them. */
    headers?: WfRecord;
    error?: string;
    confidence?: number;
    body?: Value;
  };
}

/** One HTTP exchange, as the runtime requests it. A transport never follows redirects. */
export interface TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborts at the attempt's time limit and when the run ends. Created on first use: `onAbort` costs less. */
  readonly signal: AbortSignal;
  /** Calls back when `signal` would abort, or immediately if it has. A transport uses one or the other. */
  onAbort(callback: () => void): void;
  /** Asked immediately before the first byte is sent: false refuses, and the request fails without having been sent. */
  readonly mayBegin?: () => boolean;
  /** Maximum decoded bytes of the body that the caller wants. A longer body may be cut anywhere beyond that. */
  readonly maxBytes: number;
  /** Absolute paths of a certificate and a key that identify this client. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Either the whole body, or its parts. If reading stops half-way, the transport closes the connection. */
  readonly body: AsyncIterable<Uint8Array> | Uint8Array;
}

/** Sends one request. Rejects if there is no answer. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;
