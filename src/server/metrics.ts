// Serves `GET /metrics`: runs, calls, schedules, the store and process statistics in the Prometheus text format, added up over all
// workers. Loads its package only with `--metrics`. docs/observability.md lists the metrics.
import type { Gauge as GaugeType } from 'prom-client';
import type { LogEntry } from '../../runtime/types.js';
import type { DurableEngine } from '../durable/durable-engine.js';
import type { StoreGauges } from '../durable/model/run-views.js';
import type { RunObserver, ScheduleObserver } from '../engine/records/run-record.js';

export interface Metrics extends RunObserver, ScheduleObserver {
  /** A request that started no run because of a limit. */
  refused(limit: 'max-concurrent' | 'runs-at-once' | 'rate'): void;
  /** Counts requests that begin or cease to wait for `runs at once:`. @param more 1 or -1 */
  inLine(workflow: string, more: 1 | -1): void;
  /** Adds figures of this store to each further rendering. */
  watchStore(store: Pick<DurableEngine, 'gauges' | 'health'>): void;
  render(): Promise<{ readonly type: string; readonly text: string }>;
}

/** Seconds: runs take from under a millisecond up to the default limit of five minutes. */
const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 300];
const COMMIT_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
/** Gauges of the package whose names end as those of counters do. Others of its metrics have the same numbers. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];
/** Milliseconds that a store has to answer. */
const PATIENCE_MS = 5_000;

