// `wf runs rerun|cancel|resume|retry --where <filter>`: changes all runs that a filter finds, with progress, until Ctrl+C.
import { oneLine } from '../../../runtime/values/one-line.js';
import { counted } from '../../compiler/diagnostics/render-text.js';
import type { DurableEngine, RerunRequest } from '../../durable/durable-engine.js';
import {
  type ChangedRuns,
  type ChangeRate,
  type ChosenRuns,
  changeMany,
  changeRateForms,
  chooseRuns,
  type ManyAction,
  readChangeRate,
} from '../../durable/engine/many-runs.js';
import { type DurableStatus, isFinished } from '../../durable/model/run-views.js';
import { readRunFilter, runFilterExample } from '../../durable/views/run-filter.js';
import type { Io } from '../../engine/io.js';
import type { Prepared } from '../../engine/prepare/prepared.js';
import { UsageError } from '../../engine/usage-error.js';
import type { Values } from '../command-spec.js';
import { GRACE_MS, INTERRUPTED } from '../interruption.js';
import { createProgress } from '../progress.js';
import { currentWorkflow, readFrom } from './change-runs.js';
import { commandActor, optionText } from './open-command-store.js';
import { stopOf } from './resume-runs.js';

/** Whether the options name many runs instead of one. @throws UsageError if an id is given as well */
export function namesMany(action: ManyAction, rest: readonly string[], values: Values): boolean {
  const isMany = values.where !== undefined || values.search !== undefined;
  if (!isMany && (values.rate !== undefined || values.dryRun !== undefined))
    throw new UsageError(
      `wf runs ${action} takes --rate and --dry-run only with --where or --search.`,
      `For example: wf runs ${action} --where '${runFilterExample}' --dry-run`,
    );
  if (isMany && rest[0] !== undefined)
    throw new UsageError(
      `wf runs ${action} takes the id of a run, or --where, but not both.`,
      'Nothing was changed. Leave out one of them.',
    );
  return isMany;
}

const DONE: Readonly<Record<ManyAction, string>> = {
  rerun: 'rerun',
  cancel: 'cancelled',
  resume: 'resumed',
  retry: 'retried',
  erase: 'erased',
};

/** @throws UsageError for a filter, a rate or an option that cannot be used */
export async function manyRunsCommand(
  store: DurableEngine,
  action: ManyAction,
  values: Values,
  io: Io,
  use: (current: Prepared) => void,
): Promise<number> {
  const read = readRunFilter(optionText(values, 'where'), optionText(values, 'search'));
  if (!read.ok) throw new UsageError(`--where: ${read.problem}`, read.hint);
  const [rate, rerun] = [readRate(optionText(values, 'rate')), rerunOf(values)];
  if (rerun.workflow === 'current' && read.query.workflow === undefined)
    throw new UsageError('--current needs workflow=… in --where: each workflow has a file of its own.');
  const chosen = await chooseRuns(store, action, read.query);
  const [first] = chosen.runs;
  if (values.dryRun === true || first === undefined) {
    print(values, io, { action, dryRun: values.dryRun === true, ...counts(chosen) }, [wouldBe(chosen), ...passedOver(chosen)]);
    return 0;
  }
  if (rerun.workflow === 'current') use(await currentWorkflow(store, first, values, io));
  return change(store, chosen, { rerun, rate }, values, io);
}

interface Manner {
  readonly rerun: Pick<RerunRequest, 'from' | 'workflow'>;
  readonly rate: ChangeRate | undefined;
}

