// The log entry of one attempt of a call.

import type { Run } from '../run/run.js';
import type { CallRequest, Value } from '../types.js';
import { RunEnded } from '../values/errors.js';
import type { ServiceAnswer } from './attempt.js';
import type { Failure } from './call-errors.js';
import type { Method } from './verbs.js';

export interface EntryDetails {
  readonly url?: string | undefined;
  readonly attempt: number;
  readonly durationMs: number;
}

type Written = ServiceAnswer | (Pick<Failure, 'ok' | 'cause'> & Partial<Failure>);

/** @param isAborted the run ended meanwhile, so a journal does not record it */
export function writeEntry(
  run: Run,
  request: CallRequest,
  method: Method,
  result: Written,
  details: EntryDetails,
  isAborted = false,
): void {
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
  run.journal.add('call', request.location[0], entry, isAborted);
}

/** The entry of an attempt that was in progress when the run ended. @param error what it threw; anything else adds no entry */
export function logAborted(run: Run, request: CallRequest, method: Method, error: unknown, details: EntryDetails): void {
  if (error instanceof RunEnded) writeEntry(run, request, method, { ok: false, cause: error.message }, details, true);
}
