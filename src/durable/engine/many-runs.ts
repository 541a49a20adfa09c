// Cancels, resumes or reruns all runs that a filter finds and that the action fits: a few at a time, at a limited rate, until it is stopped.
// Repeating it goes on with the rest.
import { counted } from '../../../runtime/texts/words.js';
import { sleepUnlessAborted } from '../../engine/waits.js';
import type { DurableEngine, RerunRequest } from '../durable-engine.js';
import type { Actor } from '../model/changes.js';
import { deletedProblem, isFinished, type RunQuery, type RunSummary } from '../model/run-views.js';

export const manyActions = ['rerun', 'cancel', 'resume', 'retry', 'erase'] as const;
export type ManyAction = (typeof manyActions)[number];

/** Runs changed at the same time. */
const AT_ONCE = 10;

/** Runs of a group that is cancelled, and groups in progress: another process that has them looks for this a few times a second. */
const [ASKED_TOGETHER, GROUPS] = [500, 2];

/** Runs read at a time: everything else that the store does waits for that. */
const PAGE = 100;

/** The runs to change, and how many the filter found besides. */
export interface ChosenRuns {
  readonly action: ManyAction;
  /** Ids, oldest first. */
  readonly runs: readonly string[];
  /** Runs that the action does not fit. */
  readonly unfit: number;
  /** For a rerun: failed runs that have been rerun already. */
  readonly rerunBefore: number;
  /** Why the filter found nothing, where more may be there: a store with a key hides most values. */
  readonly note?: string;
}

/** Without a state in the filter, a rerun takes runs that failed. */
export async function chooseRuns(store: Pick<DurableEngine, 'list'>, action: ManyAction, filter: RunQuery): Promise<ChosenRuns> {
  const query: RunQuery = action === 'rerun' && filter.status === undefined ? { ...filter, status: 'error' } : filter;
  const runs: string[] = [];
  let [unfit, rerunBefore] = [0, 0];
  let cursor: string | undefined;
  let note: string | undefined;
  do {
    const page = await store.list({ ...query, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) });
    const chosen = chooseAmong(action, page.runs);
    runs.push(...chosen.runs);
    unfit += chosen.unfit;
    rerunBefore += chosen.rerunBefore;
    cursor = page.runs.length === 0 ? undefined : page.next;
    note ??= page.note;
  } while (cursor !== undefined);
  return { action, runs: runs.reverse(), unfit, rerunBefore, ...(note === undefined ? {} : { note }) };
}

/** Of these runs, in their order. */
export function chooseAmong(action: ManyAction, all: readonly RunSummary[]): ChosenRuns {
  const fit = all.filter((run) => fits(action, run));
  const runs = fit.filter(({ rerunBy }) => action !== 'rerun' || rerunBy === undefined).map(({ run }) => run);
  return { action, runs, unfit: all.length - fit.length, rerunBefore: fit.length - runs.length };
}

/** A called workflow changes with the run that called it. */
function fits(action: ManyAction, { status, parent, waitingFor, erased }: RunSummary): boolean {
  if (parent !== undefined || erased !== undefined) return false;
  if (action === 'resume') return status === 'stuck';
  if (action === 'retry') return status === 'waiting' && waitingFor?.kind === 'retry';
  return isFinished(status) === (action === 'rerun' || action === 'erase');
}

/** A number of runs in a number of milliseconds. */
export interface ChangeRate {
  readonly runs: number;
  readonly ms: number;
}

const UNITS: Readonly<Record<string, number>> = { second: 1_000, minute: 60_000, hour: 3_600_000 };

export const changeRateForms = 'a number and a unit, such as 5/second, 100/minute or 1000/hour';

/** `5/second`; `undefined` if it is no rate. */
export function readChangeRate(text: string): ChangeRate | undefined {
  const [, runs, unit = ''] = /^([1-9]\d{0,5})\/(second|minute|hour)$/.exec(text.trim()) ?? [];
  return runs === undefined ? undefined : { runs: Number(runs), ms: UNITS[unit] ?? 0 };
}