async function change(store: DurableEngine, chosen: ChosenRuns, manner: Manner, values: Values, io: Io): Promise<number> {
  const { action } = chosen;
  const stopper = new AbortController();
  const progress = createProgress(io, 1);
  const outcomes = new Map<DurableStatus, number>();
  const follow = async (run: string): Promise<void> => {
    const status = await settled(store, run, stopper.signal);
    if (status !== undefined) outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
  };
  const changing = changeMany(store, chosen, {
    ...{ ...manner, by: commandActor(), signal: stopper.signal },
    ...(action === 'rerun' || action === 'resume' ? { follow } : {}),
    onProgress: (handled, of) => progress.update(0, DONE[action], handled, of),
  });
  const isStopped = (await Promise.race([changing, stopOf(io)])) === 'stopped';
  if (isStopped) {
    stopper.abort();
    await store.close(GRACE_MS);
  }
  const done = await changing;
  progress.clear();
  const byOutcome = Object.fromEntries(outcomes);
  print(values, io, { action, ...counts(chosen), ...done, outcomes: byOutcome }, [
    hasBeen(chosen, done, byOutcome),
    ...passedOver(chosen),
    ...done.refused.map(({ run, problem }) => `Run ${run}: ${problem}`),
    ...(isStopped ? ['Interrupted. The same command continues with the rest.'] : []),
  ]);
  if (isStopped) return INTERRUPTED;
  return done.refused.length > 0 || outcomes.has('error') || outcomes.has('stuck') ? 1 : 0;
}

const PATIENCE_MS = 60_000;

/** Tells how a run ended, or that it waits for long. */
async function settled(store: DurableEngine, run: string, signal: AbortSignal): Promise<DurableStatus | undefined> {
  while (!signal.aborted) {
    // A store that is closed after Ctrl+C can't be asked any more.
    const state = await store.settled(run, 'paused', PATIENCE_MS).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return undefined;
    });
    if (state === undefined || isFinished(state.status) || state.status !== 'running') return state?.status;
  }
  return undefined;
}

const counts = ({ runs, unfit, rerunBefore }: ChosenRuns): object => ({ runs: runs.length, unfit, rerunBefore });

const wouldBe = ({ action, runs }: ChosenRuns): string =>
  runs.length === 0 ? `There is no run to ${action}.` : `${counted(runs.length, 'run')} would be ${DONE[action]}.`;

function hasBeen(
  { action, runs }: ChosenRuns,
  { changed, left }: ChangedRuns,
  outcomes: Readonly<Record<string, number>>,
): string {
  const ends = Object.entries(outcomes).map(([status, count]) => `${count} ${status}`);
  const of = changed === runs.length ? counted(changed, 'run') : `${changed} of ${counted(runs.length, 'run')}`;
  return `${of} ${DONE[action]}${ends.length === 0 ? '' : `: ${ends.join(', ')}`}.${left === 0 ? '' : ` ${left} left.`}`;
}

/** Tells what else the filter found. */
const passedOver = ({ action, unfit, rerunBefore }: ChosenRuns): string[] => [
  ...(rerunBefore === 0 ? [] : [`Passed over: ${rerunBefore} that ${rerunBefore === 1 ? 'has' : 'have'} been rerun already.`]),
  ...(unfit === 0 ? [] : [`Passed over: ${unfit} that cannot be ${DONE[action]} in ${unfit === 1 ? 'its' : 'their'} state.`]),
];

function print(values: Values, io: Io, json: object, lines: readonly string[]): void {
  if (values.json === true) io.stdout.write(`${JSON.stringify(json)}\n`);
  else io.stdout.write(lines.map((line) => `${oneLine(line)}\n`).join(''));
}

function readRate(text: string | undefined): ChangeRate | undefined {
  if (text === undefined) return undefined;
  const rate = readChangeRate(text);
  if (rate === undefined) throw new UsageError(`--rate must be ${changeRateForms}, not ${JSON.stringify(text)}.`);
  return rate;
}

/** Of many runs, only what failed is done again, unless the start is asked for. */
function rerunOf(values: Values): Manner['rerun'] {
  const from = readFrom(values) ?? 'failure';
  if (values.again !== undefined || values.done !== undefined)
    throw new UsageError('--again and --done decide on one run, so they cannot be used with --where.');
  return { from, workflow: values.current === true ? 'current' : 'recorded' };
}
