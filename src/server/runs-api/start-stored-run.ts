// `POST` to a workflow with a store: records the run, then answers with its outcome, or with 202 and the address where the outcome will be.
import { receivedBy } from '../../../runtime/run/received.js';
import type { RunOptions, WfRecord, WorkflowInfo } from '../../../runtime/types.js';
import type { DurableEngine, Ended, Started } from '../../durable/durable-engine.js';
import { isFinished, type RunState } from '../../durable/model/run-views.js';
import { storedOutcomes } from '../../engine/long-outcomes.js';
import type { Prepared } from '../../engine/prepare/prepared.js';
import { jsonReply, type Reply, refusedReply } from '../app/answer.js';
import { type HttpExchange, traceparentOf } from '../app/exchange.js';
import type { Refusal } from '../app/refusal.js';
import { originOfRequest, originOfRun, type ServerLog } from '../server-log.js';
import { ownReply, type ReceivedOf, type RunWorkflow, runLimit } from '../workflows/post.js';
import type { Route } from '../workflows/route-table.js';
import { type Preference, readIdempotencyKey, readPreference } from './read-query.js';
import { doneBefore, keyInUse, keyWithOtherBody, malformedKey, runUnrecorded, storeUnavailable } from './refusals.js';
import { type EndedRun, isOutcome, outcomeJson, runLocation, statusOf } from './run-router.js';

/** Maximum milliseconds to hold a request. Proxies give up at about the same time. */
const LONGEST_HOLD = 300_000;

const REPLAYED = ['Idempotency-Replayed', 'true'];

type Known = Extract<Started, { kind: 'known' }>;

interface StoredRunOptions {
  readonly store: DurableEngine;
  /** Maximum working time of a run in milliseconds, without its waits; 0 for none. */
  readonly timeoutMs: number | undefined;
  readonly log: ServerLog;
  /** Maximum hold in milliseconds, for tests. */
  readonly longestHoldMs?: number;
}

interface RequestedRunOptions extends StoredRunOptions {
  readonly received: ReceivedOf;
}

/** @param unfit why the request fits no run, if it asked only for one that its key has started */
function notStarted(started: Exclude<Started, { kind: 'started' | 'known' }>, unfit: Refusal | undefined): Reply {
  switch (started.kind) {
    case 'unavailable':
      return refusedReply(storeUnavailable);
    case 'unrecorded':
      return unrecorded(started.run);
    case 'other request':
      return refusedFor(started.run, keyWithOtherBody('Idempotency-Key'));
    case 'done before':
      return refusedFor(started.run, doneBefore(started.run));
    case 'new key':
      return refusedReply(unfit ?? storeUnavailable);
  }
}

