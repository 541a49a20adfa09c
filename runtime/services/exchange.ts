// Sends one HTTP request, follows redirects, and returns the answer as a value or a failure. Shared by HTTP services and AIs.
import { atOnce, besideOthers } from '../in-turns.js';
import type { Cancellation } from '../run/cancellation.js';
import { suspensionOf } from '../run/durable-run.js';
import type { Run } from '../run/run.js';
import type { Redactor, TraceSpan, Transport, TransportRequest, TransportResponse, WfRecord } from '../types.js';
import { longJson } from '../values/long-json.js';
import { setOwn } from '../values/record.js';
import type { AttemptResult } from './attempt.js';
import { beginningOf, firstCharacters, mostBytes, readBytes, readValue } from './body.js';
import { answerTooLarge, type Failure, failingStatus, redirectNotFollowed, unreadableAnswer } from './call-errors.js';
import { causeOf } from './cause.js';
import { withDefaults } from './headers.js';
import { retryAfterMs, retryableStatus, statusWords } from './http-status.js';
import type { Method } from './service-types.js';

export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

export interface Outgoing {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The headers that may go to another host. */
  readonly headersElsewhere: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Never sent to another host. */
  readonly clientCertificate?: CertificateFiles;
}

/** The request with the headers by which its service continues the trace. A header that the workflow declares stays as it is. */
export const tracedRequest = (outgoing: Outgoing, span: TraceSpan | undefined): Outgoing =>
  span === undefined ? outgoing : { ...outgoing, headers: withDefaults(Object.entries(outgoing.headers), span.headers) };

/** Maximum redirects of one GET. */
const mostRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Sends the request and reads the answer. Never rejects because of the service or the network. */
export async function exchange(run: Run, outgoing: Outgoing, cancellation: Cancellation): Promise<AttemptResult> {
  const transport = transportOf(run);
  let { url, headers } = outgoing;
  for (let followed = 0; ; followed++) {
    let response: TransportResponse;
    try {
      response = await transport(new Request(outgoing, url, headers, cancellation));
    } catch (error) {
      // A part of the program is missing, which is no failure of the service.
      if (suspensionOf(error)) throw error;
      return causeOf(error);
    }
    if (!redirects.has(response.status)) return answerOf(run, response);
    const next = nextAddress(outgoing.method, response, url, followed);
    if (typeof next !== 'string') return next;
    // Read the body, so that a streaming transport releases the connection.
    await beginningOf(response.body, run.journal.redactor);
    // Dropped headers stay dropped, even if a further redirect leads back.
    if (new URL(next).origin !== new URL(url).origin) headers = outgoing.headersElsewhere;
    url = next;
  }
}

/** The transport's view of a request. `signal` costs nothing if the transport uses `onAbort`. */
class Request implements TransportRequest {
  readonly method: Method;
  declare readonly body?: string;
  declare readonly clientCertificate?: CertificateFiles;
  readonly maxBytes = mostBytes;
  readonly #cancellation: Cancellation;

  constructor(
    { method, body, clientCertificate, url: first }: Outgoing,
    readonly url: string,
    readonly headers: Readonly<Record<string, string>>,
    cancellation: Cancellation,
  ) {
    this.method = method;
    if (body !== undefined) this.body = body;
    if (clientCertificate !== undefined && new URL(url).origin === new URL(first).origin)
      this.clientCertificate = clientCertificate;
    this.#cancellation = cancellation;
  }

  get signal(): AbortSignal {
    return this.#cancellation.signal;
  }

  onAbort(callback: () => void): void {
    this.#cancellation.onAbort(callback);
  }
}

function transportOf({ options }: Run): Transport {
  if (options.fetch !== undefined) return fetchTransport(options.fetch);
  return options.transport ?? fetchTransport(fetch);
}

