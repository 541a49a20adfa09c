// Sends a span for each run, step and attempt of a call to an OpenTelemetry collector, over OTLP. As in OpenTelemetry itself, one process
// has one tracer. Its packages are loaded only where tracing is on.
import type { Attributes, HrTime, SpanContext, SpanStatus } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan, Sampler, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Environment, Outcome, RunOptions, TracedPart, TracedResult, TraceSpan, WorkflowInfo } from '../../runtime/types.js';
import { UsageError } from './usage-error.js';

/** Where in a trace something happened. */
interface TracePlace {
  readonly traceId: string;
  readonly spanId: string;
}

/** In the entry or outcome itself: a map that keeps a place for each makes garbage collections slower. */
const PLACE = Symbol('trace');

interface Placed {
  [PLACE]?: TracePlace;
}

/** Where the run was whose log entry or outcome this is, so that a line about it can say so; `undefined` where tracing is off. */
export const tracePlaceOf = (of: object): TracePlace | undefined => (of as Placed)[PLACE];

/** The span of a run. */
export interface RunSpan extends TraceSpan {
  /** Marks the entries that it passes on as those of this run. */
  readonly marking: (onLog: RunOptions['onLog']) => RunOptions['onLog'];
  /** Call before `end`, which is all that a run that is released gets. */
  told(outcome: Pick<Outcome, 'status' | 'error'>): void;
}

type Tracer = (workflow: WorkflowInfo, traceparent: string | undefined, durable: RunOptions['durable']) => RunSpan;

let tracer: Tracer | undefined;

/** Begins the span of a run; `undefined` where tracing is off. */
export const traceRun = (workflow: WorkflowInfo, { traceparent, durable }: RunOptions): RunSpan | undefined =>
  tracer?.(workflow, traceparent, durable);

interface TracingOptions {
  readonly env: Environment;
  /** `--otel`. Without it, tracing is on where `env` names a collector. */
  readonly isAsked: boolean;
  /** Receives a sentence when spans can't be sent, at most one a minute. */
  readonly onProblem: (sentence: string) => void;
}

/** Where a collector listens by default. */
const COLLECTOR = 'http://localhost:4318';
/** Spans that can't be sent in this time at the end of the process are lost. */
const LAST_MS = 5_000;
const SILENCE_MS = 60_000;
/** Finished spans that wait for the collector; more are dropped. */
const MOST_QUEUED = 8_192;

/**
 * Begins to trace the runs of this process.
 * @returns a function that sends the last spans
 * @throws UsageError for a protocol other than HTTP with protobuf, and an address that is none
 */
export async function startTracing({ env, isAsked, onProblem }: TracingOptions): Promise<() => Promise<void>> {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: common, OTEL_SDK_DISABLED: disabled } = env;
  if (!isAsked && !own && !common) return async () => undefined;
  if (disabled?.trim().toLowerCase() === 'true') return async () => undefined;
  const url = own || `${(common || COLLECTOR).replace(/\/$/, '')}/v1/traces`;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError('OTEL_EXPORTER_OTLP_ENDPOINT is not an address.', `Name the collector, such as ${COLLECTOR}.`);
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf';
  if (protocol !== 'http/protobuf')
    throw new UsageError(`wf sends traces over http/protobuf, not ${protocol}.`, 'Leave out OTEL_EXPORTER_OTLP_PROTOCOL.');
  const timeoutMillis = Number(env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT || env.OTEL_EXPORTER_OTLP_TIMEOUT);
  const [otel, { toRunId }] = await Promise.all([import('./opentelemetry.js'), import('../durable/model/run-ids.js')]);
  const { api } = otel;
  const report = atMostOnceAMinute(() => onProblem(UNREACHABLE));
  const silent = (): void => undefined;
  // The exporter's own words contain stacks.
  api.diag.setLogger({ error: report, warn: silent, info: silent, debug: silent, verbose: silent }, api.DiagLogLevel.ERROR);
  const resource = otel
    .resourceFromAttributes({ 'service.name': 'wf', 'service.version': WF_VERSION })
    .merge(otel.detectResources({ detectors: [otel.envDetector] }));
  const exporter = new otel.OTLPTraceExporter({ url, ...(timeoutMillis > 0 ? { timeoutMillis } : {}) });
  const processor = new otel.BatchSpanProcessor({ exporter, maxQueueSize: MOST_QUEUED });
  const start = createTracer(otel, samplerOf(otel, env), { resource, processor, ids: new otel.RandomIdGenerator() });
  tracer = (workflow, traceparent, durable) => start(workflow, traceparent, durable && toRunId(durable.id));
  return async () => {
    tracer = undefined;
    const late = new Promise<'late'>((resolve) => setTimeout(resolve, LAST_MS, 'late').unref());
    const ended = processor.shutdown().catch(report);
    if ((await Promise.race([ended, late])) === 'late') report();
    api.diag.disable();
  };
}

