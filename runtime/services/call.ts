// One service call of a workflow: prepared once, attempted until it succeeds or gives up, and logged. Retries, time limits and
// the meaning of a failure are the same for every kind of service.
import { Cancellation } from '../run/cancellation.js';
import { milliseconds } from '../run/clock.js';
import type { DurableBranch, Performed } from '../run/durable-run.js';
import type { Run } from '../run/run.js';
import { spanMs } from '../run/time-span.js';
import { sleepOf } from '../run/wait.js';
import type { CallLogFields, CallRequest, CallResult, ServiceExchange, TraceSpan } from '../types.js';
import { locatedAt, RunEnded, TimeOver, WfError } from '../values/errors.js';
import { prepareAi } from './ai.js';
import type { AttemptResult, PreparedCall, ServiceAnswer } from './attempt.js';
import { type Failure, noAnswerInTime, sentAttempts } from './call-errors.js';
import { type CallTurn, callTurn } from './call-turns.js';
import { prepareConnected } from './connected.js';
import {
  attemptOptions,
  effectSite,
  failureMessage,
  failureMessageWithValues,
  failureRecord,
  type StoredResult,
  shownOf,
  toStored,
} from './durable-call.js';
import { keptWorkflow } from './durable-workflow-call.js';
import { hideDestination, prepareHttp } from './http.js';
import { waitBefore } from './http-status.js';
import { mockCallOf, prepareMock } from './mock-call.js';
import { preparePlugin } from './plugin.js';
import type { Method } from './service-types.js';
import { methodOf } from './verbs.js';
import { callingWorkflow, prepareWorkflow } from './workflow-call.js';

/**
 * Calls a service, with the retries of the request.
 * @throws WfError for a failure that no statement handles; RunEnded if the run must end
 */
export const call = (run: Run, request: CallRequest): Promise<CallResult> =>
  callOf(run, request).catch((error) => {
    throw locatedAt(error, request.location);
  });

async function callOf(run: Run, request: CallRequest): Promise<CallResult> {
  run.check();
  const method = request.method ?? methodOf(request.service.kind, request.verb);
  if (run.durable !== undefined)
    return (request.service.kind === 'workflow' ? keptWorkflowCall : keptCall)(run, run.durable, request, method);
  const prepared = prepare(run, request, method);
  if (!prepared.ok) return notSent(run, request, method, prepared);
  for (let attempt = 1; ; attempt++) {
    const turn = turnOf(run, request);
    let result: AttemptResult;
    try {
      await turn?.wait();
      begin(run, turn);
      result = await attempted(run, request, method, prepared, attempt);
    } finally {
      turn?.leave();
    }
    // The branch may be over, and have waited only for this result.
    if (run.isAbandoned) run.check();
    if (result.ok) return result;
    const waitMs = waitAfter(run, request, attempt, result);
    if (waitMs === undefined) return givenUp(run, request, method, result, sentAttempts(result, attempt));
    logRetry(run, request, attempt, waitMs);
    await run.pause(waitMs);
  }
}

/** A call on behalf of another effect, in the branch that its journal gives it: the notification of a question. */
export const callWithin = (run: Run, branch: DurableBranch, request: CallRequest): Promise<CallResult> =>
  keptCall(run, branch, request, methodOf(request.service.kind, request.verb));

/** The result of a question that no one answered. `replayed`: the log already has its entry. @throws WfError if no statement handles it */
export function unanswered(run: Run, request: CallRequest, cause: string, replayed = false): CallResult {
  const failure: Failure = { ok: false, code: 'WF633', cause, retryable: false, sent: true, neverReceived: true };
  if (!replayed) writeEntry(run, request, 'POST', failure, { attempt: 1, durationMs: 0 });
  return givenUp(run, request, 'POST', failure, 1);
}

/** Calls a service from a run with a journal: each attempt is either performed once and recorded, or already recorded. */
async function keptCall(run: Run, durable: DurableBranch, request: CallRequest, method: Method): Promise<CallResult> {
  const kept = durable.call(effectSite(request, method));
  let ready: PreparedCall | undefined;
  if (kept.hasRecord(1)) hideDestination(run, request, method);
  for (let attempt = 1; ; attempt++) {
    if (kept.hasRecord(0)) return notSent(run, request, method, (await kept.attempt<Failure>(0, never)).result, true);
    if (ready === undefined && !kept.hasRecord(attempt)) {
      const prepared = prepare(run, request, method, kept.key);
      if (!prepared.ok) {
        await kept.attempt(0, async () => ({ result: prepared, shown: {} }));
        return notSent(run, request, method, prepared);
      }
      ready = prepared;
    }
    let turn: CallTurn | undefined;
    const perform = async (): Promise<Performed<StoredResult>> => {
      if (ready === undefined) return never();
      begin(run, turn);
      const result = await attempted(run, request, method, ready, attempt);
      return { result: toStored(result, request), shown: shownOf(run, request, ready, result) };
    };
    const inTurn = (): Promise<void> | undefined => {
      turn = turnOf(run, request);
      return turn?.wait();
    };
    let result: StoredResult;
    try {
      ({ result } = await kept.attempt(attempt, perform, attemptOptions(request, inTurn)));
    } finally {
      turn?.leave();
    }
    if (run.isAbandoned) run.check();
    if (result.ok) return result;
    const waitMs = waitAfter(run, request, attempt, result);
    if (waitMs === undefined) return givenUp(run, request, method, result, sentAttempts(result, attempt));
    await kept.pause(attempt, waitMs, sleepOf(run), () => logRetry(run, request, attempt, waitMs));
  }
}

