// The middleware that every request passes, in order: its id, CORS, the form of HTTP, preflights, access. The fast path calls the same
// functions.
import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { ForeignPageTest } from '../../access/foreign-pages.js';
import type { RateLimit, Standing } from '../../access/rate-limit.js';
import type { Roles } from '../../access/roles.js';
import type { ServerLog } from '../server-log.js';
import type { Answer } from './answer.js';
import { type Arrival, createExchange, type HttpExchange, hasHost, hasTarget, hasTooManyHeaders } from './exchange.js';
import {
  faultAfter,
  foreignPage,
  notOfToken,
  type Refusal,
  tooManyHeaders,
  tooOften,
  unauthorized,
  wrongExpectation,
  wrongHost,
  wrongTarget,
} from './refusal.js';

/** Properties of `response.locals` that middleware sets for later middleware. */
export interface Locals {
  exchange: HttpExchange;
}

export type Handler<L extends Locals = Locals> = RequestHandler<Record<string, string>, unknown, unknown, unknown, L>;

/** Gives the request its id and its exchange. */
export const identify =
  (arrivalOf: (request: IncomingMessage) => Arrival): Handler =>
  (request, response, next) => {
    response.locals.exchange = createExchange(request, response, arrivalOf(request));
    next();
  };

/** The refusal of a request, if it is refused. */
export type Check = (exchange: HttpExchange) => Refusal | undefined;

/** Refuses what HTTP forbids (RFC 9112), and the expectations that this server can't meet. */
export const checkForm: Check = (exchange) => {
  const { request } = exchange;
  const { expect } = request.headers;
  if (hasTooManyHeaders(request)) return tooManyHeaders;
  if (!hasHost(request)) return wrongHost;
  if (!hasTarget(exchange)) return wrongTarget;
  // HTTP/1.0 has no expectations.
  if (expect === undefined || request.httpVersionMinor === 0 || /^100-continue$/i.test(expect)) return undefined;
  return wrongExpectation(expect);
};

/** Refuses a request whose sender may not start runs: of the workflow that it names, or any. */
export const checkCaller =
  (
    { mayStart }: Pick<Roles, 'mayStart'>,
    isForeignPage: ForeignPageTest,
    workflowAt: (path: string) => string | undefined,
  ): Check =>
  ({ request, path }) => {
    const starts = request.method === 'POST';
    const may = mayStart(request, starts ? workflowAt(path) : undefined);
    if (may === 'without a token') return unauthorized;
    if (may === 'no' && starts) return notOfToken;
    return request.method !== 'GET' && isForeignPage(request) ? foreignPage : undefined;
  };

/** Refuses requests beyond the limit of their sender. Every answer says how many are left (draft-ietf-httpapi-ratelimit-headers). */
export const checkRate =
  ({ requests, windowMs }: RateLimit, count: (request: IncomingMessage) => Standing): Check =>
  ({ request, response }) => {
    const { allowed, left, resetSeconds } = count(request);
    response.setHeader('RateLimit-Policy', `"default";q=${requests};w=${windowMs / 1000}`);
    response.setHeader('RateLimit', `"default";r=${left};t=${resetSeconds}`);
    return allowed ? undefined : tooOften(resetSeconds);
  };

/** Middleware that refuses what the check refuses. */
export const refusing =
  (answer: Answer, check: Check): Handler =>
  (_request, { locals: { exchange } }, next) => {
    const refusal = check(exchange);
    if (refusal === undefined) next();
    else answer.refuse(exchange, refusal);
  };

/** A browser asking whether it may send a request. It needs no token. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** Answers preflights; `cors()` has set their headers. */
export const answerPreflight =
  (answer: Answer): Handler =>
  (request, { locals: { exchange } }, next) => {
    if (isPreflight(request)) answer.send(exchange, { status: 204 });
    else next();
  };

/** Reports a fault, and answers for it unless the answer has begun. */
export const createFault =
  (answer: Answer, log: ServerLog) =>
  (exchange: HttpExchange, cause: unknown): void => {
    log.fault(exchange, cause);
    if (!exchange.response.headersSent) answer.refuse(exchange, faultAfter(cause));
  };

/** Express tells error handlers by their four parameters. */
export const onError =
  (fault: ReturnType<typeof createFault>): ErrorRequestHandler<Record<string, string>, unknown, unknown, unknown, Locals> =>
  (cause, _request, response, _next) =>
    fault(response.locals.exchange, cause);

const ofRuns = ['Location', 'X-Run-Id', 'Preference-Applied', 'Idempotency-Replayed'];

interface CorsOptions {
  /** `*`, or one origin. */
  readonly origin: string;
  /** Clients may say how long they wait, and are told where their run is. */
  readonly hasStore: boolean;
  /** Pages of other origins have no business with operators' addresses. */
  readonly isForOperators: (exchange: HttpExchange) => boolean;
}

const exposed = (hasStore: boolean): string[] => ['X-Request-Id', 'Retry-After', ...(hasStore ? ofRuns : [])];

/** Sets the headers of CORS, then calls back. */
export type SetCors = (exchange: HttpExchange, next: (cause?: unknown) => void) => void;

export async function createCors({ origin, hasStore, isForOperators }: CorsOptions): Promise<SetCors> {
  const { default: cors } = await import('cors');
  const handler = cors({
    origin,
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type', 'X-Request-Id', 'Idempotency-Key', ...(hasStore ? ['Prefer'] : [])],
    exposedHeaders: exposed(hasStore),
    maxAge: 600,
    preflightContinue: true,
  });
  return (exchange, next) => {
    if (isForOperators(exchange)) next();
    else handler(exchange.request, exchange.response, next);
  };
}

/** The headers for answers to bytes that are not a request, which no middleware sees. Alternating names and values. */
export const corsHeaders = (origin: string | undefined, hasStore: boolean): readonly string[] =>
  origin === undefined
    ? []
    : [
        'Access-Control-Allow-Origin',
        origin,
        ...(origin === '*' ? [] : ['Vary', 'Origin']),
        'Access-Control-Expose-Headers',
        exposed(hasStore).join(','),
      ];
