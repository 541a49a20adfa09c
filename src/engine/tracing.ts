// Sends a span for each run, step and attempt of a call to an OpenTelemetry collector, over OTLP. As in OpenTelemetry itself, one process
// has one tracer. Its packages are loaded only where tracing is on.
import type * as Api from '@opentelemetry/api';
import type { Attributes, Context, Span, TextMapPropagator } from '@opentelemetry/api';
import type { Environment, Outcome, RunOptions, TracedPart, TracedResult, TraceSpan, WorkflowInfo } from '../../runtime/types.js';
import { UsageError } from './usage-error.js';

/** Where in a trace something happened. */
interface TracePlace {
  readonly traceId: string;
  readonly spanId: string;
}

const places = new WeakMap<object, TracePlace>();

/** Where the run was whose log entry or outcome this is, so that a line about it can say so; `undefined` where tracing is off. */
export const tracePlaceOf = (of: object): TracePlace | undefined => places.get(of);

/** The span of a run. */
export interface RunSpan extends TraceSpan {
  /** Marks the entries that it passes on as those of this run. */
  readonly marking: (onLog: RunOptions['onLog']) => RunOptions['onLog'];
  /** Call before `end`, which is all that a run that is released gets. */
  told(outcome: Pick<Outcome, 'status' | 'error'>): void;
}

type Tracer = (workflow: WorkflowInfo, traceparent: string | undefined) => RunSpan;

let tracer: Tracer | undefined;

/** Begins the span of a run; `undefined` where tracing is off. */
export const traceRun = (workflow: WorkflowInfo, { traceparent }: RunOptions): RunSpan | undefined =>
  tracer?.(workflow, traceparent);

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
  const otel = await import('./opentelemetry.js');
  const { api } = otel;
  const report = atMostOnceAMinute(() => onProblem(UNREACHABLE));
  const silent = (): void => undefined;
  // The exporter's own words contain stacks.
  api.diag.setLogger({ error: report, warn: silent, info: silent, debug: silent, verbose: silent }, api.DiagLogLevel.ERROR);
  const resource = otel
    .resourceFromAttributes({ 'service.name': 'wf', 'service.version': WF_VERSION })
    .merge(otel.detectResources({ detectors: [otel.envDetector] }));
  const exporter = new otel.OTLPTraceExporter({ url, ...(timeoutMillis > 0 ? { timeoutMillis } : {}) });
  const provider = new otel.TracerProvider({ resource, spanProcessors: [new otel.BatchSpanProcessor({ exporter })] });
  tracer = createTracer(api, provider.getTracer('wf', WF_VERSION), new otel.W3CTraceContextPropagator());
  return async () => {
    tracer = undefined;
    const late = new Promise<'late'>((resolve) => setTimeout(resolve, LAST_MS, 'late').unref());
    const ended = provider.shutdown().catch(report);
    if ((await Promise.race([ended, late])) === 'late') report();
    api.diag.disable();
  };
}

function createTracer(api: typeof Api, otel: Api.Tracer, propagator: TextMapPropagator): Tracer {
  const spanIn = (parent: Context, name: string, kind: number, attributes: Attributes): TraceSpan & { readonly span: Span } => {
    const span = otel.startSpan(name, { kind, attributes }, parent);
    const context = api.trace.setSpan(parent, span);
    const carrier: Record<string, string> = {};
    propagator.inject(context, carrier, api.defaultTextMapSetter);
    return {
      span,
      headers: Object.entries(carrier),
      child: (part) =>
        part.kind === 'step'
          ? spanIn(context, part.name, api.SpanKind.INTERNAL, { 'wf.step': part.name, 'wf.line': part.line })
          : spanIn(context, callName(part), api.SpanKind.CLIENT, callAttributes(part)),
      end(result = {}) {
        span.setAttributes(resultAttributes(result));
        if (result.code !== undefined) span.setStatus({ code: api.SpanStatusCode.ERROR });
        span.end();
      },
    };
  };
  return ({ name, version, file }, traceparent) => {
    const parent = propagator.extract(api.ROOT_CONTEXT, { traceparent: traceparent ?? '' }, api.defaultTextMapGetter);
    const kind = traceparent === undefined ? api.SpanKind.INTERNAL : api.SpanKind.SERVER;
    const about = { 'wf.workflow': name, 'wf.workflow.version': version, 'wf.file': file };
    const { span, ...run } = spanIn(parent, name, kind, about);
    const place = span.spanContext();
    return {
      ...run,
      marking:
        (onLog) =>
        (entry): void => {
          places.set(entry, place);
          onLog?.(entry);
        },
      told(outcome) {
        places.set(outcome, place);
        const { status, error } = outcome;
        span.setAttribute('wf.outcome', status);
        if (error?.line !== undefined) span.setAttribute('wf.line', error.line);
        if (status !== 'error') return;
        span.setAttribute('error.type', error?.code ?? 'WF699');
        span.setStatus({ code: api.SpanStatusCode.ERROR });
      },
    };
  };
}

type TracedCall = Extract<TracedPart, { kind: 'call' }>;

const isHttp = ({ serviceKind }: TracedCall): boolean =>
  serviceKind === 'api' || serviceKind === 'webhook' || serviceKind === 'ai';

const callName = (call: TracedCall): string => (isHttp(call) ? `${call.method} ${call.service}` : call.service);

/** By the semantic conventions of OpenTelemetry for clients of HTTP, as far as they are stable. */
function callAttributes(call: TracedCall): Attributes {
  const { service, serviceKind, line, attempt, method, url } = call;
  const ours = { 'wf.service': service, 'wf.service.kind': serviceKind, 'wf.line': line, 'wf.attempt': attempt };
  if (!isHttp(call)) return ours;
  const at = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
  return {
    ...ours,
    'http.request.method': method,
    ...(attempt > 1 ? { 'http.request.resend_count': attempt - 1 } : {}),
    ...(url === undefined ? {} : { 'url.full': url }),
    ...(at === undefined
      ? {}
      : { 'server.address': at.hostname, 'server.port': Number(at.port) || (at.protocol === 'https:' ? 443 : 80) }),
  };
}

const resultAttributes = ({ status, code }: TracedResult): Attributes => ({
  ...(status === undefined ? {} : { 'http.response.status_code': status }),
  ...(code === undefined ? {} : { 'error.type': status === undefined ? code : String(status) }),
});

const UNREACHABLE = "Traces can't be sent to the collector. The runs are not affected. Check OTEL_EXPORTER_OTLP_ENDPOINT.";

function atMostOnceAMinute(report: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    if (Date.now() - last < SILENCE_MS) return;
    last = Date.now();
    report();
  };
}