/** A called workflow has no record itself; its effects have. */
async function keptWorkflowCall(run: Run, durable: DurableBranch, request: CallRequest, method: Method): Promise<CallResult> {
  const site = effectSite(request, method);
  for (let attempt = 1; ; attempt++) {
    const started = milliseconds();
    const details = (): EntryDetails => ({ attempt, durationMs: Math.round(milliseconds() - started) });
    const trace = spanOf(run, request, method, {}, attempt);
    const { result, replayed } = await keptWorkflow(run, durable, request, { site, attempt, trace }).catch((error) => {
      logAborted(run, request, method, error, details());
      trace?.end();
      throw error;
    });
    trace?.end(result);
    if (!replayed) writeEntry(run, request, method, result, details());
    if (run.isAbandoned) run.check();
    if (result.ok) return result;
    const waitMs = waitAfter(run, request, attempt, result);
    if (waitMs === undefined) return givenUp(run, request, method, result, sentAttempts(result, attempt));
    await durable.pause({ ...site, kind: 'wait' }, waitMs, sleepOf(run), () => logRetry(run, request, attempt, waitMs));
  }
}

/** Mock answers need none. */
const turnOf = (run: Run, request: CallRequest): CallTurn | undefined =>
  run.mocks === undefined ? callTurn(run, request) : undefined;

/** Used where everything is recorded and nothing may be sent. */
const never = (): Promise<never> => Promise.reject(new Error('A recorded call was to be sent again'));

function notSent(run: Run, request: CallRequest, method: Method, failure: Failure, replayed = false): CallResult {
  if (!replayed) writeEntry(run, request, method, failure, { attempt: 0, durationMs: 0 });
  return givenUp(run, request, method, failure, 0);
}

/** Call it before an attempt: there is none if the run has ended while the call waited for its turn, or for the disk. */
function begin(run: Run, turn: CallTurn | undefined): void {
  run.check();
  turn?.log();
}

/** One attempt, with its time limit, and logged. Rejects only if the run must end. */
async function attempted(
  run: Run,
  request: CallRequest,
  method: Method,
  prepared: PreparedCall,
  attempt: number,
): Promise<AttemptResult> {
  const { timeoutMs = prepared.timeoutMs } = request;
  const started = milliseconds();
  const details = { url: prepared.url, attempt, durationMs: 0 };
  const span = spanOf(run, request, method, prepared, attempt);
  let result: AttemptResult;
  try {
    // Most mocks answer immediately, and need neither a timer nor a turn of the event loop. Others wait on the clock of the run.
    result = await calling(run, request, () =>
      run.mocks === undefined
        ? run.within(timeoutMs, (cancellation) => prepared.attempt(cancellation, span))
        : prepared.attempt(new Cancellation(), span),
    );
  } catch (error) {
    details.durationMs = Math.round(milliseconds() - started);
    logAborted(run, request, method, error, details);
    if (!(error instanceof TimeOver)) {
      span?.end({ code: 'aborted' });
      throw error;
    }
    result = noAnswerInTime(timeoutMs);
  }
  span?.end(result);
  details.durationMs = Math.round(milliseconds() - started);
  if (!result.ok && !result.sent) details.attempt = 0;
  writeEntry(run, request, method, result, details);
  const { url } = prepared;
  run.options.onExchange?.(exchangeOf(request, method, attempt, result, url && run.journal.redactor.text(url)));
  return result;
}

/** Lets a branch that is over wait for the call, as far as it has to. A question to a person is over with its branch. */
function calling<T>(run: Run, request: CallRequest, work: () => Promise<T>): Promise<T> {
  const { kind } = request.service;
  if (kind === 'person') return work();
  return kind === 'workflow'
    ? callingWorkflow(run, request, work)
    : run.calling(request.atMostOnce === true ? 'once' : 'calls', work);
}

/** The span of one attempt, if the run is traced. */
function spanOf(
  run: Run,
  { service, location: [line] }: CallRequest,
  method: Method,
  { url }: Pick<PreparedCall, 'url'>,
  attempt: number,
): TraceSpan | undefined {
  const { name, kind } = service;
  const { journal, workflow } = run;
  // Without a span, none of this is computed.
  return journal.span?.child({
    kind: 'call',
    service: name,
    serviceKind: kind,
    method,
    line,
    file: workflow.file,
    attempt,
    url: url && journal.redactor.text(url),
  });
}

