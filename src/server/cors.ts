// One allowed origin goes in; the headers of every answer and the answer to preflight requests come out (`behaviour.md` 4, CORS).
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

export interface Cors {
  /** Names and values by turns, the same for every answer: with one fixed origin nothing depends on the request. */
  readonly headers: readonly string[];
  /** What the answer to a preflight has beside them, names and values by turns. */
  readonly preflight: readonly string[];
}

const NONE: Cors = { headers: [], preflight: [] };

/** @param origin `*`, one origin, or `undefined` for no CORS at all */
export async function createCors(origin: string | undefined): Promise<Cors> {
  if (origin === undefined) return NONE;
  const { default: cors } = await import('cors');
  const handler = cors({
    origin,
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type', 'X-Request-Id', 'Idempotency-Key'],
    exposedHeaders: ['X-Request-Id', 'Retry-After'],
    maxAge: 600,
    preflightContinue: true,
  });
  // The package is asked once instead of at each request: its answers are recorded with a response that is never sent.
  const record = (method: string): [name: string, value: string][] => {
    const request = new IncomingMessage(new Socket());
    request.method = method;
    const response = new ServerResponse(request);
    handler(request, response, () => undefined);
    return Object.entries(response.getHeaders()).map(([name, value]) => [canonical(name), String(value)]);
  };
  const always = record('GET');
  const more = record('OPTIONS').filter(([name]) => !always.some(([known]) => known === name));
  return { headers: always.flat(), preflight: more.flat() };
}

/** `getHeaders` gives lower-case names. */
const canonical = (name: string): string => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** A browser's question whether it may send a request; it needs no token. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}
