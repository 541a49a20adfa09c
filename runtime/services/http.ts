// Prepares a call of an API or a webhook as an HTTP request.
import type { Run } from '../run/run.js';
import type { CallRequest, ServiceSpec, Value } from '../types.js';
import { show } from '../values/values.js';
import { addressOf } from './address.js';
import { type AttemptResult, defaultTimeoutMs, type PreparedCall } from './attempt.js';
import { callBody, pairsInQuery } from './call-body.js';
import { type Failure, missingVariable, notSent, unusableHeader } from './call-errors.js';
import { type CertificateFiles, exchange, type Outgoing, tracedRequest } from './exchange.js';
import { headerNamed, headerProblem, idempotencyKey, serviceHeaders, standardHeaders, withDefaults } from './headers.js';
import { queryOf } from './pairs.js';
import { fillPath } from './path.js';
import type { Method } from './service-types.js';
import { tokenFor } from './sign-in.js';
import { filledTemplate, unsetVariables, writtenAddress, writtenTemplate } from './template.js';

/** Prepares a call over HTTP. If this fails, nothing is sent. */
export function prepareHttp(run: Run, request: CallRequest, method: Method, key?: string): PreparedCall | Failure {
  const { service, parameters } = request;
  const filled = request.path === undefined ? undefined : fillPath(request.path);
  if (filled !== undefined && !filled.ok) return filled;
  const query = pairsInQuery(method) && request.body === undefined ? queryOf(parameters) : '';
  const address = addressOf(service.url ?? [], run.environment, filled?.path, [filled?.query ?? '', query]);
  if (!address.ok) return address;
  run.journal.hideAddress(address.url);
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
  if (run.options.requestId !== undefined) added.push(['X-Request-Id', run.options.requestId]);
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
    attempt: (cancellation, span) => {
      const traced = tracedRequest(outgoing, span);
      if (signIn === undefined) return exchange(run, traced, cancellation);
      return signedIn(run, signIn, (authorization) => {
        const headers = withDefaults([...Object.entries(traced.headers).filter(notAuthorization), authorization], []);
        return exchange(run, { ...traced, headers }, cancellation);
      });
    },
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

type Header = readonly [name: string, value: string];

interface CallHeaders {
  readonly ok: true;
  readonly declared: readonly Header[];
}

/** Leaves out a header whose value is `empty`. A failure names the header, never the value. */
function callHeaders(
  ofService: readonly Header[],
  given: readonly (readonly [name: string, value: Value])[],
): CallHeaders | Failure {
  const own: Header[] = [];
  for (const [name, value] of given) {
    if (value === null || value === undefined) continue;
    const kind = typeof value !== 'object' ? undefined : Array.isArray(value) ? 'is a list' : 'is a record';
    const text = show(value);
    const problem = kind === undefined ? headerProblem(name, text) : `${kind}, and a header is a text`;
    if (problem !== undefined) return unusableHeader(name, [], problem);
    own.push([name, text.trim()]);
  }
  const names = new Set(given.map(([name]) => name.toLowerCase()));
  return { ok: true, declared: [...ofService.filter(([name]) => !names.has(name.toLowerCase())), ...own] };
}

/** On every system. node:path would be loaded by every standalone module. */
const isAbsolute = (file: string): boolean => /^([\\/]|[A-Za-z]:[\\/])/.test(file);

/** Absolute paths; `undefined` if the service has no certificate. */
function certificateFiles(run: Run, { clientCertificate }: ServiceSpec): CertificateFiles | Failure | undefined {
  if (clientCertificate === undefined) return undefined;
  // A custom `fetch` can't use one.
  if (run.options.fetch !== undefined || run.options.transport === undefined) {
    return notSent('WF672', "this program can't use client certificates: run the workflow with wf");
  }
  const filled: string[] = [];
  for (const [what, template] of Object.entries(clientCertificate)) {
    const text = filledTemplate(template, run.environment);
    if (text === undefined) return missingVariable(`its client ${what}`, unsetVariables(template, run.environment));
    filled.push(text);
  }
  const folder = run.options.folder ?? process.cwd();
  const [certificate = '', key = ''] = filled.map((file) => (isAbsolute(file) ? file : `${folder}/${file}`));
  return { certificate, key };
}
