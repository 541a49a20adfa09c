// The console's figures: runs by state and, for each workflow, how many there are, how long they take and how often they fail.
import { DAY_MS, HOUR_MS } from '../../../runtime/dates/date-unit.js';
import { createdAt } from '../model/run-ids.js';
import type { CountedRun } from '../model/run-rows.js';
import type {
  DayFigures,
  DurableStatus,
  StoreGauges,
  StoreStats,
  StoreTrends,
  Trend,
  UnfinishedRuns,
  WorkflowStats,
} from '../model/run-views.js';
import type { StoreAccess } from '../store/port.js';
import { rerunsOfRuns } from './failed-runs.js';
import { toStatus } from './show-run.js';

const HOURS = 24;

const none = (): Record<DurableStatus, number> => ({
  running: 0,
  waiting: 0,
  completed: 0,
  rejected: 0,
  error: 0,
  cancelled: 0,
  stuck: 0,
});

interface Counts {
  readonly counts: Record<DurableStatus, number>;
  readonly madeGood: number;
}

function countSince(runs: readonly CountedRun[], good: ReadonlySet<string>, since: number): Counts {
  const counts = none();
  let madeGood = 0;
  for (const { id, state, created } of runs) {
    if (created < since) continue;
    if (good.has(id)) madeGood++;
    else counts[toStatus(state)]++;
  }
  return { counts, madeGood };
}

/** The value that this part of a sorted list does not exceed. */
const quantile = (sorted: readonly number[], part: number): number | undefined =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)];

function ofWorkflow(workflow: string, runs: readonly CountedRun[], now: number): WorkflowStats {
  const hours = Array.from({ length: HOURS }, () => ({ runs: 0, failures: 0 }));
  let failures = 0;
  for (const { state, created } of runs) {
    const hour = hours[HOURS - 1 - Math.floor((now - created) / HOUR_MS)];
    const isFailure = toStatus(state) === 'error';
    if (isFailure) failures++;
    if (hour === undefined) continue;
    hour.runs++;
    if (isFailure) hour.failures++;
  }
  return { workflow, runs: runs.length, failures, hours, ...quantiles(runs) };
}

/** @param since milliseconds since 1970, for the figures of workflows */
export async function storeNumbers(store: StoreAccess, since: number): Promise<StoreStats> {
  const now = Date.now();
  const runs = await store.client.reader.runsSince(Math.min(since, now - DAY_MS));
  const failed = runs.filter(({ state, created }) => toStatus(state) === 'error' && created >= now - DAY_MS);
  const reruns = await rerunsOfRuns(
    store.client.reader,
    failed.map(({ id }) => id),
  );
  const good = new Set([...reruns].flatMap(([id, { good }]) => (good === undefined ? [] : [id])));
  const [lastHour, lastDay] = [countSince(runs, good, now - HOUR_MS), countSince(runs, good, now - DAY_MS)];
  const open = none();
  for (const [state, count] of await store.client.reader.countByState()) open[toStatus(state)] += count;
  const byWorkflow = new Map<string, CountedRun[]>();
  for (const run of runs) {
    if (run.created < since) continue;
    const of = byWorkflow.get(run.workflow);
    if (of === undefined) byWorkflow.set(run.workflow, [run]);
    else of.push(run);
  }
  return {
    lastHour: lastHour.counts,
    lastDay: lastDay.counts,
    madeGood: { lastHour: lastHour.madeGood, lastDay: lastDay.madeGood },
    unfinished: { running: open.running, waiting: open.waiting, stuck: open.stuck },
    workflows: [...byWorkflow].sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, of]) => ofWorkflow(name, of, now)),
  };
}

/** Unfinished runs and tasks, in the states that people know. */
export async function storeGauges({ client }: StoreAccess): Promise<StoreGauges> {
  const [counts, tasks] = await Promise.all([client.reader.countUnfinished(), client.shared.countTasks(Date.now())]);
  const runs = new Map<string, UnfinishedRuns>();
  for (const { workflow, state, count, oldest } of counts) {
    const status = toStatus(state);
    const key = `${status} ${workflow}`;
    const known = runs.get(key);
    const since = Math.min(createdAt(oldest), known?.oldest ?? Number.POSITIVE_INFINITY);
    runs.set(key, { workflow, status, count: count + (known?.count ?? 0), oldest: since });
  }
  return { runs: [...runs.values()], tasks };
}

const DAYS = 30;
const WEEK = 7;

/** The runs of the last 30 days. */
export async function storeTrends(store: StoreAccess): Promise<StoreTrends> {
  const now = Date.now();
  const runs = await store.client.reader.runsSince(now - DAYS * DAY_MS);
  const byWorkflow = new Map<string, CountedRun[]>();
  for (const run of runs) {
    const of = byWorkflow.get(run.workflow);
    if (of === undefined) byWorkflow.set(run.workflow, [run]);
    else of.push(run);
  }
  return { all: trendOf(runs, now), workflows: new Map([...byWorkflow].map(([name, of]) => [name, trendOf(of, now)])) };
}

function trendOf(runs: readonly CountedRun[], now: number): Trend {
  const days = Array.from({ length: DAYS }, () => ({ runs: 0, failures: 0 }));
  for (const { state, created } of runs) {
    const day = days[DAYS - 1 - Math.floor((now - created) / DAY_MS)];
    if (day === undefined) continue;
    day.runs++;
    if (toStatus(state) === 'error') day.failures++;
  }
  return { days, week: ofDays(runs.filter(({ created }) => created >= now - WEEK * DAY_MS)), month: ofDays(runs) };
}

function ofDays(runs: readonly CountedRun[]): DayFigures {
  const failures = runs.filter(({ state }) => toStatus(state) === 'error').length;
  return { runs: runs.length, failures, ...quantiles(runs) };
}

function quantiles(runs: readonly CountedRun[]): Pick<DayFigures, 'medianMs' | 'p95Ms'> {
  const durations = runs.flatMap(({ created, finished }) => (finished === null ? [] : [finished - created]));
  durations.sort((one, other) => one - other);
  const [medianMs, p95Ms] = [quantile(durations, 0.5), quantile(durations, 0.95)];
  return { ...(medianMs === undefined ? {} : { medianMs }), ...(p95Ms === undefined ? {} : { p95Ms }) };
}
