// Serves `GET /metrics`: runs, calls and process statistics in the Prometheus text format, added up over all workers. Loads its
// package only with `--metrics`.
import type { RunObserver } from '../engine/records/run-record.js';
import type { MetricsReply, Rendered } from './process/primary.js';

export interface Metrics extends RunObserver {
  render(): Promise<{ readonly type: string; readonly text: string }>;
}

/** Seconds: runs take from under a millisecond up to the default limit of five minutes. */
const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 300];

/** @param shared uses the registry of the package, which the first process adds up over all workers */
export async function createMetrics(shared: boolean): Promise<Metrics> {
  const { Counter, collectDefaultMetrics, Gauge, Histogram, Registry, register } = await import('prom-client');
  const registry = shared ? register : new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const runs = new Counter({
    name: 'wf_runs_total',
    help: 'Finished runs, by workflow and outcome.',
    labelNames: ['workflow', 'outcome'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'wf_run_duration_seconds',
    help: 'Duration of runs, by workflow.',
    labelNames: ['workflow'] as const,
    buckets: BUCKETS,
    registers,
  });
  const calls = new Counter({
    name: 'wf_calls_total',
    help: 'Call attempts, by service and status (0: no answer).',
    labelNames: ['service', 'status'] as const,
    registers,
  });
  const inFlight = new Gauge({ name: 'wf_runs_in_flight', help: 'Runs in progress.', registers });
  return {
    started(workflow) {
      const start = performance.now();
      inFlight.inc();
      return (outcome, durationMs = performance.now() - start) => {
        inFlight.dec();
        if (outcome === undefined) return;
        runs.inc({ workflow, outcome });
        durations.observe({ workflow }, durationMs / 1000);
      };
    },
    called: ({ service, status }) => calls.inc({ service: String(service ?? ''), status: String(status ?? 0) }),
    render: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}

/** For the first process. */
export async function createSum(): Promise<() => Promise<Rendered>> {
  const { AggregatorRegistry } = await import('prom-client');
  const registry = new AggregatorRegistry();
  return async () => ({ type: registry.contentType, text: await registry.clusterMetrics() });
}

/** For a worker: counts its own, and renders the sum over all workers. */
export async function summed(own: Metrics): Promise<Metrics> {
  const { AggregatorRegistry } = await import('prom-client');
  // Answers the first process when it asks for this worker's counts.
  new AggregatorRegistry();
  const waiting = new Map<number, (reply: MetricsReply) => void>();
  let last = 0;
  process.on('message', (reply: MetricsReply) => {
    if (reply.type !== 'wf:metrics') return;
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  return {
    ...own,
    render: () =>
      new Promise((resolve, reject) => {
        const id = ++last;
        waiting.set(id, ({ rendered, problem }) => {
          if (rendered === undefined) reject(new Error(problem ?? 'The first process has no metrics.'));
          else resolve(rendered);
        });
        process.send?.({ type: 'wf:metrics', id });
      }),
  };
}
