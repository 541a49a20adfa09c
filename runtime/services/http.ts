// Prepares a call of an API or a webhook as an HTTP request.
import { besideOthers } from '../in-turns.js';
import { Cancellation } from '../run/cancellation.js';
import { milliseconds } from '../run/clock.js';
import type { Run } from '../run/run.js';
import type { CallRequest, ServiceSpec, SignIn, Value } from '../types.js';
import { show } from '../values/values.js';
import { type Address, addressOf } from './address.js';
import { type AttemptResult, defaultTimeoutMs, type PreparedCall } from './attempt.js';
import { callBody, formOf, pairsInQuery, queryOf } from './call-body.js';
import { type Failure, failed, missingVariable, noAnswerInTime, notSent, unusableHeader } from './call-errors.js';
import { type CertificateFiles, exchange, type Outgoing, tracedRequest } from './exchange.js';
import {
  headerNamed,
  headerProblem,
  idempotencyKey,
  type ServiceHeaders,
  serviceHeaders,
  standardHeaders,
  withDefaults,
} from './headers.js';
import { type FilledPath, fillPath } from './path.js';
import type { Method } from './service-types.js';
import { filledTemplate, namedVariables, unsetVariables, writtenAddress, writtenTemplate } from './template.js';

interface Destination {
  readonly ok: true;
  readonly address: Address;
  /** Of the service. */
  readonly headers: ServiceHeaders;
  /** The same object if the call has none of its own. */
  readonly declared: CallHeaders;
  readonly path: FilledPath | undefined;
}

/** Where a call over HTTP goes, and with which headers. From now on, the log of the run hides their credentials. */
function destinationOf(run: Run, request: CallRequest, method: Method): Destination | Failure {
  const { service, parameters } = request;
  const path = request.path === undefined ? undefined : fillPath(request.path);
  if (path !== undefined && !path.ok) return path;
  const query = pairsInQuery(method) && request.body === undefined ? queryOf(parameters) : '';
  const address = addressOf(service.url ?? [], run.environment, path?.path, [path?.query ?? '', query]);
  if (!address.ok) return address;
  run.journal.hideAddress(address.url);
  if (address.authorization !== undefined) run.journal.hideHeaders([['Authorization', address.authorization]]);
  const headers = serviceHeaders(service, run.environment);
  if (!headers.ok) return headers;
  if (!run.services.includes(service)) run.journal.hideHeaders(headers.declared);
  const declared = request.headers === undefined ? headers : callHeaders(headers.declared, request.headers);
  if (!declared.ok) return declared;
  if (declared !== headers) run.journal.hideHeaders(declared.declared);
  return { ok: true, address, headers, declared, path };
}

/** Hides what performing the call would: a run that continues replays it, and its log may still repeat what the service echoed. */
export function hideDestination(run: Run, request: CallRequest, method: Method): void {
  if (request.service.kind === 'api' || request.service.kind === 'webhook') destinationOf(run, request, method);
}

