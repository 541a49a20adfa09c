// A call of an API or a webhook → a request that is ready to be sent. Its own file, because these two kinds differ from each other in one
// line, and from the others in everything.
import type { Failure } from '../call-errors.js';
import type { Run } from '../run.js';
import type { CallRequest } from '../types.js';
import type { Method } from '../verbs.js';
import { addressOf } from './address.js';
import { defaultTimeoutMs, type PreparedCall } from './attempt.js';
import { exchange, type Outgoing } from './exchange.js';
import { headerNamed, idempotencyKey, serviceHeaders, standardHeaders, withDefaults } from './headers.js';
import { formOf, jsonOf, queryOf } from './pairs.js';
import { fillPath } from './path.js';

/** Prepares a call over HTTP; a failure here means that nothing is sent. */
export function prepareHttp(run: Run, request: CallRequest, method: Method): PreparedCall | Failure {
  const { service, parameters } = request;
  const inQuery = method === 'GET' || method === 'DELETE';
  const filled = request.path === undefined ? undefined : fillPath(request.path);
  if (filled !== undefined && !filled.ok) return filled;
  const query = inQuery ? queryOf(parameters) : '';
  const address = addressOf(service.url ?? [], run.environment, filled?.path, [filled?.query ?? '', query]);
  if (!address.ok) return address;
  const headers = serviceHeaders(service, run.environment);
  if (!headers.ok) return headers;
  if (!run.services.includes(service)) run.journal.hideHeaders(headers.declared);

  const added: (readonly [string, string])[] = [];
  if (address.authorization !== undefined) {
    added.push(['Authorization', address.authorization]);
    run.journal.hideHeaders(added);
  }
  if (method !== 'GET') added.push(['Idempotency-Key', idempotencyKey()]);
  if (!inQuery) added.push(['Content-Type', 'application/json']);
  const all = added.length === 0 ? headers.all : withDefaults(headers.declared, [...standardHeaders, ...added]);
  const outgoing: Outgoing = {
    method,
    url: address.url,
    headers: all,
    headersElsewhere: headers.elsewhere,
    ...(inQuery ? {} : { body: isForm(headers.declared) ? formOf(parameters) : jsonOf(parameters) }),
  };
  return {
    ok: true,
    url: address.shown,
    timeoutMs: service.timeoutMs ?? defaultTimeoutMs,
    attempt: (cancellation) => exchange(run, outgoing, cancellation),
  };
}

const isForm = (declared: readonly (readonly [string, string])[]): boolean =>
  /^\s*application\/x-www-form-urlencoded\b/i.test(headerNamed(declared, 'content-type') ?? '');
