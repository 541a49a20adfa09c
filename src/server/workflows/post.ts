// Handles a `POST` to a workflow: reads its request, makes the value of `received`, runs the workflow and answers with the outcome. The
// fast path and the router of workflows both use it.
import { acceptRequest } from '../../../runtime/inputs/accept-request.js';
import type { InputField } from '../../../runtime/inputs/input-types.js';
import { isCredentialHeader, receivedBy } from '../../../runtime/run/received.js';
import { responseJson } from '../../../runtime/run/to-outcome.js';
import type { Mocks, Outcome, OwnAnswer, WfRecord } from '../../../runtime/types.js';
import type { Roles } from '../../access/roles.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import { type Engine, toRecord } from '../../engine/engine.js';
import { longOutcomes, storedOutcomes } from '../../engine/long-outcomes.js';
import type { Prepared } from '../../engine/prepare/prepared.js';
import { observedLog, type RunRecord } from '../../engine/records/run-record.js';
import type { Answer, Reply } from '../app/answer.js';
import { type HttpExchange, traceparentOf } from '../app/exchange.js';
import type { Check } from '../app/middleware.js';
import type { BodyRoom } from '../app/read-body.js';
import { formFields, parseJsonRequest, type ReadRecord, readRecord } from '../app/read-record.js';
import {
  faultAfter,
  type Refusal,
  refusalText,
  stopping,
  tooMany,
  tooManyOfOne,
  tooMuchInProgress,
  unfit,
} from '../app/refusal.js';
import type { Metrics } from '../metrics.js';
import { originOfRequest, type ServerLog } from '../server-log.js';
import type { SignedRoutes } from '../webhooks/signed-routes.js';
import type { Route } from './route-table.js';
import { type Runs, RunsInLine } from './runs.js';

/** The steps of a `POST` to a workflow, after access. */
export interface WorkflowPost {
  /** Refuses when no run may start now. */
  readonly limit: Check;
  /** Calls back once, with the body. Not a promise, which would take longer than the reading itself. */
  readonly read: (exchange: HttpExchange, route: Route, callback: (body: ReadRecord) => void) => void;
  readonly signed: SignedRoutes;
  /** Runs the workflow. Answers in the end, and never throws. */
  readonly start: (exchange: HttpExchange, route: Route, body: ReadRecord) => void;
}

interface PostOptions {
  readonly answer: Answer;
  readonly runs: Runs;
  readonly log: ServerLog;
  readonly run: RunWorkflow;
  /** In bytes. */
  readonly maxBody: number;
  /** Shared by all bodies, and by the requests of all runs. */
  readonly room: BodyRoom;
  readonly signed: SignedRoutes;
  readonly metrics: Metrics | undefined;
  /** Whether requests beyond `runs at once:` wait in line. */
  readonly canWait: boolean;
  /** Tells of runs that continue here without a request, for example after a restart. They count for `runs at once:`, too. */
  readonly onTakenUp: DurableEngine['onTakenUp'] | undefined;
}

export function createPost(options: PostOptions): WorkflowPost {
  const { answer, runs, log, signed, metrics } = options;
  const noRoom = (): Refusal | undefined => (runs.stopping ? stopping : runs.full ? noteRefused(tooMany, metrics) : undefined);

  const refuse = (exchange: HttpExchange, refusal: Refusal): void => answer.refuse(exchange, refusal);

  const start = createStart(options);

  /** Starts a run if the request fits the inputs. One that was accepted earlier, with its key, need not fit the present ones. */
  const accept = (
    exchange: HttpExchange,
    route: Route,
    { record: sent, untyped: isForm, memory }: Extract<ReadRecord, { ok: true }>,
  ): void => {
    const { inputs, timezone } = route.prepared.workflow;
    const key = signed.isSigned(route) ? signed.deliveryId(exchange, route, sent) : undefined;
    const payload = isForm === true && signed.isSigned(route) ? payloadOf(sent) : undefined;
    const opened = payload === undefined ? undefined : parseJsonRequest(Buffer.from(payload), 'The field "payload"');
    if (opened?.ok === false) {
      refuse(exchange, opened.refusal);
      return;
    }
    const [record, untyped] = opened === undefined ? [sent, isForm] : [opened.record];
    if (inputs === undefined) {
      void start(exchange, route, record, { key, memory });
      return;
    }
    const { request, problems } =
      untyped === true
        ? acceptRequest(inputs, withLists(record, inputs), { timezone, untyped: asText })
        : acceptRequest(inputs, record, { timezone });
    if (problems.length === 0) void start(exchange, route, request, { sent: record, key, memory });
    else if (key === undefined && exchange.request.headers['idempotency-key'] === undefined) refuse(exchange, unfit(problems));
    else void start(exchange, route, record, { unfit: unfit(problems), key, memory });
  };

  return {
    limit: noRoom,
    signed,
    read: createRead(options),
    start(exchange, route, body) {
      if (body === 'gone') return log.brokenOff(exchange);
      // Check again for room, because a slow body gives other runs time to start.
      const refusal = body.ok ? noRoom() : body.refusal;
      if (refusal !== undefined) return refuse(exchange, refusal);
      if (!body.ok) return;
      const asked = signed.challenge(route, body.record);
      if (asked !== undefined) answer.send(exchange, asked);
      else accept(exchange, route, body);
    },
  };
}

