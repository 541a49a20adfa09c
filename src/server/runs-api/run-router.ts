// Serves `/runs`: the list, one run, and what operators do with a run: cancel, resume, rerun. As JSON, callers see less of a run than
// operators: neither the details of a wait nor the request.
import type { Router } from 'express';
import type { OutcomeParts } from '../../../runtime/run/to-outcome.js';
import { anyOf } from '../../../runtime/texts/words.js';
import type { LogEntry, RunStatus, Value, WfRecord } from '../../../runtime/types.js';
import { isRecord } from '../../../runtime/values/record.js';
import type { Sender } from '../../access/roles.js';
import { closest } from '../../compiler/diagnostics/suggest.js';
import type { Change, DurableEngine, Rerun, RerunRequest } from '../../durable/durable-engine.js';
import {
  type ChangeRate,
  changeMany,
  changeRateForms,
  chooseRuns,
  type ManyAction,
  manyActions,
  readChangeRate,
} from '../../durable/engine/many-runs.js';
import type { Actor } from '../../durable/model/changes.js';
import type { RunDetail, RunQuery, RunState } from '../../durable/model/run-views.js';
import { outputsJson } from '../../durable/model/stored-run.js';
import { readRunFilter, runFilterExample } from '../../durable/views/run-filter.js';
import { jsonReply, type Reply, refusedReply } from '../app/answer.js';
import type { Refusal } from '../app/refusal.js';
import type { ApiCall, Endpoints } from './api-endpoints.js';
import { parametersOf, readIdempotencyKey, readPreference, readRunQuery } from './read-query.js';
import {
  alreadyRerun,
  badField,
  malformedKey,
  onlyFromStart,
  runElsewhere,
  runOfOthers,
  unknownRun,
  wrongState,
} from './refusals.js';

/** @param hasOperatorToken operators sign in with a token, so they are not the callers of runs */
export function addRunRoutes(router: Router, { add }: Endpoints, store: DurableEngine, hasOperatorToken: boolean): void {
  const viewOf = ({ role }: Sender): RunView =>
    role !== 'operator' && role !== 'viewer' ? 'caller' : hasOperatorToken ? 'operator' : 'both';
  add(router, /^\/runs$/, 'operators', { GET: (call) => listRuns(store, call) });
  add(router, runPath(''), 'callers', { GET: (call) => showRun(store, call, viewOf(call.sender)) });
  add(router, runPath('/rerun'), 'operators', { POST: (call) => replyToRerun(store, call) });
  add(router, runPath('/erase'), 'operators', {
    POST: async ({ part, body, actor }) => (body.ok ? replyToErase(store, part, actor) : refusedReply(body.refusal)),
  });
  add(router, runPath('/skip'), 'operators', {
    POST: async ({ part, body, actor }) => {
      if (!body.ok) return refusedReply(body.refusal);
      const { line, ...rest } = body.record;
      if ((line !== undefined && !isLine(line)) || Object.keys(rest).length > 0)
        return refusedReply(
          badField('The body does not say which wait to skip.', 'Send {"line": 14}, or {} for the wait that the run shows.'),
        );
      return changed(await store.skip(part, line, actor), part);
    },
  });
  for (const name of ['cancel', 'resume', 'retry'] as const)
    add(router, runPath(`/${name}`), 'operators', {
      POST: async ({ part, body, actor }) =>
        body.ok ? changed(await store[name](part, actor), part) : refusedReply(body.refusal),
    });
}

const runPath = (rest: string): RegExp => new RegExp(`^/runs/([0-9A-Za-z-]{1,64})${rest}$`);

async function listRuns(store: DurableEngine, { exchange, turn }: ApiCall): Promise<Reply> {
  const read = readRunQuery(parametersOf(exchange.target));
  if (!read.ok) return refusedReply(read.refusal);
  await turn();
  if (read.by === 'reason') return jsonReply(200, { reasons: await store.reasons(read.query) });
  return jsonReply(200, await store.list(read.query));
}

/** The reader of a run. Without a token for operators, a request from this machine is both caller and operator. */
type RunView = 'caller' | 'operator' | 'both';

