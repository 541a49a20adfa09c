// `wf runs list`: prints one line per run, newest first, and names the states of runs for other commands.
import { durationText } from '../../../runtime/dates/date-unit.js';
import { anyOf } from '../../../runtime/texts/words.js';
import { oneLine } from '../../../runtime/values/one-line.js';
import { type Colour, paint } from '../../compiler/diagnostics/render-text.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import type { DurableStatus, RunQuery, RunState, RunSummary } from '../../durable/model/run-views.js';
import { readRunFilter, readTimeFilter, timeFilterForms } from '../../durable/views/run-filter.js';
import { momentInUtc, waitingText } from '../../durable/views/show-run.js';
import type { Io } from '../../engine/io.js';
import { readWhole } from '../../engine/shared-options.js';
import { UsageError } from '../../engine/usage-error.js';
import type { Values } from '../command-spec.js';
import { optionText, unknownRunError } from './open-command-store.js';

const STATUSES: readonly DurableStatus[] = ['running', 'waiting', 'completed', 'rejected', 'error', 'cancelled', 'stuck'];
const PAGE = 100;

export async function listRunsCommand(store: DurableEngine, values: Values, io: Io): Promise<number> {
  const query = readListQuery(values);
  const { parent } = query;
  // An unknown run is a mistake; one without calls has none.
  if (parent !== undefined && (await store.state(parent)) === undefined) throw unknownRunError(parent);
  if (values.by !== undefined) return listReasons(store, query, values, io);
  const most = readWhole('--limit', optionText(values, 'limit'), 1, 1_000_000) ?? 20;
  const found: RunSummary[] = [];
  let cursor: string | undefined;
  let unreadable: readonly string[] | undefined;
  let note: string | undefined;
  do {
    const page = await store.list({
      limit: Math.min(PAGE, most - found.length),
      ...query,
      ...(cursor === undefined ? {} : { cursor }),
    });
    found.push(...page.runs);
    ({ unreadable, note } = page);
    cursor = page.runs.length === 0 ? undefined : page.next;
  } while (cursor !== undefined && found.length < most);
  if (values.json === true) {
    io.stdout.write(`${JSON.stringify({ runs: found, next: cursor, unreadable, note })}\n`);
    return 0;
  }
  for (const run of found) io.stdout.write(`${lineOf(run, io.colour.stdout)}\n`);
  if (found.length === 0) io.stdout.write('No runs.\n');
  if (note !== undefined) io.stderr.write(`${note}\n`);
  if (cursor !== undefined) io.stderr.write(`There are more runs; --limit ${most * 5} shows more of them.\n`);
  return 0;
}

/** Which runs to list. */
function readListQuery(values: Values): RunQuery {
  const [workflow, status] = [optionText(values, 'workflow'), readStatus(optionText(values, 'status'))];
  const [parent, reason] = [optionText(values, 'parent'), optionText(values, 'reason')];
  const search = readSearch(optionText(values, 'search'));
  const since = readSince(optionText(values, 'since'));
  return {
    ...readWhere(values),
    ...(workflow === undefined ? {} : { workflow }),
    ...(status === undefined ? {} : { status }),
    ...(parent === undefined ? {} : { parent }),
    ...(reason === undefined ? {} : { reason }),
    ...(search === undefined ? {} : { q: search }),
    ...(since === undefined ? {} : { since }),
  };
}

/** The filter of commands that change many runs, to see what they would take. */
function readWhere(values: Values): RunQuery {
  const where = optionText(values, 'where');
  if (where === undefined) return {};
  const read = readRunFilter(where, undefined);
  if (!read.ok) throw new UsageError(`--where: ${read.problem}`, read.hint);
  const twice = (['workflow', 'status', 'since', 'reason'] as const).find(
    (name) => values[name] !== undefined && read.query[name] !== undefined,
  );
  if (twice !== undefined) throw new UsageError(`--where and --${twice} both say which ${twice}.`, 'Leave out one of them.');
  return read.query;
}

/** Failed runs by their reason, the largest group first. */
async function listReasons(store: DurableEngine, query: RunQuery, values: Values, io: Io): Promise<number> {
  if (values.by !== 'reason')
    throw new UsageError(`--by must be reason, not ${JSON.stringify(values.by)}.`, 'For example: wf runs list --by reason');
  if (query.parent !== undefined) throw new UsageError('--by and --parent cannot be used together.');
  const reasons = await store.reasons(query);
  if (values.json === true) {
    io.stdout.write(`${JSON.stringify({ reasons })}\n`);
    return 0;
  }
  const width = String(reasons[0]?.runs ?? '').length;
  for (const { reason, runs, workflows, last } of reasons) {
    const rest = `${reason}  (${workflows.join(', ')}, last ${momentInUtc(last)})`;
    io.stdout.write(`${String(runs).padStart(width)} × ${oneLine(rest)}\n`);
  }
  if (reasons.length === 0) io.stdout.write('No failed or stuck runs.\n');
  return 0;
}

function lineOf(run: RunSummary, colour: boolean): string {
  const state = paint(run.status.padEnd(9), statusColour[run.status], colour);
  const rest = run.waitingFor === undefined ? durationText(run.durationMs) : `waiting ${waitingText(run.waitingFor)}`;
  const good = run.madeGoodBy === undefined ? '' : `made good by ${run.madeGoodBy}`;
  const parts = [run.workflow, rest, run.about, run.reason ?? '', good].filter((part) => part !== '');
  return `${run.run}  ${momentInUtc(run.createdAt)}  ${state}  ${oneLine(parts.join('  '))}`;
}

function readStatus(text: string | undefined): DurableStatus | undefined {
  if (text === undefined) return undefined;
  const status = STATUSES.find((known) => known === text);
  if (status === undefined) throw new UsageError(`--status must be ${anyOf(STATUSES)}, not ${JSON.stringify(text)}.`);
  return status;
}

function readSearch(text: string | undefined): string | undefined {
  if (text?.trim() === '')
    throw new UsageError('--search is empty.', 'Give it an id or its beginning, or a value of the request: --search 4711');
  return text;
}

/** @returns UTC */
export function readSince(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const moment = readTimeFilter(text);
  if (moment === undefined) throw new UsageError(`--since must be ${timeFilterForms}, not ${JSON.stringify(text)}.`);
  return moment;
}

export const statusColour: Readonly<Record<DurableStatus, Colour>> = {
  running: 'grey',
  waiting: 'yellow',
  completed: 'green',
  rejected: 'yellow',
  error: 'red',
  cancelled: 'grey',
  stuck: 'red',
};

/** The state of this run in one line, for someone who waits for it. */
export function stateText({ run, status, waitingFor, message }: RunState): string {
  if (status === 'waiting' && waitingFor !== undefined) return `Run ${run} is waiting ${waitingText(waitingFor)}.`;
  if (status === 'stuck') return `Run ${run} is stuck: ${oneLine(message ?? '')}`;
  if (status === 'cancelled') return `Run ${run} was cancelled${message === undefined ? '' : `: ${oneLine(message)}`}.`;
  return `Run ${run} is ${status}.`;
}

/** 0 completed, 1 error or stuck, 3 rejected, 4 not ended yet. */
export const exitCodeOfState = ({ status }: Pick<RunState, 'status'>): number =>
  ({ completed: 0, rejected: 3, error: 1, cancelled: 1, stuck: 1, running: 4, waiting: 4 })[status];