/** Milliseconds until the next attempt, or `undefined` if there is none. */
function waitAfter(run: Run, { retry, atMostOnce }: CallRequest, attempt: number, failure: Failure): number | undefined {
  if (atMostOnce && failure.neverReceived !== true) return undefined;
  if (retry === undefined || attempt > retry.times || !failure.retryable) return undefined;
  const { wait, doubling } = retry;
  // Each wait in the calendar has its own length.
  const waitMs = wait === undefined || doubling === true ? retry.waitMs : spanMs(run, wait, run.clock.now());
  return waitBefore({ ...retry, waitMs }, attempt, failure.retryAfterMs);
}

function logRetry(run: Run, { service, location }: CallRequest, attempt: number, waitMs: number): void {
  run.journal.add('retry', location[0], { service: service.name, attempt: attempt + 1, waitMs });
}

/** @param key from the journal, if there is one: the same for every attempt, even after a restart */
function prepare(run: Run, request: CallRequest, method: Method, key?: string): PreparedCall | Failure {
  // Only its own answer replaces a called workflow. Without one, its services are mocked.
  const isReal = request.service.kind === 'workflow' && run.mocks?.hasAnswer?.(mockCallOf(request, method)) !== true;
  if (isReal) return prepareWorkflow(run, request);
  if (run.mocks !== undefined) return prepareMock(run, run.mocks, request, method);
  const { kind } = request.service;
  switch (kind) {
    case 'ai':
      return prepareAi(run, request, key);
    case 'plugin':
      return preparePlugin(run, request, key);
    case 'database':
    case 'mail':
    case 'folder':
      return prepareConnected(run, request, kind, key);
    case 'api':
    case 'webhook':
      return prepareHttp(run, request, method, key);
    case 'workflow':
      return prepareWorkflow(run, request);
    case 'person':
      throw new Error('A person is asked by ask-person.ts');
  }
}

/** @param url redacted */
function exchangeOf(
  request: CallRequest,
  method: Method,
  attempt: number,
  result: AttemptResult,
  url: string | undefined,
): ServiceExchange {
  const { status } = result;
  const about = { ...(status === undefined ? {} : { status }) };
  return {
    call: mockCallOf(request, method),
    request,
    ...(url === undefined ? {} : { url }),
    attempt,
    result: result.ok
      ? {
          ok: true,
          value: result.value,
          ...about,
          ...(result.confidence === undefined ? {} : { confidence: result.confidence }),
          ...(request.savesHeaders && result.headers !== undefined ? { headers: result.headers } : {}),
        }
      : { ok: false, error: result.cause, ...about, ...(result.body === undefined ? {} : { body: result.body }) },
  };
}

function givenUp(run: Run, request: CallRequest, method: Method, failure: Failure, attempts: number): CallResult {
  const message = run.journal.redactor.text(failureMessage(request, method, failure, attempts));
  if (!request.handled) {
    const { publicCause: cause = failure.cause } = failure;
    const publicMessage = run.journal.redactor.text(failureMessage(request, method, { ...failure, cause }, attempts));
    throw new WfError(failure.code, message, request.location, publicMessage);
  }
  const told = failureMessageWithValues(request, method, failure, attempts);
  return {
    ok: false,
    ...(failure.status === undefined ? {} : { status: failure.status }),
    failure: failureRecord(request, run.journal.redactor.text(told), failure, attempts),
  };
}

interface EntryDetails {
  readonly url?: string | undefined;
  readonly attempt: number;
  readonly durationMs: number;
  /** The run ended meanwhile, so a journal does not record it. */
  readonly isAborted?: true;
}

type Written = ServiceAnswer | (Pick<Failure, 'ok' | 'cause'> & Partial<Failure>);

function writeEntry(run: Run, request: CallRequest, method: Method, result: Written, details: EntryDetails): void {
  if (!run.journal.wanted) return;
  const { service, verb, description } = request;
  const entry: CallLogFields = {
    service: service.name,
    kind: service.kind,
    phrase: description === '' ? verb : `${verb} ${description}`,
    method,
    url: details.url,
    status: result.status,
    durationMs: details.durationMs,
    attempt: details.attempt,
    ok: result.ok,
  };
  if (!result.ok) {
    entry.error = result.cause;
    if (result.body !== undefined && result.body !== '') entry.body = result.body;
  }
  run.journal.add('call', request.location[0], entry, details.isAborted);
}

/** The entry of an attempt that was in progress when the run ended. @param error what it threw; anything else adds no entry */
function logAborted(run: Run, request: CallRequest, method: Method, error: unknown, details: EntryDetails): void {
  if (error instanceof RunEnded)
    writeEntry(run, request, method, { ok: false, cause: error.message }, { ...details, isAborted: true });
}
