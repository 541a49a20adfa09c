// A call of an API or a webhook → a request that is ready to be sent. Its own file, because these two kinds differ from each other in one
// line, and from the others in everything.
import type { Failure } from '../call-errors.js';
import type { Run } from '../run.js';
import { headerSecrets } from '../secrets.js';
import type { CallRequest } from '../types.js';
import type { Method } from '../verbs.js';
import { addressOf } from './address.js';
import { defaultTimeoutMs, type PreparedCall } from './attempt.js';
import { exchange, type Outgoing } from './exchange.js';
import { declaredHeaders, headerNamed, idempotencyKey, standardHeaders, withDefaults } from './headers.js';
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
  const headers = declaredHeaders(service, run.environment);
  if (!headers.ok) return headers;
  for (const [name, value] of headers.all) run.journal.hide(headerSecrets(name, value));
  if (address.authorization !== undefined) run.journal.hide(headerSecrets('Authorization', address.authorization));

  const declaredType = headerNamed(headers.all, 'content-type');
  const isForm = declaredType !== undefined && /^\s*application\/x-www-form-urlencoded\b/i.test(declaredType);
  const outgoing: Outgoing = {
    method,
    url: address.url,
    headers: withDefaults(headers.all, [
      ...standardHeaders,
      ...(inQuery ? [] : [['Content-Type', 'application/json'] as const]),
      ...(address.authorization === undefined ? [] : [['Authorization', address.authorization] as const]),
      ...idempotencyKey(method),
    ]),
    headersElsewhere: withDefaults(headers.harmless, standardHeaders),
    ...(inQuery ? {} : { body: isForm ? formOf(parameters) : jsonOf(parameters) }),
  };
  return {
    ok: true,
    url: address.shown,
    timeoutMs: service.timeoutMs ?? defaultTimeoutMs,
    attempt: (cancellation) => exchange(run, outgoing, cancellation),
  };
}