type OpenTelemetry = typeof import('./opentelemetry.js');

/** `OTEL_TRACES_SAMPLER`, as OpenTelemetry's specification of environment variables describes it. @throws UsageError */
function samplerOf(otel: OpenTelemetry, env: Environment): Sampler {
  const wish = env.OTEL_TRACES_SAMPLER || 'parentbased_always_on';
  const [, parentBased, name] = /^(parentbased_)?(.*)$/.exec(wish.trim().toLowerCase()) ?? [];
  const part = Number(env.OTEL_TRACES_SAMPLER_ARG || 1);
  const make: Readonly<Record<string, () => Sampler>> = {
    always_on: () => new otel.AlwaysOnSampler(),
    always_off: () => new otel.AlwaysOffSampler(),
    traceidratio: () => new otel.TraceIdRatioBasedSampler(part),
  };
  const root = Object.hasOwn(make, name ?? '') ? make[name ?? '']?.() : undefined;
  if (root === undefined)
    throw new UsageError(
      `OTEL_TRACES_SAMPLER cannot be "${wish}".`,
      'It is always_on, always_off or traceidratio, with parentbased_ before it if the caller decides first.',
    );
  if (!(part >= 0 && part <= 1))
    throw new UsageError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1.', 'For example, 0.1 traces one run of ten.');
  return parentBased === undefined ? root : new otel.ParentBasedSampler({ root });
}

/** Shared by all spans of a process. */
interface Sending {
  readonly resource: Resource;
  readonly processor: SpanProcessor;
  readonly ids: { generateTraceId(): string; generateSpanId(): string };
}

/** The numbers that OpenTelemetry gives to kinds of spans, states and flags. */
const kinds = { internal: 0, server: 1, client: 2 } as const;
const unset: SpanStatus = { code: 0 };
const failed: SpanStatus = { code: 2 };
const SAMPLED = 1;
const RECORD_AND_SAMPLED = 2;

const scope = { name: 'wf', version: WF_VERSION };
const none: [] = [];
const nothing: Attributes = {};

type SpanKind = ReadableSpan['kind'];

const hrTime = (ms: number): HrTime => {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
};

interface SpanMeaning {
  readonly name: string;
  readonly kind: SpanKind;
  readonly about: AttributesAtEnd;
  /** Of the run, which its own span names. Only the spans of a called workflow have another one. */
  readonly file: string;
}

/**
 * A span as the exporter reads it. The span of the SDK checks and copies each attribute several times and makes contexts, which costs more
 * than the rest of tracing. Until it is sent, it holds little, and nothing of its run: garbage collections copy what thousands of spans hold.
 */
