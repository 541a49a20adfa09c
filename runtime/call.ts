// One service call of a workflow: prepared once, attempted until it succeeds or is given up, written into the log. Its own file, because
// retries, time limits and what a failure means are the same for every kind of service.

import { type Failure, failureMessage, failureRecord, noAnswerInTime } from './call-errors.js';
import { Cancellation } from './cancellation.js';
import { milliseconds } from './clock.js';
import { RunEnded, WfError } from './errors.js';
import { type Run, TimeOver } from './run.js';
import { prepareAi } from './services/ai.js';
import type { Answer, AttemptResult, PreparedCall } from './services/attempt.js';
import { prepareHttp } from './services/http.js';
import { mockCallOf, prepareMock } from './services/mock-call.js';
import { preparePlugin } from './services/plugin.js';
import { waitBefore } from './services/retry.js';
import type { CallRequest, CallResult, Value } from './types.js';
import { type Method, methodOf } from './verbs.js';

/**
 * Calls a service (language.md 6 and 7), with the retries that the request asks for.
 * @throws WfError for a failure that no statement handles; RunEnded where the run must end.
 */
export async function call(run: Run, request: CallRequest): Promise<CallResult> {
  run.check();
  const method = methodOf(request.service.kind, request.verb);
  const prepared = prepare(run, request, method);
  if (!prepared.ok) {
    writeEntry(run, request, method, prepared, { attempt: 0, durationMs: 0 });
    return givenUp(run, request, method, prepared, 0);
  }
  for (let attempt = 1; ; attempt++) {
    const started = milliseconds();
    const details = { url: prepared.url, attempt, durationMs: 0 };
    let result: AttemptResult;
    try {
      // A mock answers at once: neither a timer nor a pause of the event loop belongs around it.
      result = await (run.mocks === undefined
        ? run.within(prepared.timeoutMs, prepared.attempt)
        : prepared.attempt(new Cancellation()));
    } catch (error) {
      details.durationMs = Math.round(milliseconds() - started);
      if (error instanceof RunEnded) writeEntry(run, request, method, { ok: false, cause: error.message }, details);
      if (!(error instanceof TimeOver)) throw error;
      result = noAnswerInTime(prepared.timeoutMs);
    }
    details.durationMs = Math.round(milliseconds() - started);
    writeEntry(run, request, method, result, details);
    if (run.options.onExchange !== undefined) tellExchange(run, request, method, prepared, attempt, result);
    if (result.ok) return result;
    const { retry } = request;
    if (retry === undefined || attempt > retry.times || !result.retryable) return givenUp(run, request, method, result, attempt);
    const waitMs = waitBefore(retry, attempt, result.retryAfterMs);
    run.journal.add('retry', request.place[0], { service: request.service.name, attempt: attempt + 1, waitMs });
    await run.pause(waitMs);
  }
}

function prepare(run: Run, request: CallRequest, method: Method): PreparedCall | Failure {
  if (run.mocks !== undefined) return prepareMock(run.mocks, request, method);
  if (request.service.kind === 'ai') return prepareAi(run, request);
  if (request.service.kind === 'plugin') return preparePlugin(run, request);
  return prepareHttp(run, request, method);
}

interface EntryDetails {
  readonly url?: string | undefined;
  readonly attempt: number;
  readonly durationMs: number;
}

type Written = Answer | (Pick<Failure, 'ok' | 'cause'> & Partial<Failure>);

function writeEntry(run: Run, request: CallRequest, method: Method, result: Written, details: EntryDetails): void {
  if (!run.journal.wanted) return;
  const { service, verb, description } = request;
  const entry: { [key: string]: Value } = {
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
  run.journal.add('call', request.place[0], entry);
}

function tellExchange(
  run: Run,
  request: CallRequest,
  method: Method,
  { url }: PreparedCall,
  attempt: number,
  result: AttemptResult,
): void {
  const { status } = result;
  const about = { ...(status === undefined ? {} : { status }) };
  run.options.onExchange?.({
    call: mockCallOf(request, method),
    ...(url === undefined ? {} : { url: run.journal.redactor.text(url) }),
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
  });
}

function givenUp(run: Run, request: CallRequest, method: Method, failure: Failure, attempts: number): CallResult {
  const message = run.journal.redactor.text(failureMessage(request, method, failure, attempts));
  if (!request.handled) throw new WfError(failure.code, message, request.place);
  return {
    ok: false,
    ...(failure.status === undefined ? {} : { status: failure.status }),
    failure: failureRecord(request, message, failure, attempts),
  };
}
