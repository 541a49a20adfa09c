// Answers a `POST` to a workflow without Express, which would take longer than a small run. It calls the functions that the middleware
// calls, in the same order, so that both answer alike.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WorkflowPost } from '../workflows/post.js';
import type { Route } from '../workflows/route-table.js';
import type { Answer } from './answer.js';
import { type Arrival, createExchange, type HttpExchange } from './exchange.js';
import type { Check, createFault, SetCors } from './middleware.js';

interface FastPathOptions {
  readonly answer: Answer;
  /** The workflow at a path. */
  readonly find: (path: string) => Route | undefined;
  readonly setCors: SetCors | undefined;
  /** In order, with the limit on runs last. */
  readonly checks: readonly Check[];
  readonly post: WorkflowPost;
  readonly fault: ReturnType<typeof createFault>;
}

/** Answers the request if it starts a workflow, and returns whether it does. */
type FastPath = (request: IncomingMessage, response: ServerResponse, arrival: Arrival) => boolean;

export function createFastPath({ answer, find, setCors, checks, post, fault }: FastPathOptions): FastPath {
  const handle = (exchange: HttpExchange, route: Route): void => {
    for (const check of checks) {
      const refusal = check(exchange);
      if (refusal === undefined) continue;
      answer.refuse(exchange, refusal);
      return;
    }
    post.read(exchange, route, (body) => post.start(exchange, route, body));
  };

  return (request, response, arrival) => {
    if (request.method !== 'POST') return false;
    const exchange = createExchange(request, response, arrival);
    const route = find(exchange.path);
    if (route === undefined) return false;
    try {
      if (setCors === undefined) handle(exchange, route);
      else setCors(exchange, () => handle(exchange, route));
    } catch (cause) {
      fault(exchange, cause);
    }
    return true;
  };
}