/** Prepares a call over HTTP. If this fails, nothing is sent. */
export function prepareHttp(run: Run, request: CallRequest, method: Method, key?: string): PreparedCall | Failure {
  const destination = destinationOf(run, request, method);
  if (!destination.ok) return destination;
  const { address, headers, declared, path } = destination;
  const { service } = request;
  const body = callBody(request, method, headerNamed(declared.declared, 'content-type'));
  if (!body.ok) return body;
  const clientCertificate = certificateFiles(run, service);
  if (clientCertificate !== undefined && 'ok' in clientCertificate) return clientCertificate;

  const added: (readonly [string, string])[] = [];
  if (address.authorization !== undefined) added.push(['Authorization', address.authorization]);
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
  const send = (traced: Outgoing, cancellation: Cancellation): Promise<AttemptResult> => {
    if (signIn === undefined) return exchange(run, traced, cancellation);
    return signedIn(run, signIn, (authorization) => {
      const headers = withDefaults([...Object.entries(traced.headers).filter(notAuthorization), authorization], []);
      return exchange(run, { ...traced, headers }, cancellation);
    });
  };
  /** For all attempts. */
  let long: Promise<string> | undefined;
  return {
    ok: true,
    // Anyone who knows the address of a webhook can use it.
    url: service.kind === 'webhook' ? writtenAddress(writtenTemplate(service.url ?? []), path?.path, path?.query) : address.shown,
    timeoutMs: service.timeoutMs ?? defaultTimeoutMs,
    attempt: (cancellation, span) => {
      const traced = tracedRequest(outgoing, span);
      if (body.long === undefined) return send(traced, cancellation);
      long ??= besideOthers(body.long());
      return long.then((text) => send({ ...traced, body: text }, cancellation));
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

// `sign in at … as … with secret …` (OAuth 2.0 client credentials, RFC 6749, 4.4): fetches a token once for all runs of a
// process, keeps it in memory until it expires, and renews it once if a service refuses it.

interface Token {
  readonly ok: true;
  /** Without `Bearer`. */
  readonly token: string;
}

interface Kept {
  readonly fetched: Promise<Token | Failure>;
  /** Milliseconds of this process's clock; Infinity if the server doesn't say. */
  expires: number;
}

/**
 * Milliseconds before its end when a token is no longer used, because it could expire on the way. For a shorter lifetime, a tenth of it.
 */
const margin = 30_000;

/** Keyed by everything in the request for a token. */
const tokens = new Map<string, Kept>();
const mostTokens = 1_000;

/** The filled-in parts of `sign in at …`. */
interface Client {
  readonly address: string;
  readonly id: string;
  readonly secret: string;
  readonly scope: string;
}

/**
 * The token for the calls of a service.
 * @param refused a token that the service rejected; it is not returned again
 */
async function tokenFor(run: Run, signIn: SignIn, refused?: string): Promise<Token | Failure> {
  const client = clientOf(run, signIn);
  if ('ok' in client) return client;
  const key = JSON.stringify(client);
  const kept = tokens.get(key);
  if (kept !== undefined && milliseconds() < kept.expires) {
    const token = await kept.fetched;
    if (!token.ok || token.token !== refused) return keptSecret(run, token);
    // Another call may have fetched a new one meanwhile.
    const newer = tokens.get(key);
    if (newer !== undefined && newer !== kept && milliseconds() < newer.expires) return keptSecret(run, await newer.fetched);
  }
  return keptSecret(run, await fetchAnew(run, client, key));
}

function fetchAnew(run: Run, client: Client, key: string): Promise<Token | Failure> {
  if (tokens.size >= mostTokens) tokens.clear();
  const kept: Kept = {
    fetched: requestToken(run, client).then(({ result, lifeMs }) => {
      if (result.ok) kept.expires = milliseconds() + lifeMs - Math.min(margin, lifeMs / 10);
      else if (tokens.get(key) === kept) tokens.delete(key);
      return result;
    }),
    expires: Number.POSITIVE_INFINITY,
  };
  tokens.set(key, kept);
  return kept.fetched;
}

/** Treats the token as a secret of the run from now on. */
function keptSecret(run: Run, result: Token | Failure): Token | Failure {
  if (result.ok) run.journal.hideHeaders(headersOf(result));
  return result;
}

/** One list per token, so that the log recognizes it. */
const headerLists = new WeakMap<Token, readonly (readonly [string, string])[]>();

function headersOf(token: Token): readonly (readonly [string, string])[] {
  const known = headerLists.get(token) ?? [['Authorization', `Bearer ${token.token}`] as const];
  headerLists.set(token, known);
  return known;
}

function clientOf({ environment }: Run, { at, id, secret, scope = [] }: SignIn): Client | Failure {
  const filled: string[] = [];
  for (const template of [at, id, secret, scope]) {
    const text = template.length === 0 ? '' : filledTemplate(template, environment);
    if (text === undefined) return missingVariable('its sign-in', unsetVariables(template, environment));
    filled.push(text);
  }
  const [address = '', clientId = '', clientSecret = '', wanted = ''] = filled;
  const checked = addressOf([address], {}, undefined, []);
  if (!checked.ok)
    return signInFailed(`the address for tokens${variables(at)} does not start with http:// or https://`, { sent: false });
  return { address: checked.url, id: clientId, secret: clientSecret, scope: wanted };
}

const variables = (template: SignIn['at']): string => {
  const names = namedVariables(template);
  return names.length === 0 ? '' : `, from ${names.join(' and ')},`;
};

const signInFailed = (problem: string, more: Partial<Failure> = {}): Failure =>
  failed('WF671', problem, { neverReceived: true, ...more });

interface Fetched {
  readonly result: Token | Failure;
  readonly lifeMs: number;
}

/**
 * Sends the client's id and secret in a header, which every server must support (RFC 6749, 2.3.1). If a server refuses, tries
 * once more with both in the form.
 */
async function requestToken(run: Run, client: Client): Promise<Fetched> {
  const first = await ask(run, client, 'header');
  const refused = !first.result.ok && (first.result.status === 401 || first.result.status === 400);
  return refused ? ask(run, client, 'form') : first;
}

async function ask(run: Run, { address, id, secret, scope }: Client, place: 'header' | 'form'): Promise<Fetched> {
  const basic = Buffer.from(`${encoded(id)}:${encoded(secret)}`).toString('base64');
  const form: [string, Value][] = [['grant_type', 'client_credentials']];
  if (scope !== '') form.push(['scope', scope]);
  if (place === 'form') form.push(['client_id', id], ['client_secret', secret]);
  const headers: (readonly [string, string])[] = [['Content-Type', 'application/x-www-form-urlencoded']];
  if (place === 'header') headers.push(['Authorization', `Basic ${basic}`]);
  run.journal.hideHeaders([
    ['Authorization', `Basic ${basic}`],
    ['Authorization', secret],
  ]);
  // Not limited by the run's own time, because other runs wait for the same token.
  const cancellation = new Cancellation();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Failure>((resolve) => {
    timer = setTimeout(() => {
      cancellation.abort();
      resolve(noAnswerInTime(defaultTimeoutMs));
    }, defaultTimeoutMs);
  });
  const outgoing = {
    method: 'POST',
    url: address,
    headers: withDefaults(headers, standardHeaders),
    headersElsewhere: {},
    body: formOf(form),
  } as const;
  const answer = await Promise.race([exchange(run, outgoing, cancellation), late]);
  clearTimeout(timer);
  if (!answer.ok) {
    const { body: _body, ...failure } = answer;
    // The request that needed the token was not sent.
    return {
      result: { ...failure, code: 'WF671', neverReceived: true, cause: `the sign-in failed: ${answer.cause}` },
      lifeMs: 0,
    };
  }
  return read(answer.value);
}

/** As in a form, which is how the header contains both. */
const encoded = (text: string): string => new URLSearchParams([['', text]]).toString().slice(1);

function read(value: Value): Fetched {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  const own = (name: string): Value => (isRecord && Object.hasOwn(value, name) ? value[name] : undefined);
  const token = own('access_token');
  const type = own('token_type');
  const life = Number(own('expires_in'));
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
    return { result: signInFailed('the sign-in returned no usable token'), lifeMs: 0 };
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer')
    return { result: signInFailed('the sign-in returned a token that is not a Bearer token'), lifeMs: 0 };
  return { result: { ok: true, token }, lifeMs: Number.isFinite(life) && life > 0 ? life * 1_000 : Number.POSITIVE_INFINITY };
}