export function createStoredRun(options: RequestedRunOptions): RunWorkflow {
  const { store, timeoutMs, log, received, longestHoldMs = LONGEST_HOLD } = options;
  /** @param ended how the run ended or paused, `undefined` if it did neither in time */
  const answerOf = async (
    exchange: HttpExchange,
    route: Route,
    run: string,
    ended: Exclude<Ended, { kind: 'outcome' }> | undefined,
    { respondAsync, waitMs }: Preference,
  ): Promise<Reply> => {
    if (respondAsync) return acceptedAsync(run);
    const applied = appliedWait(waitMs);
    // A client that asked for a wait gets it, whatever the run is waiting for.
    const waitsOn = ended?.kind === 'paused' && waitMs !== undefined;
    if (ended !== undefined && ended.kind !== 'lost' && !waitsOn) return replyTo(run, ended.state, route, applied);
    const left = (waitMs ?? longestHoldMs) - (performance.now() - exchange.started);
    const until = waitMs === undefined ? 'paused' : 'ended';
    const asked = ended === undefined || left <= 0 ? store.state(run) : store.settled(run, until, left);
    const state = await asked.catch((cause) => {
      if (store.health().ok) throw cause;
      // The run is recorded, and its caller needs only its address.
      return ended?.state;
    });
    return state === undefined ? accepted(run, 'running', applied) : replyTo(run, state, route, applied);
  };

  const replyTo = async (run: string, state: RunState, { prepared }: Route, headers: readonly string[]): Promise<Reply> => {
    if (isFinished(state.status) || state.status === 'stuck') return endOf(run, state, prepared.workflow, headers);
    await store.acknowledge(run);
    return accepted(run, state.status === 'waiting' ? 'waiting' : 'running', headers);
  };

  return async (exchange, route, request, { sent, unfit, key: deliveryId, onOutlives } = {}) => {
    const given = deliveryId === undefined ? readIdempotencyKey(exchange.request) : ({ ok: true, key: deliveryId } as const);
    if (!given.ok) return refusedReply(malformedKey('Idempotency-Key'));
    const { prepared } = route;
    const lines = createLines(log, exchange, prepared);
    const preference = preferenceFor(exchange, prepared.workflow);
    const starting = store.start({
      prepared,
      request,
      sent,
      respondAsync: preference.respondAsync,
      key: given.key,
      onlyAsks: unfit !== undefined,
      onStart: lines.begins,
      reading: { enter: () => storedOutcomes.enter(exchange), leave: () => storedOutcomes.leave(exchange) },
      options: optionsOf(exchange, received(exchange, prepared), lines.onLog, runLimit(prepared.workflow.timeoutMs, timeoutMs)),
    });
    // An `await` takes a part of a small run that can be measured.
    const started = starting instanceof Promise ? await starting : starting;
    if (started.kind === 'known')
      return isAnswered(started) ? replyTo(started.run, started.state, route, REPLAYED) : unfinishedAgain(started, preference);
    if (started.kind !== 'started') return notStarted(started, unfit);
    const { run } = started;
    const ended = preference.respondAsync ? undefined : await started.endWithin(preference.waitMs ?? longestHoldMs);
    lines.answered(run, ended ?? started.end);
    if (ended === undefined) onOutlives?.(started.end);
    if (ended?.kind === 'outcome') return endOf(run, ended.outcome, prepared.workflow, appliedWait(preference.waitMs));
    const isUnsure = !preference.respondAsync && (ended === undefined || ended.kind === 'lost');
    if (isUnsure && !(await started.recorded())) return unrecorded(run);
    return answerOf(exchange, route, run, ended, preference);
  };
}

/** Starts a run for an operator, who is told its id as soon as it is recorded. */
export const createOperatorStart =
  ({ store, timeoutMs, log }: StoredRunOptions) =>
  async (prepared: Prepared, request: WfRecord, key: string, caller: string | undefined): Promise<Started> => {
    const lines = createLines(log, undefined, prepared);
    const started = await store.start({
      prepared,
      request,
      key,
      respondAsync: true,
      onStart: lines.outlives,
      options: {
        received: receivedBy('http', { caller }),
        keepLog: false,
        onLog: lines.onLog,
        timeoutMs: runLimit(prepared.workflow.timeoutMs, timeoutMs),
      },
    });
    if (started.kind === 'started') lines.answered(started.run, started.end);
    return started;
  };

/** A workflow with `answer: accepted` answers every client as if it had asked for that. */
function preferenceFor({ request }: HttpExchange, { serving }: WorkflowInfo): Preference {
  const asked = readPreference(request.headers);
  return serving?.isAccepted === true ? { ...asked, respondAsync: true } : asked;
}

/** The run as operators read it. */
interface Lines {
  readonly onLog: NonNullable<RunOptions['onLog']>;
  /** Sets the id of the run, once it is known. */
  readonly begins: (run: string) => void;
  /** Prints the name and the id of the run on all further lines. */
  readonly outlives: (run: string) => void;
  /** Call once, when the answer to the request is known. */
  readonly answered: (run: string, ended: Ended | Promise<Ended>) => void;
}