type Start = (exchange: HttpExchange, route: Route, request: WfRecord, by?: ValidatedRequest) => Promise<void>;

/** Starts a run when it is its turn, and answers its request. */
function createStart({ answer, runs, log, run, room, metrics, canWait, onTakenUp }: PostOptions): Start {
  const line = new RunsInLine(canWait, (workflow, more) => metrics?.inLine(workflow, more));
  onTakenUp?.((workflow, left) => line.continues(workflow, left));
  const refuse = (exchange: HttpExchange, refusal: Refusal): void => answer.refuse(exchange, refusal);

  return async (exchange, route, request, by) => {
    const { basename, workflow } = route.prepared;
    const most = workflow.serving?.runsAtOnce ?? Number.POSITIVE_INFINITY;
    const isLimited = most < Number.POSITIVE_INFINITY;
    const memory = by?.memory ?? 0;
    if (!room.hold(memory)) return refuse(exchange, tooMuchInProgress);
    const turn = line.enter(basename, most);
    if (turn === 'full') {
      room.release(memory);
      return refuse(exchange, noteRefused(tooManyOfOne, metrics));
    }
    let rest: Promise<unknown> | undefined;
    const onOutlives = (end: Promise<unknown>): void => {
      rest = end;
    };
    runs.enter();
    try {
      // An `await` takes a part of a small run that can be measured.
      if (turn !== undefined) await turn;
      if (turn !== undefined && runs.stopping) return refuse(exchange, stopping);
      if (turn !== undefined && exchange.response.destroyed) return log.brokenOff(exchange);
      answer.send(exchange, await run(exchange, route, request, isLimited || memory > 0 ? { ...by, onOutlives } : by));
    } catch (cause) {
      log.fault(exchange, cause);
      if (!exchange.response.headersSent) refuse(exchange, faultAfter(cause));
    } finally {
      // Not earlier: a wait for the last run includes its answer.
      runs.leave();
      longOutcomes.leave(exchange);
      storedOutcomes.leave(exchange);
      const release = (): void => room.release(memory);
      if (rest === undefined || memory === 0) release();
      else rest.then(release, release);
      line.leave(basename, rest);
    }
  };
}

const createRead =
  ({ maxBody, room, signed }: PostOptions): WorkflowPost['read'] =>
  (exchange, route, callback) =>
    readRecord(
      exchange,
      {
        maxBody,
        room,
        takesForms: true,
        takesLists: route.prepared.workflow.inputs !== undefined,
        verify: signed.verifier(exchange, route),
      },
      callback,
    );

function noteRefused(refusal: Refusal, metrics: Metrics | undefined): Refusal {
  metrics?.refused(refusal === tooMany ? 'max-concurrent' : 'runs-at-once');
  return refusal;
}

const asText = (text: string): string => text;

/** A form in which a person has chosen one of several has one value where a list is declared. */
const withLists = (form: WfRecord, inputs: readonly InputField[]): WfRecord => ({
  ...form,
  ...Object.fromEntries(
    inputs.flatMap(({ name, kind }) => {
      const value = form[name];
      return kind.is === 'list' && typeof value === 'string' && value !== '' ? [[name, [value]]] : [];
    }),
  ),
});

/** GitHub and Slack send JSON in a form with this field alone. */
function payloadOf({ payload, ...others }: WfRecord): string | undefined {
  return typeof payload === 'string' && Object.keys(others).length === 0 ? payload : undefined;
}

/** A request after the inputs of a workflow have been applied. */
interface ValidatedRequest {
  /** Bytes that it takes up, unless they are few. */
  readonly memory?: number | undefined;
  /** The request as it was sent, before they filled in defaults. */
  readonly sent?: WfRecord;
  /** The id of a delivery, in place of an `Idempotency-Key`. */
  readonly key?: string | undefined;
  /** The reason why it starts nothing. It may have started a run before, with the same `Idempotency-Key`. */
  readonly unfit?: Refusal;
  /** Told of a run that goes on in this process after its request was answered: its end, or the moment at which it leaves memory. */
  readonly onOutlives?: (end: Promise<unknown>) => void;
}

export type RunWorkflow = (exchange: HttpExchange, route: Route, request: WfRecord, by?: ValidatedRequest) => Promise<Reply>;

