// One HTTP request → its answer as a value, or a failure; redirects are followed here. Its own file, because services over HTTP and AIs
// share it.
import { answerTooLarge, type Failure, failingStatus, redirectNotFollowed, unreadableAnswer } from '../call-errors.js';
import type { Cancellation } from '../cancellation.js';
import type { Run } from '../run.js';
import { fetchTransport } from '../transport-fetch.js';
import type { Transport, TransportRequest, TransportResponse, WfRecord } from '../types.js';
import type { Method } from '../verbs.js';
import type { AttemptResult } from './attempt.js';
import { beginningOf, mostBytes, readBody, readValue } from './body.js';
import { causeOf } from './cause.js';
import { retryAfterMs, retryableStatus } from './retry.js';
import { statusWords } from './status-words.js';

export interface Outgoing {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What is left of the headers on another host. */
  readonly headersElsewhere: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Redirects of one GET at most (language.md 6). */
const mostRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Sends the request and reads the answer; never rejects for what the service or the network does. */
export async function exchange(run: Run, outgoing: Outgoing, cancellation: Cancellation): Promise<AttemptResult> {
  const transport = transportOf(run);
  let { url, headers } = outgoing;
  for (let followed = 0; ; followed++) {
    let response: TransportResponse;
    try {
      response = await transport(new Request(outgoing, url, headers, cancellation));
    } catch (error) {
      return causeOf(error);
    }
    if (!redirects.has(response.status)) return answerOf(run, response);
    const next = nextAddress(outgoing.method, response, url, followed);
    if (typeof next !== 'string') return next;
    // Read, so that a transport that gives bodies in parts lets go of the connection.
    await beginningOf(response.body, (text) => text);
    // What was dropped stays dropped, also where a further redirect leads back.
    if (new URL(next).origin !== new URL(url).origin) headers = outgoing.headersElsewhere;
    url = next;
  }
}

/** What a transport is given; `signal` costs nothing where it reads `onAbort`. */
class Request implements TransportRequest {
  readonly method: Method;
  declare readonly body?: string;
  readonly maxBytes = mostBytes;
  readonly #cancellation: Cancellation;

  constructor(
    { method, body }: Outgoing,
    readonly url: string,
    readonly headers: Readonly<Record<string, string>>,
    cancellation: Cancellation,
  ) {
    this.method = method;
    if (body !== undefined) this.body = body;
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
  if (method !== 'GET') return redirectNotFollowed(status, `which is not followed for ${method}`);
  if (followed >= mostRedirects) return redirectNotFollowed(status, `after ${mostRedirects} others: it goes on and on`);
  const location = one(headers, 'location');
  if (location === undefined) return redirectNotFollowed(status, 'that names no address');
  let url: URL;
  try {
    url = new URL(location, from);
  } catch {
    return redirectNotFollowed(status, 'to something that is no address');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return redirectNotFollowed(status, 'to an address that does not start with http:// or https://');
  }
  // Nobody but the workflow's own file says who calls, and a fragment is never sent.
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
    return failingStatus(status, statusWords(status), {
      retryable: retryableStatus(status),
      body: await beginningOf(body, (text) => run.journal.redactor.text(text)),
      ...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter }),
    });
  }
  let bytes: Buffer | undefined;
  try {
    bytes = await readBody(body, mostBytes);
  } catch (error) {
    return { ...causeOf(error), status };
  }
  if (bytes === undefined) return answerTooLarge(status);
  const read = readValue(bytes, one(response.headers, 'content-type'));
  if (!read.ok) return unreadableAnswer(read.problem, status);
  // The names are lower case, the values text or lists of text: a record of the language as it is.
  return { ok: true, value: read.value, status, headers: response.headers as WfRecord };
}

function one(headers: TransportResponse['headers'], name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return Array.isArray(value) ? value[0] : value;
}

/** Cookies are credentials from now on. */
function hideCookies(run: Run, { headers }: TransportResponse): void {
  const cookies = Object.hasOwn(headers, 'set-cookie') ? headers['set-cookie'] : undefined;
  if (cookies !== undefined) run.journal.hideHeaders([cookies].flat().map((cookie) => ['Set-Cookie', cookie] as const));
}