/** Operators see the request and the log, too. Only callers get outputs unredacted. */
async function showRun(store: DurableEngine, { exchange, part: id, sender, turn }: ApiCall, view: RunView): Promise<Reply> {
  const { waitMs } = readPreference(exchange.request.headers);
  if (waitMs !== undefined) await store.settled(id, 'ended', waitMs);
  await turn();
  const state = await store.state(id);
  if (state === undefined) return refusedReply(unknownRun(id));
  if (!isOfSender(state, sender)) return refusedReply(runOfOthers);
  const headers = ['X-Run-Id', id, ...(waitMs === undefined ? [] : ['Preference-Applied', `wait=${waitMs / 1000}`])];
  if (view === 'caller') return jsonReply(200, callersView(state), headers);
  const [detail, log] = await Promise.all([store.get(id), store.log(id)]);
  if (detail === undefined) return refusedReply(unknownRun(id));
  const shown = view === 'both' ? state : redactedState(state, detail);
  return jsonReply(200, operatorsView(shown, detail, log), headers);
}

/** The run as it is from now on: that it ran, when, how it ended, and who asked for this. */
async function replyToErase(store: DurableEngine, id: string, by: Actor): Promise<Reply> {
  const change = await store.erase(id, by);
  return change.kind === 'done' ? jsonReply(200, change.state, ['X-Run-Id', id]) : changed(change, id);
}

function changed(change: Change, id: string): Reply {
  switch (change.kind) {
    case 'unknown':
      return refusedReply(unknownRun(id));
    case 'not possible':
      return refusedReply(wrongState(change.problem));
    case 'elsewhere':
      return refusedReply(runElsewhere);
    case 'done':
    case 'asked':
      return jsonReply(202, { run: id, status: change.state.status }, ['Location', runLocation(id)]);
  }
}

/** Starts a new run with the request of this one. */
async function replyToRerun(store: DurableEngine, { exchange, part: id, body, actor }: ApiCall): Promise<Reply> {
  if (!body.ok) return refusedReply(body.refusal);
  const given = readIdempotencyKey(exchange.request);
  if (!given.ok) return refusedReply(malformedKey('Idempotency-Key'));
  const { from = 'start', workflow = 'recorded', again, done, ...rest } = body.record;
  const [unknown] = Object.keys(rest);
  const isKnown = isOne(from, ['start', 'failure']) && isOne(workflow, ['recorded', 'current']);
  if (unknown !== undefined || !isKnown)
    return refusedReply(
      badField(
        unknown === undefined ? 'The body does not say how to run again.' : `The body has an unknown field "${unknown}".`,
        'Send {"from": "start" or "failure", "workflow": "recorded" or "current", "again": true}. Each may be left out: "start" and "recorded" are the default.',
      ),
    );
  // A start that is named means a full rerun, even if there are reruns already.
  const isAgain = again === true || body.record.from === 'start';
  const decided = decisionsIn(typeof again === 'boolean' ? undefined : again, done);
  if (decided === undefined)
    return refusedReply(badField('The body does not say what to do with calls in doubt.', howToDecide(14)));
  const how: RerunRequest = { from, workflow, ...decided, onlyFirst: !isAgain, key: given.key };
  const rerun = await store.rerun(id, how, actor);
  if (rerun.kind === 'unknown') return refusedReply(unknownRun(id));
  if (rerun.kind === 'in doubt') return jsonReply(409, inDoubt(rerun.calls));
  if (rerun.kind === 'not possible') {
    const refusal = rerun.fromStart ? onlyFromStart : rerun.hasOne ? alreadyRerun : wrongState;
    return refusedReply(refusal(rerun.problem));
  }
  return jsonReply(202, { run: rerun.run, status: 'accepted', rerunOf: id }, [
    'X-Run-Id',
    rerun.run,
    'Location',
    runLocation(rerun.run),
    ...(rerun.kind === 'known' ? ['Idempotency-Replayed', 'true'] : []),
  ]);
}

const howToDecide = (line: number): string =>
  `With "from": "failure", send {"again": [${line}]} to send the call of line ${line} again, or {"done": [{"line": ${line}, "result": {"id": 7}}]} to take this as its result.`;

const inDoubt = (calls: Extract<Rerun, { kind: 'in doubt' }>['calls']): object => ({
  error: 'Nobody knows whether these calls were received. Ask their services, then decide.',
  hint: howToDecide(calls[0]?.line ?? 14),
  calls,
});

