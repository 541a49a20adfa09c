// Everything outside the direct path, on Express's router: the server's own paths, wrong methods, unknown routes. Route
// patterns are escaped text, because a file name must never act as a pattern.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Metrics } from '../metrics.js';
import type { ServerLog } from '../server-log.js';
import type { Post } from '../workflows/post.js';
import { HEALTH, INFO, infoJson, METRICS, OPENAPI, type RouteTable } from '../workflows/route-table.js';
import type { Runs } from '../workflows/runs.js';
import type { Answer } from './answer.js';
import type { HttpExchange } from './exchange.js';
import { faultAfter, type Refusal, unknownRoute, wrongMethod } from './refusal.js';

interface ExpressRoutesOptions {
  readonly answer: Answer;
  readonly post: Post;
  readonly runs: Runs;
  readonly log: ServerLog;
  readonly metrics: Pick<Metrics, 'render'> | undefined;
  /** The OpenAPI document of a table, requested once per table. */
  readonly openApi: (table: RouteTable) => string;
}

/** Answers any request. */
export type Routes = (exchange: HttpExchange) => void;

type Handler = (exchange: HttpExchange) => void | Promise<void>;

/** The most routes that a 404 lists. */
const MOST_LISTED = 50;

/** Returns a function that builds the routes of a table, so that a new table can replace the current one at run time. */
export async function createExpressRoutes(options: ExpressRoutesOptions): Promise<(table: RouteTable) => Routes> {
  const { Router } = (await import('express')).default;
  const { answer, post, runs, log, metrics, openApi } = options;
  const exchanges = new WeakMap<IncomingMessage, HttpExchange>();
  /** The exchange of a Node.js request that Express passes on. */
  const exchangeOf = (request: IncomingMessage): HttpExchange => {
    const exchange = exchanges.get(request);
    if (exchange === undefined) throw new Error('A request reached the routes without its exchange.');
    return exchange;
  };
  const by = (handler: Handler) => (request: IncomingMessage, _response: ServerResponse) => handler(exchangeOf(request));
  const json = (text: () => string) => by((exchange) => answer.send(exchange, { status: 200, text: text() }));

  return (table) => {
    const router = Router({ caseSensitive: true, strict: true });
    let document: string | undefined;
    const own: Record<string, ReturnType<typeof by>> = {
      [HEALTH]: by((exchange) => {
        if (runs.stopping) answer.send(exchange, { status: 503, text: '{"status":"stopping"}', headers: ['Retry-After', '5'] });
        else answer.send(exchange, { status: 200, text: '{"status":"ok"}' });
      }),
      [INFO]: json(() => infoJson(table)),
      [OPENAPI]: json(() => {
        document ??= openApi(table);
        return document;
      }),
    };
    if (metrics !== undefined) {
      own[METRICS] = by(async (exchange) => {
        const { type, text } = await metrics.render();
        answer.send(exchange, { status: 200, text, type });
      });
    }
    for (const path of new Set([...Object.keys(own), ...table.routes.map((route) => route.path)])) {
      const at = router.route(exactly(path));
      const get = own[path];
      const workflow = table.find(path);
      if (get !== undefined) at.get(get);
      if (workflow !== undefined) at.post(by((exchange) => post(exchange, workflow)));
      at.all(by(otherMethods(answer, get !== undefined, workflow !== undefined)));
    }
    return (exchange) => {
      exchanges.set(exchange.request, exchange);
      // Only the path, so that Express sees it exactly as the direct path does.
      exchange.request.url = exchange.path;
      const done = (cause?: unknown): void => {
        if (cause === undefined || cause === 'router') {
          answer.refuse(exchange, notFound(exchange, table));
          return;
        }
        log.fault(exchange, cause);
        if (!exchange.response.headersSent) answer.refuse(exchange, faultAfter(cause));
      };
      // Express's types ask for its own request and response, but its router works with those of Node.js.
      (router as unknown as (request: IncomingMessage, response: ServerResponse, done: (cause?: unknown) => void) => void)(
        exchange.request,
        exchange.response,
        done,
      );
    };
  };
}

function otherMethods(answer: Answer, gets: boolean, posts: boolean): Handler {
  const allowed = [...(gets ? ['GET', 'HEAD'] : []), ...(posts ? ['POST'] : []), 'OPTIONS'];
  return (exchange) => {
    const { method = '' } = exchange.request;
    if (method === 'OPTIONS') answer.send(exchange, { status: 204, headers: ['Allow', allowed.join(', ')] });
    else answer.refuse(exchange, wrongMethod(method, exchange.path, allowed));
  };
}

const exactly = (path: string): RegExp => new RegExp(`^${path.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}$`);

function notFound({ request, path }: HttpExchange, { single, routes }: RouteTable): Refusal {
  const listed = routes.slice(0, MOST_LISTED).map((route) => `POST ${route.path}`);
  const rest = routes.length - listed.length;
  return unknownRoute(request.method ?? '', path, [
    ...listed,
    ...(rest > 0 ? [`${rest} more (see GET /)`] : []),
    ...(single ? ['GET /'] : []),
  ]);
}