interface ChangeManyOptions {
  /** The kind of rerun; never of a run that someone else reran meanwhile. */
  readonly rerun: Pick<RerunRequest, 'from' | 'workflow'>;
  /** The person or program that asked for it, if known. */
  readonly by?: Actor | undefined;
  readonly rate?: ChangeRate | undefined;
  /** Starts no more changes; those in progress end. */
  readonly signal?: AbortSignal;
  /** Called after each run that was changed, with the id of its rerun; the next one waits for this. */
  readonly follow?: (run: string) => Promise<void>;
  readonly onProgress?: (handled: number, of: number) => void;
}

export interface ChangedRuns {
  readonly changed: number;
  /** Runs that could not be changed, with the reason. */
  readonly refused: readonly { readonly run: string; readonly problem: string }[];
  /** Runs that were not reached before the stop. */
  readonly left: number;
}

export async function changeMany(
  store: DurableEngine,
  { action, runs }: ChosenRuns,
  options: ChangeManyOptions,
): Promise<ChangedRuns> {
  const { signal = new AbortController().signal, rate, follow, onProgress, by } = options;
  if (runs.length > 0) await store.changes.record({ action: 'bulk', by, about: `${action} of ${counted(runs.length, 'run')}` });
  const refused: { run: string; problem: string }[] = [];
  let [next, changed, handled] = [0, 0, 0];
  const started = performance.now();
  const cancelTogether = async (): Promise<void> => {
    while (next < runs.length && !signal.aborted) {
      const group = runs.slice(next, next + ASKED_TOGETHER);
      next += group.length;
      const problems = await store.cancelMany(group, by);
      for (const [run, problem] of problems) refused.push({ run, problem });
      changed += group.length - problems.size;
      handled += group.length;
      onProgress?.(handled, runs.length);
    }
  };
  const work = async (): Promise<void> => {
    while (next < runs.length && !signal.aborted) {
      const at = next++;
      const run = runs[at] ?? '';
      const early = rate === undefined ? 0 : started + (at * rate.ms) / rate.runs - performance.now();
      if (early > 0 && !(await sleepUnlessAborted(early, signal))) return;
      const result = await changeOne(store, action, run, options);
      if ('problem' in result) refused.push({ run, problem: result.problem });
      else {
        changed++;
        await follow?.(result.run);
      }
      onProgress?.(++handled, runs.length);
    }
  };
  const isTogether = action === 'cancel' && rate === undefined && follow === undefined;
  await Promise.all(
    Array.from({ length: isTogether ? GROUPS : Math.min(AT_ONCE, runs.length) }, isTogether ? cancelTogether : work),
  );
  const left = runs.length - changed - refused.length;
  if (left > 0) await store.changes.record({ action: 'bulk', by, about: `${action} stopped, ${counted(left, 'run')} left` });
  return { changed, refused, left };
}

async function changeOne(
  store: DurableEngine,
  action: ManyAction,
  run: string,
  { rerun: how, by }: ChangeManyOptions,
): Promise<{ readonly run: string } | { readonly problem: string }> {
  if (action === 'rerun') {
    const rerun = await store.rerun(run, { ...how, onlyFirst: true }, by);
    switch (rerun.kind) {
      case 'started':
      case 'known':
        return { run: rerun.run };
      case 'unknown':
        return { problem: deletedProblem };
      case 'in doubt':
        return { problem: 'Nobody knows whether one of its calls was received: rerun it alone, and decide on that call.' };
      case 'not possible':
        return { problem: rerun.problem };
    }
  }
  const change = await store[action](run, by);
  switch (change.kind) {
    case 'done':
    case 'asked':
      return { run };
    case 'unknown':
      return { problem: deletedProblem };
    case 'elsewhere':
      return { problem: 'Another process is working on it.' };
    case 'not possible':
      return { problem: change.problem };
  }
}
