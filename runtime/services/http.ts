// Prepares a call of an API or a webhook as an HTTP request.

import type { Run } from '../run/run.js';
import type { CallRequest } from '../types.js';
import { addressOf } from './address.js';
import { type AttemptResult, defaultTimeoutMs, type PreparedCall } from './attempt.js';
import { callBody, pairsInQuery } from './call-body.js';
import type { Failure } from './call-errors.js';
import { callHeaders } from './call-headers.js';
import { certificateFiles } from './client-certificate.js';
import { exchange, type Outgoing } from './exchange.js';
import { headerNamed, idempotencyKey, serviceHeaders, standardHeaders, withDefaults } from './headers.js';
import { queryOf } from './pairs.js';
import { fillPath } from './path.js';
import { tokenFor } from './sign-in.js';
import { writtenAddress, writtenTemplate } from './template.js';
import type { Method } from './verbs.js';

/** Prepares a call over HTTP. If this fails, nothing is sent. */
export function prepareHttp(run: Run, request: CallRequest, method: Method, key?: string): PreparedCall | Failure {
  const { service, parameters } = request;
  const filled = request.path === undefined ? undefined : fillPath(request.path);
  if (filled !== undefined && !filled.ok) return filled;
  const query = pairsInQuery(method) && request.body === undefined ? queryOf(parameters) : '';
  const address = addressOf(service.url ?? [], run.environment, filled?.path, [filled?.query ?? '', query]);
  if (!address.ok) return address;
  const headers = serviceHeaders(service, run.environment);
  if (!headers.ok) return headers;
  if (!run.services.includes(service)) run.journal.hideHeaders(headers.declared);
  const declared = request.headers === undefined ? headers : callHeaders(headers.declared, request.headers);
  if (!declared.ok) return declared;
  if (declared !== headers) run.journal.hideHeaders(declared.declared);
  const body = callBody(request, method, headerNamed(declared.declared, 'content-type'));
  if (!body.ok) return body;
  const clientCertificate = certificateFiles(run, service);
  if (clientCertificate !== undefined && 'ok' in clientCertificate) return clientCertificate;

  const added: (readonly [string, string])[] = [];
  if (address.authorization !== undefined) {
    added.push(['Authorization', address.authorization]);
    run.journal.hideHeaders(added);
  }
  if (method !== 'GET') added.push(['Idempotency-Key', key ?? idempotencyKey()]);
  if (body.type !== undefined) added.push(['Content-Type', body.type]);
  const isPlain = added.length === 0 && declared === headers;
  const outgoing: Outgoing = {
    method,
    url: address.url,
    headers: isPlain ? headers.all : withDefaults(declared.declared, [...standardHeaders, ...added]),
    headersElsewhere: headers.elsewhere,
    ...(body.text === undefined ? {} : { body: body.text }),
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
  };
  const { signIn } = service;
  return {
    ok: true,
    // Anyone who knows the address of a webhook can use it.
    url:
      service.kind === 'webhook'
        ? writtenAddress(writtenTemplate(service.url ?? []), filled?.path, filled?.query)
        : address.shown,
    timeoutMs: service.timeoutMs ?? defaultTimeoutMs,
    attempt: (cancellation) =>
      signIn === undefined
        ? exchange(run, outgoing, cancellation)
        : signedIn(run, signIn, (authorization) =>
            exchange(
              run,
              {
                ...outgoing,
                headers: withDefaults([...Object.entries(outgoing.headers).filter(notAuthorization), authorization], []),
              },
              cancellation,
            ),
          ),
  };
}

const notAuthorization = ([name]: readonly [string, string]): boolean => name.toLowerCase() !== 'authorization';

/** Sends with a token, and once more with a new token if the service refuses the first. */
async function signedIn(
  run: Run,
  signIn: NonNullable<CallRequest['service']['signIn']>,
  send: (authorization: readonly ['Authorization', string]) => Promise<AttemptResult>,
): Promise<AttemptResult> {
  const first = await tokenFor(run, signIn);
  if (!first.ok) return first;
  const answer = await send(['Authorization', `Bearer ${first.token}`]);
  if (answer.status !== 401) return answer;
  const renewed = await tokenFor(run, signIn, first.token);
  if (!renewed.ok) return renewed;
  return send(['Authorization', `Bearer ${renewed.token}`]);
}