class OwnSpan implements ReadableSpan, TraceSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parentSpanContext?: SpanContext;
  /** Set at the end, as one literal: adding attributes one by one takes several times as long. */
  attributes: Attributes = nothing;
  status = unset;
  readonly #context: SpanContext;
  readonly #sending: Sending;
  readonly #file: string;
  /** Until the end. */
  #about: AttributesAtEnd | undefined;
  readonly #startedMs = Date.now();
  readonly #began = performance.now();
  #tookMs = 0;

  constructor(sending: Sending, context: SpanContext, parent: SpanContext | undefined, { name, kind, about, file }: SpanMeaning) {
    this.#sending = sending;
    this.#file = file;
    this.#context = context;
    if (parent !== undefined) this.parentSpanContext = parent;
    this.name = name;
    this.kind = kind;
    this.#about = about;
  }

  get ended(): boolean {
    return this.#about === undefined;
  }

  get startTime(): HrTime {
    return hrTime(this.#startedMs);
  }

  get endTime(): HrTime {
    return hrTime(this.#startedMs + this.#tookMs);
  }

  get duration(): HrTime {
    return hrTime(this.#tookMs);
  }

  get resource(): Resource {
    return this.#sending.resource;
  }

  get instrumentationScope(): typeof scope {
    return scope;
  }

  get links(): [] {
    return none;
  }

  get events(): [] {
    return none;
  }

  get droppedAttributesCount(): number {
    return 0;
  }

  get droppedEventsCount(): number {
    return 0;
  }

  get droppedLinksCount(): number {
    return 0;
  }

  spanContext(): SpanContext {
    return this.#context;
  }

  get isSampled(): boolean {
    return this.#context.traceFlags === SAMPLED;
  }

  get headers(): TraceSpan['headers'] {
    const { traceId, spanId, traceFlags } = this.#context;
    return [['traceparent', `00-${traceId}-${spanId}-0${traceFlags}`]];
  }

  child(part: TracedPart): TraceSpan {
    const { traceId, traceFlags } = this.#context;
    const context = { traceId, spanId: this.#sending.ids.generateSpanId(), traceFlags };
    const around = this.#context;
    const file = this.#file;
    const isCalled = part.file !== file;
    if (part.kind === 'step') {
      const attributes: Attributes = { 'wf.step': part.name, 'wf.line': part.line };
      if (isCalled) attributes['wf.file'] = part.file;
      return new OwnSpan(this.#sending, context, around, {
        name: part.name,
        kind: kinds.internal,
        about: () => attributes,
        file,
      });
    }
    const about: AttributesAtEnd = (result) => callAttributes(part, result, isCalled);
    return new OwnSpan(this.#sending, context, around, { name: callName(part), kind: kinds.client, about, file });
  }

  end(result: TracedResult = {}): void {
    if (this.#about === undefined || !this.isSampled) return;
    this.attributes = this.#about(result);
    this.#about = undefined;
    if (result.code !== undefined) this.status = failed;
    this.#tookMs = Math.max(0, performance.now() - this.#began);
    this.#sending.processor.onEnd(this);
  }
}

interface TracedRun {
  readonly workflow: WorkflowInfo;
  readonly run: string | undefined;
  readonly kind: SpanKind;
}

class OwnRunSpan extends OwnSpan implements RunSpan {
  #outcome: Pick<Outcome, 'status' | 'error'> | undefined;

  constructor(sending: Sending, context: SpanContext, parent: SpanContext | undefined, { workflow, run, kind }: TracedRun) {
    super(sending, context, parent, {
      name: workflow.name,
      kind,
      about: () => runAttributes(workflow, run, this.#outcome),
      file: workflow.file,
    });
  }

  override end(): void {
    super.end();
    this.#outcome = undefined;
  }

  marking(onLog: RunOptions['onLog']): RunOptions['onLog'] {
    const place = this.spanContext();
    return (entry, branch): void => {
      (entry as Placed)[PLACE] = place;
      onLog?.(entry, branch);
    };
  }

  told(outcome: Pick<Outcome, 'status' | 'error'>): void {
    (outcome as Placed)[PLACE] = this.spanContext();
    this.#outcome = outcome;
    if (outcome.status === 'error') this.status = failed;
  }
}

/** What it returns takes the id of the run, if that has a store. */
function createTracer({ api, parseTraceParent }: OpenTelemetry, sampler: Sampler, sending: Sending) {
  return (workflow: WorkflowInfo, traceparent: string | undefined, run: string | undefined): RunSpan => {
    const { name } = workflow;
    const parent = traceparent ? (parseTraceParent(traceparent) ?? undefined) : undefined;
    const traceId = parent?.traceId ?? sending.ids.generateTraceId();
    const kind = traceparent === undefined ? kinds.internal : kinds.server;
    const around = parent === undefined ? api.ROOT_CONTEXT : api.trace.setSpanContext(api.ROOT_CONTEXT, parent);
    const { decision } = sampler.shouldSample(around, traceId, name, kind, nothing, none);
    const traceFlags = decision === RECORD_AND_SAMPLED ? SAMPLED : 0;
    const context = { traceId, spanId: sending.ids.generateSpanId(), traceFlags };
    const remote = parent && { ...parent, isRemote: true };
    return new OwnRunSpan(sending, context, remote, { workflow, run, kind });
  };
}

type TracedCall = Extract<TracedPart, { kind: 'call' }>;

/** Whether calls of these services are requests over HTTP. */
const overHttp: Readonly<Record<TracedCall['serviceKind'], boolean>> = {
  api: true,
  webhook: true,
  ai: true,
  plugin: false,
  database: false,
  mail: false,
  folder: false,
  workflow: false,
  person: false,
};

const isHttp = ({ serviceKind }: TracedCall): boolean => overHttp[serviceKind];

const callName = (call: TracedCall): string => (isHttp(call) ? `${call.method} ${call.service}` : call.service);

type AttributesAtEnd = (result: TracedResult) => Attributes;

function runAttributes(
  { name, version, file }: WorkflowInfo,
  run: string | undefined,
  outcome: Pick<Outcome, 'status' | 'error'> | undefined,
): Attributes {
  const attributes: Attributes =
    outcome === undefined
      ? // A run that is released.
        { 'wf.workflow': name, 'wf.workflow.version': version, 'wf.file': file }
      : { 'wf.workflow': name, 'wf.workflow.version': version, 'wf.file': file, 'wf.outcome': outcome.status };
  if (run !== undefined) attributes['wf.run'] = run;
  if (outcome?.error?.line !== undefined) attributes['wf.line'] = outcome.error.line;
  if (outcome?.status === 'error') attributes['error.type'] = outcome.error?.code ?? 'WF699';
  return attributes;
}

/** By the semantic conventions of OpenTelemetry for clients of HTTP, as far as they are stable. */
function callAttributes(call: TracedCall, { status, code }: TracedResult, isCalled: boolean): Attributes {
  const attributes = isHttp(call) ? httpAttributes(call, status) : ownAttributes(call);
  if (call.attempt > 1 && isHttp(call)) attributes['http.request.resend_count'] = call.attempt - 1;
  if (isCalled) attributes['wf.file'] = call.file;
  if (code !== undefined) attributes['error.type'] = status === undefined ? code : String(status);
  return attributes;
}

const ownAttributes = ({ service, serviceKind, line, attempt }: TracedCall): Attributes => ({
  'wf.service': service,
  'wf.service.kind': serviceKind,
  'wf.line': line,
  'wf.attempt': attempt,
});

function httpAttributes(call: TracedCall, status: number | undefined): Attributes {
  const { service, serviceKind, line, attempt, method, url } = call;
  const host = url === undefined ? undefined : hostOf(url);
  if (url !== undefined && host !== undefined && status !== undefined)
    return {
      'wf.service': service,
      'wf.service.kind': serviceKind,
      'wf.line': line,
      'wf.attempt': attempt,
      'http.request.method': method,
      'url.full': url,
      'server.address': host.address,
      'server.port': host.port,
      'http.response.status_code': status,
    };
  return {
    ...ownAttributes(call),
    'http.request.method': method,
    ...(url === undefined ? {} : { 'url.full': url }),
    ...(host === undefined ? {} : { 'server.address': host.address, 'server.port': host.port }),
    ...(status === undefined ? {} : { 'http.response.status_code': status }),
  };
}

interface Host {
  readonly address: string;
  readonly port: number;
}

/** Hosts by the beginnings of addresses, which are few: to parse an address takes as long as to make a span. */
const hosts = new Map<string, Host | undefined>();
const MOST_HOSTS = 100;

function hostOf(url: string): Host | undefined {
  const end = url.indexOf('/', 'https://'.length);
  const beginning = end === -1 ? url : url.slice(0, end);
  const known = hosts.get(beginning);
  if (known !== undefined) return known;
  if (hosts.size >= MOST_HOSTS) hosts.clear();
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const port = Number(parsed?.port) || (parsed?.protocol === 'https:' ? 443 : 80);
  const host = parsed && { address: parsed.hostname, port };
  hosts.set(beginning, host);
  return host;
}

const UNREACHABLE = "Traces can't be sent to the collector. The runs are not affected. Check OTEL_EXPORTER_OTLP_ENDPOINT.";

function atMostOnceAMinute(report: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (Date.now() - last < SILENCE_MS) return;
    last = Date.now();
    report();
  };
}