function nextAddress(method: Method, { status, headers }: TransportResponse, from: string, followed: number): string | Failure {
  if (method !== 'GET') return redirectNotFollowed(status, `that is not followed for ${method}`);
  if (followed >= mostRedirects) return redirectNotFollowed(status, `after ${mostRedirects} others, which is too many`);
  const location = one(headers, 'location');
  if (location === undefined) return redirectNotFollowed(status, 'without an address');
  let url: URL;
  try {
    url = new URL(location, from);
  } catch {
    return redirectNotFollowed(status, 'to an invalid address');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return redirectNotFollowed(status, 'to an address that does not start with http:// or https://');
  }
  // Only the workflow's own file says who is calling, and a fragment is never sent.
  url.username = '';
  url.password = '';
  url.hash = '';
  return url.href;
}

async function answerOf(run: Run, response: TransportResponse): Promise<AttemptResult> {
  const { status, body } = response;
  hideCookies(run, response);
  if (status < 200 || status > 299) {
    const retryAfter = retryAfterMs(one(response.headers, 'retry-after'));
    const advice = adviceIn(response.headers, run.journal.redactor);
    return failingStatus(status, statusWords(status), {
      retryable: retryableStatus(status),
      body: await beginningOf(body, run.journal.redactor),
      ...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter }),
      ...(advice === undefined ? {} : { advice }),
    });
  }
  let bytes: Buffer | undefined;
  try {
    bytes = await readBytes(body, mostBytes);
  } catch (error) {
    return { ...causeOf(error), status };
  }
  if (bytes === undefined) return answerTooLarge(status);
  run.received(bytes.length);
  const reading = readValue(bytes, one(response.headers, 'content-type'));
  const read = bytes.length > longJson ? await besideOthers(reading) : atOnce(reading);
  if (!read.ok) return unreadableAnswer(read.problem, status);
  // Lower-case names with text or lists of text: already a record of the language.
  return { ok: true, value: read.value, status, headers: response.headers as WfRecord };
}

function one(headers: TransportResponse['headers'], name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return Array.isArray(value) ? value[0] : value;
}

const adviceNames: ReadonlySet<string> = new Set([
  'retry-after',
  'www-authenticate',
  'allow',
  'x-request-id',
  'request-id',
  'x-correlation-id',
  'x-amzn-requestid',
  'x-github-request-id',
  'cf-ray',
  'ratelimit',
  'ratelimit-policy',
  'ratelimit-reset',
  'ratelimit-remaining',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]);
const longestAdvice = 300;

/** Headers that tell people what a service wants, or where to look. Cookies and tokens are not among them. */
function adviceIn(headers: TransportResponse['headers'], redactor: Redactor): Failure['advice'] {
  const found = Object.keys(headers)
    .filter((name) => adviceNames.has(name))
    .map((name) => [name, firstCharacters(redactor.text(one(headers, name) ?? ''), longestAdvice)] as const);
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** Treats cookies as credentials from now on. */
function hideCookies(run: Run, { headers }: TransportResponse): void {
  const cookies = Object.hasOwn(headers, 'set-cookie') ? headers['set-cookie'] : undefined;
  if (cookies !== undefined) run.journal.hideHeaders([cookies].flat().map((cookie) => ['Set-Cookie', cookie] as const));
}

/** Sends requests with this `fetch`. Doesn't follow redirects. */
function fetchTransport(send: typeof fetch): Transport {
  return async ({ method, url, headers, body, signal }) => {
    const response = await send(url, { method, headers, redirect: 'manual', signal, ...(body === undefined ? {} : { body }) });
    return {
      status: response.status,
      headers: headersOf(response.headers),
      body: response.body === null ? new Uint8Array() : parts(response.body),
    };
  };
}

function headersOf(headers: Headers): Record<string, string | string[]> {
  const record: WfRecord = {};
  for (const [name, value] of headers) {
    if (name !== 'set-cookie') setOwn(record, name, value);
  }
  const cookies = headers.getSetCookie?.() ?? [];
  if (cookies.length > 0) record['set-cookie'] = cookies;
  return record as Record<string, string | string[]>; // Only texts and lists of texts were set above.
}

/** Reads the parts of a stream. Stopping early cancels it, which closes the connection. */
async function* parts(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      ended = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined);
  }
}