/** The decisions on calls in doubt; `undefined` if they are malformed. */
function decisionsIn(again: Value, done: Value): Pick<RerunRequest, 'again' | 'done'> | undefined {
  const [lines, results] = [again, done].map((given) => (given === undefined || Array.isArray(given) ? given : [given]));
  if (lines?.some((line) => !isLine(line)) === true) return undefined;
  const taken: { readonly line: number; readonly result: Value }[] = [];
  for (const one of results ?? []) {
    if (!isRecord(one) || !isLine(one.line) || one.result === undefined || Object.keys(one).length > 2) return undefined;
    taken.push({ line: one.line, result: one.result });
  }
  return { ...(lines === undefined ? {} : { again: lines as number[] }), ...(results === undefined ? {} : { done: taken }) };
}

const isLine = (value: Value): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

const isOne = <T extends string>(value: unknown, of: readonly T[]): value is T => (of as readonly unknown[]).includes(value);

// Serves `POST /runs/bulk`: reruns, cancels or resumes all runs that a filter finds. It goes on until all are done, or the client leaves.

/** Milliseconds between two looks whether the server is to stop. */
const LOOK_MS = 200;

const FIELDS = ['action', 'where', 'search', 'q', 'dryRun', 'rate', 'from', 'workflow'] as const;

/** Before the routes of single runs: `bulk` could be the id of one. */
export function addBulkRoute(router: Router, { add }: Endpoints, store: DurableEngine, isStopping: () => boolean): void {
  add(router, /^\/runs\/bulk$/, 'operators', { POST: (call) => replyToBulk(store, call, isStopping) });
}

interface Bulk {
  readonly action: ManyAction;
  readonly query: RunQuery;
  readonly dryRun: boolean;
  readonly rate: ChangeRate | undefined;
  readonly rerun: { readonly from: 'start' | 'failure'; readonly workflow: 'recorded' | 'current' };
}

async function replyToBulk(store: DurableEngine, { exchange, body, actor }: ApiCall, isStopping: () => boolean): Promise<Reply> {
  if (!body.ok) return refusedReply(body.refusal);
  const bulk = readBulk(body.record);
  if ('error' in bulk) return refusedReply(bulk);
  const { action, rate, rerun } = bulk;
  const chosen = await chooseRuns(store, action, bulk.query);
  const { runs, action: _, ...rest } = chosen;
  const found = { action, dryRun: bulk.dryRun, runs: runs.length, ...rest };
  if (bulk.dryRun) return jsonReply(200, found);
  const stopper = new AbortController();
  exchange.response.once('close', () => stopper.abort());
  const looking = setInterval(() => {
    if (isStopping()) stopper.abort();
  }, LOOK_MS);
  try {
    return jsonReply(200, { ...found, ...(await changeMany(store, chosen, { rerun, by: actor, rate, signal: stopper.signal })) });
  } finally {
    clearInterval(looking);
  }
}

const example = `For example: {"action": "rerun", "where": "${runFilterExample}", "dryRun": true}`;

function readBulk(given: WfRecord): Bulk | Refusal {
  const { action, where, q, search = q, dryRun = false, rate: pace, from = 'failure', workflow = 'recorded' } = given;
  const unknown = Object.keys(given).find((name) => !(FIELDS as readonly string[]).includes(name));
  if (unknown !== undefined) {
    const near = closest(unknown, FIELDS);
    const advice = near === undefined ? `It takes ${FIELDS.join(', ')}. ${example}` : `Did you mean "${near}"? ${example}`;
    return badField(`The body has an unknown field "${unknown}".`, advice);
  }
  const known = manyActions.find((one) => one === action);
  if (known === undefined)
    return badField('The body does not say what to do.', `action must be ${anyOf(manyActions)}. ${example}`);
  if (q !== undefined && given.search !== undefined) return badField('q and search mean the same. Send one of them.', example);
  if (search !== undefined && typeof search !== 'string') return badField('search must be a text.', example);
  const filter = readRunFilter(where, search);
  if (!filter.ok) return badField(`where: ${filter.problem}`, filter.hint);
  if (typeof dryRun !== 'boolean') return badField('dryRun must be true or false.', example);
  const rate = typeof pace === 'string' ? readChangeRate(pace) : undefined;
  if (pace !== undefined && rate === undefined) return badField('The rate cannot be read.', `rate must be ${changeRateForms}.`);
  if (from !== 'start' && from !== 'failure') return badField('from must be "start" or "failure".', example);
  if (workflow !== 'recorded' && workflow !== 'current') return badField('workflow must be "recorded" or "current".', example);
  return { action: known, query: filter.query, dryRun, rate, rerun: { from, workflow } };
}