interface RunWorkflowOptions {
  readonly engine: Pick<Engine, 'run'>;
  /** Ends every run. */
  readonly signal: AbortSignal;
  /** Called for each run: mocks may count their calls, and runs must not affect each other. */
  readonly mock: () => boolean | Mocks;
  /** Time limit of a run in milliseconds; 0 for none. `undefined`: the workflow's own limit, or else the default. */
  readonly timeoutMs: number | undefined;
  readonly log: ServerLog;
  readonly metrics: Metrics | undefined;
  /** Receives each run at its end, with its log. */
  readonly onRunEnd: ((record: RunRecord) => Promise<void>) | undefined;
  readonly received: ReceivedOf;
}

/** Milliseconds: the time limit if neither the workflow nor the server sets one. */
const usualLimitMs = 300_000;

/** The server's time limit for a run in milliseconds; 0 for none. The workflow's own limit applies in any case. */
export const runLimit = (workflowMs: number | undefined, serverMs: number | undefined): number =>
  serverMs ?? (workflowMs === undefined ? usualLimitMs : 0);

const STATUS = { completed: 200, rejected: 400, error: 500 } as const;

export function createRunWorkflow({
  engine,
  signal,
  mock,
  timeoutMs,
  log,
  metrics,
  onRunEnd,
  received,
}: RunWorkflowOptions): RunWorkflow {
  return async (exchange, { prepared }, request, { unfit } = {}) => {
    if (unfit !== undefined) return { status: unfit.status, text: refusalText(unfit) };
    const onLog = observedLog(metrics, (entry) => {
      if (entry.type === 'log') log.logged(originOfRequest(exchange, prepared.basename), entry);
    });
    const ended = metrics?.started(prepared.basename);
    const startedAt = onRunEnd === undefined ? undefined : new Date();
    const mocks = mock();
    const limitMs = runLimit(prepared.workflow.timeoutMs, timeoutMs);
    const result = await engine.run(prepared, request, {
      signal,
      turnToEnd: () => longOutcomes.enter(exchange),
      mock: mocks,
      timeoutMs: limitMs,
      onLog,
      keepLog: onRunEnd !== undefined,
      requestId: exchange.id,
      received: received(exchange, prepared),
      traceparent: traceparentOf(exchange),
      requestIsAccepted: true,
    });
    const { outcome } = result;
    ended?.(outcome.status);
    if (outcome.status === 'error') log.failed(originOfRequest(exchange, prepared.basename), result, prepared.file);
    if (onRunEnd !== undefined && startedAt !== undefined) {
      const durationMs = Date.now() - startedAt.getTime();
      const { redactor } = result;
      await onRunEnd(toRecord({ prepared, mock: Boolean(mocks), request, outcome, redactor, startedAt, durationMs }));
    }
    if (outcome.status === 'completed' && outcome.answer !== undefined)
      return ownReply(outcome.answer, () => bodyOf(outcome, prepared.workflow.file));
    const { statusWhenRejected = STATUS.rejected } = prepared.workflow.serving ?? {};
    const status = outcome.status === 'rejected' ? statusWhenRejected : STATUS[outcome.status];
    return { status, text: bodyOf(outcome, prepared.workflow.file), outcome: outcome.status };
  };
}

/** Statuses whose answers have no body (RFC 9110, 6.4.1). */
const withoutBody: ReadonlySet<number> = new Set([204, 205]);

/** The answer that a completed run gives itself. @param usual the response as JSON, for one that only sets the status */
export function ownReply({ status = 200, text }: OwnAnswer, usual: () => string): Reply {
  const reply = { status, outcome: 'completed' } as const;
  if (withoutBody.has(status)) return reply;
  return text === undefined ? { ...reply, text: usual() } : { ...reply, text, type: 'text/plain; charset=utf-8' };
}

/**
 * An error includes its line in the file. It contains neither values nor the folder of the file, which are none of the client's
 * business.
 */
function bodyOf(outcome: Outcome, file: string): string {
  if (outcome.status !== 'error') return responseJson(outcome);
  const { line, publicMessage: message = outcome.message ?? '' } = outcome.error ?? {};
  return responseJson({ ...outcome, message: line === undefined ? message : `${file}, line ${line}: ${message}` });
}

/** `undefined` for a workflow that does not read it. */
export type ReceivedOf = (exchange: HttpExchange, prepared: Prepared) => WfRecord | undefined;

export const createReceived =
  ({ of }: Pick<Roles, 'of'>): ReceivedOf =>
  (exchange, { workflow }) =>
    workflow.received === true
      ? receivedBy('http', {
          headers: headersOf(exchange),
          query: queryOf(exchange),
          id: exchange.id,
          caller: of(exchange.request).name,
        })
      : undefined;

/** Without credentials. Names are in lower case, as HTTP/2 sends them. */
const headersOf = ({ request: { headers } }: HttpExchange): WfRecord =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined || isCredentialHeader(name) ? [] : [[name, [value].flat().join(', ')]],
    ),
  );

function queryOf({ target }: HttpExchange): WfRecord {
  const at = target.indexOf('?');
  return at === -1 ? {} : formFields(target.slice(at + 1));
}