/** @param exchange whose id the lines bear until it is answered */
function createLines(log: ServerLog, exchange: HttpExchange | undefined, { basename, file }: Route['prepared']): Lines {
  let origin = exchange === undefined ? originOfRun(basename, '') : originOfRequest(exchange, basename);
  const failed = (ended: Ended): void => {
    if (ended.kind === 'outcome' && ended.outcome.status === 'error') log.failed(origin, ended, file);
  };
  const outlives = (run: string): void => {
    origin = { ...originOfRun(basename, run), requestId: exchange?.id };
  };
  return {
    onLog(entry) {
      if (entry.type === 'log') log.logged(origin, entry);
    },
    begins(run) {
      if (exchange !== undefined) origin = originOfRequest(exchange, basename, run);
    },
    outlives,
    answered(run, ended) {
      if (!(ended instanceof Promise) && ended.kind === 'outcome') return failed(ended);
      outlives(run);
      // The caller has an answer, and the store tells what is wrong with it.
      if (ended instanceof Promise) ended.then(failed).catch(() => undefined);
    },
  };
}

/** A literal: what reads the fields of a copied object takes V8's slow path, a tenth of a small run. */
const optionsOf = (
  exchange: HttpExchange,
  received: WfRecord | undefined,
  onLog: Lines['onLog'],
  timeoutMs: number,
): RunOptions => ({
  requestId: exchange.id,
  traceparent: traceparentOf(exchange),
  received,
  onLog,
  keepLog: false,
  timeoutMs,
});

const appliedWait = (waitMs: number | undefined): readonly string[] =>
  waitMs === undefined ? [] : ['Preference-Applied', `wait=${waitMs / 1000}`];

function endOf(
  run: string,
  state: EndedRun & Pick<RunState, 'erased'>,
  { file, serving }: WorkflowInfo,
  headers: readonly string[],
): Reply {
  if (state.answer !== undefined)
    return { ...ownReply(state.answer, () => outcomeJson(state, file)), headers: ['X-Run-Id', run, ...headers] };
  const { erased } = state;
  if (erased !== undefined) return jsonReply(200, { status: state.status, run, erased }, ['X-Run-Id', run, ...headers]);
  const status = state.status === 'rejected' ? (serving?.statusWhenRejected ?? statusOf(state)) : statusOf(state);
  const text = outcomeJson(state, file);
  const all = ['X-Run-Id', run, ...headers];
  // A literal, because V8 has a slow path for the fields of a copied object.
  return isOutcome(state.status) ? { status, text, headers: all, outcome: state.status } : { status, text, headers: all };
}

const accepted = (run: string, status: string, headers: readonly string[] = []): Reply => ({
  status: 202,
  text: JSON.stringify({ status, run }),
  headers: ['X-Run-Id', run, 'Location', runLocation(run), ...headers],
});

/** A stuck run was the answer, too, and may stay as it is for long. A caller who was told that it is accepted hears that again. */
const isAnswered = ({ state: { status }, acknowledged }: Known): boolean =>
  isFinished(status) || (status === 'stuck' && !acknowledged);

/** For a repeated key whose run is unfinished. */
function unfinishedAgain({ run, state, acknowledged }: Known, { respondAsync }: Preference): Reply {
  if (!acknowledged) return refusedFor(run, keyInUse(runLocation(run)));
  if (respondAsync) return acceptedAsync(run, REPLAYED);
  return accepted(run, state.status === 'waiting' ? 'waiting' : 'accepted', REPLAYED);
}

const acceptedAsync = (run: string, headers: readonly string[] = []): Reply =>
  accepted(run, 'accepted', ['Preference-Applied', 'respond-async', ...headers]);

const unrecorded = (run: string): Reply => refusedFor(run, runUnrecorded(runLocation(run)));

const refusedFor = (run: string, refusal: Refusal): Reply =>
  refusedReply({ ...refusal, headers: ['X-Run-Id', run, ...(refusal.headers ?? [])] });
