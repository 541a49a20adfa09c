// A failed call as the workflow and its caller learn of it: one sentence, and the fields of `failure`.
import type { CallRequest } from '../types.js';
import type { Value } from '../values/value-types.js';
import { show } from '../values/values.js';
import { type Failure, isInDoubt, writtenPath } from './call-errors.js';

/** How messages refer to a call: `GET /users/{request.username}`. */
export function callTitle(request: CallRequest, method: string): string {
  if (request.service.kind === 'ai' || request.service.kind === 'person') return 'ask';
  const path = request.path === undefined ? undefined : writtenPath(request.path);
  if (request.service.kind !== 'api' && request.service.kind !== 'webhook') {
    const phrase = [request.verb, request.description].filter((word) => word !== '').join(' ');
    return path === undefined ? phrase : `${phrase} at ${path}`;
  }
  return path === undefined ? method : `${method} ${path}`;
}

/** The whole sentence: service, method, path as written, attempts and cause. It quotes no values, because it may go to a caller. */
export function failureMessage(request: CallRequest, method: string, failure: Failure, attempts: number): string {
  return failureSentence(`${request.service.name}: ${callTitle(request, method)}`, failure, attempts);
}

/** The sentence with the values in its path, for the workflow itself. The caller redacts it. */
export function failureMessageWithValues(request: CallRequest, method: string, failure: Failure, attempts: number): string {
  const path = request.path?.map((part) => (typeof part === 'string' ? part : show(part.value)));
  const title = callTitle(path === undefined ? request : { ...request, path }, method);
  return failureSentence(`${request.service.name}: ${title}`, failure, attempts);
}

function failureSentence(title: string, failure: Failure, attempts: number): string {
  if (failure.rejected) return `${title} was rejected: ${failure.cause}.`;
  if (attempts === 0) return `${title} was not sent: ${failure.cause}.`;
  const again = failure.sent ? '' : ', and was not sent again';
  return `${title} failed after ${attempts} attempt${attempts === 1 ? '' : 's'}${again}: ${failure.cause}.`;
}

/** The fields of `failure` in a workflow. */
export function failureRecord(
  request: CallRequest,
  message: string,
  failure: Failure,
  attempts: number,
): { [key: string]: Value } {
  return {
    message,
    status: failure.status ?? null,
    body: failure.body ?? null,
    service: request.service.name,
    attempts,
    ...(request.service.kind === 'workflow' ? { rejected: failure.rejected === true } : {}),
    'in-doubt': isInDoubt(failure),
  };
}
