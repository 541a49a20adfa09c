// The parts of OpenTelemetry that tracing uses. Bundled as one: the packages share most of what they consist of (build/packages.mjs).
export * as api from '@opentelemetry/api';
export { parseTraceParent } from '@opentelemetry/core';
export { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
export { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
export {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