/** @param shared uses the registry of the package, which the first process adds up over all workers */
export async function createMetrics(shared: boolean): Promise<Metrics> {
  const prom = await import('prom-client');
  const registry = shared ? prom.register : new prom.Registry();
  prom.collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const registers = [registry];
  const commits = new prom.Histogram({
    name: 'wf_store_commit_duration_seconds',
    help: 'Duration of commits to the store.',
    buckets: COMMIT_BUCKETS,
    registers,
  });
  const refused = new prom.Counter({
    name: 'wf_requests_refused_total',
    help: 'Requests that started no run because of a limit, by limit.',
    labelNames: ['limit'] as const,
    registers,
  });
  const inLine = new prom.Gauge({
    name: 'wf_runs_in_line',
    help: 'Requests that wait because of "runs at once:", by workflow.',
    labelNames: ['workflow'] as const,
    registers,
  });
  return {
    inLine: (workflow, more) => inLine.inc({ workflow }, more),
    ...countRuns(prom, registers),
    ...countSchedules(prom, registers),
    committed: (durationMs) => commits.observe(durationMs / 1000),
    refused: (limit) => refused.inc({ limit }),
    watchStore: (store) => gaugeStore(prom, registers, store),
    render: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}

type Prom = typeof import('prom-client');
type Registers = import('prom-client').Registry[];

function countRuns({ Counter, Gauge, Histogram }: Prom, registers: Registers): Omit<RunObserver, 'committed'> {
  const runs = new Counter({
    name: 'wf_runs_total',
    help: 'Finished runs, by workflow and outcome.',
    labelNames: ['workflow', 'outcome'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'wf_run_duration_seconds',
    help: 'Duration of finished runs, by workflow.',
    labelNames: ['workflow'] as const,
    buckets: BUCKETS,
    registers,
  });
  const labelNames = ['service', 'status'] as const;
  const calls = new Counter({ name: 'wf_calls_total', help: `Attempts of calls, ${BY_STATUS}`, labelNames, registers });
  const callDurations = new Histogram({
    name: 'wf_call_duration_seconds',
    help: `Duration of attempts of calls, ${BY_STATUS}`,
    labelNames,
    registers,
    buckets: BUCKETS,
  });
  const retries = new Counter({
    name: 'wf_call_retries_total',
    help: 'Attempts of calls that follow a failed one, by service.',
    labelNames: ['service'] as const,
    registers,
  });
  const inFlight = new Gauge({ name: 'wf_runs_in_flight', help: 'Runs that are in memory.', registers });
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
    called(entry) {
      const labels = { service: nameIn(entry), status: String(entry.status ?? 0) };
      calls.inc(labels);
      if (typeof entry.durationMs === 'number') callDurations.observe(labels, entry.durationMs / 1000);
    },
    retried: (entry) => retries.inc({ service: nameIn(entry) }),
  };
}

const BY_STATUS = 'by service and status (0: no answer).';

const nameIn = ({ service }: LogEntry): string => String(service ?? '');

function countSchedules({ Counter }: Prom, registers: Registers): ScheduleObserver {
  const counter = (name: string, help: string) =>
    new Counter({ name: `wf_schedule_${name}_total`, help, labelNames: ['workflow'] as const, registers });
  const fired = counter('runs', 'Runs that a schedule has started, by workflow.');
  const skipped = counter('skipped', 'Due times without a run because an earlier run was not finished, by workflow.');
  const late = counter('late', 'Due times that passed before anyone noticed, by workflow.');
  return {
    // At zero, so that the first increase is one.
    planned(workflow) {
      for (const one of [fired, skipped, late]) one.inc({ workflow }, 0);
    },
    fired: (workflow) => fired.inc({ workflow }),
    skipped: (workflow) => skipped.inc({ workflow }),
    late: (workflow, dueTimes) => late.inc({ workflow }, dueTimes),
  };
}

/** Every process of a server sees the same store, so their figures are not added up. */
function gaugeStore({ Gauge }: Prom, registers: Registers, store: Pick<DurableEngine, 'gauges' | 'health'>): void {
  let reading: Promise<StoreGauges | undefined> | undefined;
  const read = (): Promise<StoreGauges | undefined> => {
    reading ??= inTime(store).finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    show: (gauge: GaugeType<Label>, gauges: StoreGauges) => void,
  ): void => {
    const made: GaugeType<Label> = new Gauge({
      name,
      help,
      labelNames,
      registers,
      aggregator: 'max' as const,
      async collect() {
        const gauges = await read();
        // The content of a store that can't be read is unknown, not zero.
        made.reset();
        if (gauges === undefined && labelNames.length === 0) made.remove();
        else if (gauges !== undefined) show(made, gauges);
      },
    });
  };
  const up: GaugeType = new Gauge({
    name: 'wf_store_up',
    help: 'Whether runs can be recorded (1) or not (0).',
    registers,
    aggregator: 'min' as const,
    collect: () => up.set(store.health().ok ? 1 : 0),
  });
  gauge('wf_runs_unfinished', 'Unfinished runs in the store, by workflow and state.', ['workflow', 'state'], (made, { runs }) => {
    for (const { workflow, status, count } of runs) made.set({ workflow, state: status }, count);
  });
  gauge('wf_runs_oldest_waiting_seconds', 'Age of the oldest waiting run, by workflow.', ['workflow'], (made, { runs }) => {
    for (const { workflow, status, oldest } of runs) if (status === 'waiting') made.set({ workflow }, secondsSince(oldest));
  });
  gauge('wf_tasks_open', 'Questions that people have not answered, by workflow.', ['workflow'], (made, { tasks }) => {
    for (const { workflow, open } of tasks) made.set({ workflow }, open);
  });
  gauge('wf_tasks_overdue', 'Open questions whose time is up, by workflow.', ['workflow'], (made, { tasks }) => {
    for (const { workflow, overdue } of tasks) made.set({ workflow }, overdue);
  });
  gauge('wf_tasks_oldest_open_seconds', 'Age of the oldest open question, by workflow.', ['workflow'], (made, { tasks }) => {
    for (const { workflow, oldest } of tasks) made.set({ workflow }, secondsSince(oldest));
  });
  gauge('wf_store_lease_age_seconds', 'Time since this process renewed its lease on its runs.', [], (made, { leaseAgeMs }) => {
    if (leaseAgeMs === undefined) made.remove();
    else made.set(leaseAgeMs / 1000);
  });
}

const secondsSince = (moment: number): number => Math.max(0, Date.now() - moment) / 1000;

async function inTime(store: Pick<DurableEngine, 'gauges' | 'health'>): Promise<StoreGauges | undefined> {
  if (!store.health().ok) return undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, undefined).unref();
  });
  try {
    return await Promise.race([store.gauges(), late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

export interface Rendered {
  readonly type: string;
  readonly text: string;
}

/** The reply to a worker that asked for metrics. */
export interface MetricsReply {
  readonly type: 'wf:metrics';
  readonly id: number;
  readonly rendered?: Rendered | undefined;
  readonly problem?: string;
}

/** Metrics for the first process. */
export async function createSum(): Promise<() => Promise<Rendered>> {
  const { AggregatorRegistry } = await import('prom-client');
  const registry = new AggregatorRegistry();
  return async () => ({ type: registry.contentType, text: await registry.clusterMetrics() });
}

/** Metrics for a worker: counts its own, and renders the sum over all workers. */
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