export const runLocation = (id: string): string => `/runs/${id}`;

/** HTTP status for the request that started a run which has ended or is stuck. */
export const statusOf = ({ status }: Pick<RunState, 'status'>): number => statuses[status];

const statuses = { completed: 200, rejected: 400, error: 500, cancelled: 500, stuck: 500, running: 202, waiting: 202 } as const;

/** The part of a run that its execution response shows. */
export type EndedRun = Omit<OutcomeParts, 'status'> & Pick<RunState, 'status'>;

/** The run as callers may read it: without the message of an error, which can contain values that are none of their business. */
const publicMessageOf = ({ message, error }: EndedRun): string | undefined => error?.publicMessage ?? message;

/** The execution response of a run that has ended or is stuck. The first request got the same text. */
export function outcomeJson(state: EndedRun, file: string): string {
  const { status, outputs, error } = state;
  if (status === 'completed') return `{"status":"completed","outputs":${outputsJson(outputs ?? {})}}`;
  const message = publicMessageOf(state) ?? '';
  const line = status === 'error' ? error?.line : undefined;
  return JSON.stringify({ status, message: line === undefined ? message : `${file}, line ${line}: ${message}` });
}

/** Whether a caller of named workflows may know of a run. */
export const isOfSender = ({ workflow }: Pick<RunState, 'workflow'>, { workflows }: Sender): boolean =>
  workflows?.includes(workflow) !== false;

/** `GET /runs/<id>` for a caller. */
function callersView(whole: RunState): object {
  const { waitingFor, error, ...state } = whole;
  const message = publicMessageOf(whole);
  return {
    ...state,
    ...(message === undefined ? {} : { message }),
    ...(waitingFor === undefined ? {} : { waitingFor: only(waitingFor, ['kind', 'until']) }),
    ...(error?.line === undefined ? {} : { line: error.line }),
  };
}

/** The state as it is shown to those who are not its caller. */
const redactedState = (state: RunState, { outputs, answer, message, error }: RunDetail): RunState => ({
  ...state,
  ...(state.outputs === undefined || outputs === undefined ? {} : { outputs }),
  ...(state.answer === undefined || answer === undefined ? {} : { answer }),
  ...(state.message === undefined || message === undefined ? {} : { message }),
  ...(state.error === undefined || error === undefined ? {} : { error }),
});

/** `GET /runs/<id>` for an operator. */
const operatorsView = (
  { error, ...state }: RunState,
  { request, about, reason, rerunBy, madeGoodBy, textHash, durationMs, reruns, decisions, activity }: RunDetail,
  log: readonly LogEntry[],
): object => ({
  ...state,
  ...(error === undefined ? {} : { error: only(error, ['message', 'line', 'column', 'code']) }),
  about,
  ...(reason === undefined ? {} : { reason }),
  ...(rerunBy === undefined ? {} : { rerunBy }),
  ...(madeGoodBy === undefined ? {} : { madeGoodBy }),
  textHash,
  durationMs,
  ...(reruns.length === 0 ? {} : { reruns }),
  ...(decisions === undefined ? {} : { decisions }),
  ...(activity === undefined ? {} : { activity }),
  request,
  log,
});

function only<T extends object, K extends keyof T>(whole: T, keys: readonly K[]): Partial<Pick<T, K>> {
  const part: Partial<Pick<T, K>> = {};
  for (const key of keys) if (whole[key] !== undefined) part[key] = whole[key];
  return part;
}

/** The outcomes that a workflow itself produces. */
export const isOutcome = (status: RunState['status']): status is RunStatus =>
  status === 'completed' || status === 'rejected' || status === 'error';
