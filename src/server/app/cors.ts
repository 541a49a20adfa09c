// CORS for one allowed origin: the headers of every answer, and the answer to preflight requests.
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

export interface Cors {
  /** Alternating names and values, identical for every answer: with a fixed origin, nothing depends on the request. */
  readonly headers: readonly string[];
  /** Additional headers for answers to preflight requests. */
  readonly preflight: readonly string[];
}

const ofRuns = ['Location', 'X-Run-Id', 'Preference-Applied', 'Idempotency-Replayed'];

const NONE: Cors = { headers: [], preflight: [] };

/**
 * @param origin `*`, one origin, or `undefined` to disable CORS
 * @param hasStore clients may say how long they wait, and are told where their run is
 */
export async function createCors(origin: string | undefined, hasStore: boolean): Promise<Cors> {
  if (origin === undefined) return NONE;
  const { default: cors } = await import('cors');
  const handler = cors({
    origin,
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type', 'X-Request-Id', 'Idempotency-Key', ...(hasStore ? ['Prefer'] : [])],
    exposedHeaders: ['X-Request-Id', 'Retry-After', ...(hasStore ? ofRuns : [])],
    maxAge: 600,
    preflightContinue: true,
  });
  // Record the package's answers once instead of asking it for each request. The response used here is never sent.
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

/** `getHeaders` returns names in lower case. */
const canonical = (name: string): string => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** A browser asking whether it may send a request. It needs no token. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}
