// What every request goes through, in order, before a workflow or a path of the server answers it.
import type { Roles } from '../../access/roles.js';
import type { ServerLog } from '../server-log.js';
import type { Post } from '../workflows/post.js';
import { HEALTH, type Route } from '../workflows/route-table.js';
import type { Answer } from './answer.js';
import { type Cors, isPreflight } from './cors.js';
import { type HttpExchange, hasHost, hasTarget, hasTooManyHeaders } from './exchange.js';
import { faultAfter, tooManyHeaders, unauthorized, wrongExpectation, wrongHost, wrongTarget } from './refusal.js';

export interface RequestHandlerOptions {
  readonly answer: Answer;
  readonly log: ServerLog;
  readonly cors: Pick<Cors, 'preflight'>;
  readonly roles: Pick<Roles, 'mayStart'>;
  /** Answers the requests that only a server with a store knows. Returns whether it did. */
  readonly handleStored: ((exchange: HttpExchange) => boolean) | undefined;
  /** The workflow that a `POST` reaches directly, if any. */
  readonly direct: (exchange: HttpExchange) => Route | undefined;
  readonly post: Post;
  /** Answers everything else. */
  readonly routes: (exchange: HttpExchange) => void;
}

/** Both answer eventually, and never throw. */
export interface RequestHandler {
  handle(exchange: HttpExchange): void;
  /** For an `Expect` header with anything but `100-continue`. */
  refuseExpectation(exchange: HttpExchange): void;
}

export function createRequestHandler(options: RequestHandlerOptions): RequestHandler {
  const { answer, log, cors, roles, handleStored, direct, post, routes } = options;

  const handle = (exchange: HttpExchange): void => {
    const { request } = exchange;
    const route = request.method === 'POST' ? direct(exchange) : undefined;
    if (hasTooManyHeaders(request)) answer.refuse(exchange, tooManyHeaders);
    else if (!hasHost(request)) answer.refuse(exchange, wrongHost);
    else if (!hasTarget(request)) answer.refuse(exchange, wrongTarget);
    else if (handleStored?.(exchange) === true) return;
    else if (isPreflight(request)) answer.send(exchange, { status: 204, headers: cors.preflight });
    else if (!isHealth(exchange) && !roles.mayStart(request)) answer.refuse(exchange, unauthorized);
    else if (route !== undefined) post(exchange, route);
    else routes(exchange);
  };

  const guarded = (exchange: HttpExchange, task: (exchange: HttpExchange) => void): void => {
    try {
      task(exchange);
    } catch (cause) {
      log.fault(exchange, cause);
      if (!exchange.response.headersSent) answer.refuse(exchange, faultAfter(cause));
    }
  };

  return {
    handle: (exchange) => guarded(exchange, handle),
    refuseExpectation: (exchange) =>
      guarded(exchange, () => answer.refuse(exchange, wrongExpectation(exchange.request.headers.expect ?? ''))),
  };
}

const isHealth = ({ request: { method }, path }: HttpExchange): boolean =>
  path === HEALTH && (method === 'GET' || method === 'HEAD');
