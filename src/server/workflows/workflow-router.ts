// Serves the workflows of a table, and the server's own paths: its health, what it serves, its OpenAPI document, its metrics. Route patterns
// are escaped text, because a file name must never act as a pattern.
import type { IncomingMessage } from 'node:http';
import type { Router } from 'express';
import type { Answer } from '../app/answer.js';
import type { HttpExchange } from '../app/exchange.js';
import { type Handler, type Locals, refusing } from '../app/middleware.js';
import type { ReadRecord } from '../app/read-record.js';
import { type Refusal, unknownRoute, wrongMethod } from '../app/refusal.js';
import type { Metrics } from '../metrics.js';
import type { WorkflowPost } from './post.js';
import { HEALTH, INFO, infoJson, LIVE, METRICS, OPENAPI, READY, type Route, type RouteTable } from './route-table.js';

interface BodyLocals extends Locals {
  body: ReadRecord;
}

interface WorkflowRouterOptions {
  readonly answer: Answer;
  readonly post: WorkflowPost;
  /** `ok` if requests can be served now. */
  readonly health: () => 'ok' | 'stopping' | 'store unavailable';
  /** Whether the server is about to stop, and still serves. */
  readonly isDraining: () => boolean;
  readonly metrics: Pick<Metrics, 'render'> | undefined;
  /** Where the sender of a request reaches the server; may be a path. */
  readonly serverUrl: (request: IncomingMessage) => string;
  /** The OpenAPI document of a table. Requested once while the address stays the same. */
  readonly openApi: (table: RouteTable, url: string) => string;
}

/** Returns a function that makes the router of a table, so that a new table can replace the current one at run time. */
export async function createWorkflowRouters(options: WorkflowRouterOptions): Promise<(table: RouteTable) => Router> {
  const { Router } = (await import('express')).default;
  const { answer, post } = options;
  return (table) => {
    const router = Router({ caseSensitive: true, strict: true });
    const own = ownPaths(options, table);
    for (const path of new Set([...Object.keys(own), ...table.routes.map((route) => route.path)])) {
      const route = router.route(exactly(path));
      const get = own[path];
      const workflow = table.find(path);
      if (workflow !== undefined && post.signed.isSigned(workflow)) route.get(subscribe(answer, post, workflow));
      if (get !== undefined) route.get(get);
      if (workflow !== undefined) route.post(refusing(answer, post.limit), readBody(post, workflow), start(post, workflow));
      route.all(otherMethods(answer, [...(get === undefined ? [] : ['GET']), ...(workflow === undefined ? [] : ['POST'])]));
    }
    router.use(((_request, { locals: { exchange } }) => answer.refuse(exchange, notFound(exchange, table))) satisfies Handler);
    return router;
  };
}

/** Whether the request asks for the health of the server, which needs no token. */
export const isHealth = ({ request: { method }, path }: HttpExchange): boolean =>
  (path === HEALTH || path === LIVE || path === READY) && (method === 'GET' || method === 'HEAD');

function ownPaths(
  { answer, health, isDraining, metrics, openApi, serverUrl }: WorkflowRouterOptions,
  table: RouteTable,
): Record<string, Handler> {
  const json =
    (text: (request: IncomingMessage) => string): Handler =>
    (request, { locals: { exchange } }) =>
      answer.send(exchange, { status: 200, text: text(request) });
  const healthOf =
    (statusNow: WorkflowRouterOptions['health']): Handler =>
    (_request, { locals: { exchange } }) => {
      const status = statusNow();
      const text = JSON.stringify({ status });
      if (status === 'ok') answer.send(exchange, { status: 200, text });
      else answer.send(exchange, { status: 503, text, headers: ['Retry-After', '5'] });
    };
  let document: { readonly url: string; readonly text: string } | undefined;
  const own: Record<string, Handler> = {
    [HEALTH]: healthOf(health),
    [LIVE]: healthOf(() => 'ok'),
    [READY]: healthOf(() => (isDraining() ? 'stopping' : health())),
    [INFO]: json(() => infoJson(table)),
    [OPENAPI]: json((request) => {
      const url = serverUrl(request);
      if (document?.url !== url) document = { url, text: openApi(table, url) };
      return document.text;
    }),
  };
  if (metrics !== undefined)
    own[METRICS] = async (_request, { locals: { exchange } }) => {
      const { type, text } = await metrics.render();
      answer.send(exchange, { status: 200, text, type });
    };
  return own;
}

/** Answers a provider that asks by `GET` whether it may send. */
const subscribe =
  (answer: Answer, { signed }: WorkflowPost, route: Route): Handler =>
  (_request, { locals: { exchange } }, next) => {
    const reply = signed.subscription(exchange, route);
    if (reply === undefined) next();
    else if ('error' in reply) answer.refuse(exchange, reply);
    else answer.send(exchange, reply);
  };

const readBody =
  ({ read }: WorkflowPost, route: Route): Handler<BodyLocals> =>
  (_request, { locals }, next) =>
    read(locals.exchange, route, (body) => {
      locals.body = body;
      next();
    });

const start =
  (post: WorkflowPost, route: Route): Handler<BodyLocals> =>
  (_request, { locals: { exchange, body } }) =>
    post.start(exchange, route, body);

/** Answers `OPTIONS`, and refuses methods that an address does not have. The last handler of a route. */
export const otherMethods = (answer: Answer, methods: readonly string[]): Handler => {
  const allowed = [...methods.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])), 'OPTIONS'];
  return ({ method }, { locals: { exchange } }) => {
    if (method === 'OPTIONS') answer.send(exchange, { status: 204, headers: ['Allow', allowed.join(', ')] });
    else answer.refuse(exchange, wrongMethod(method, exchange.path, allowed));
  };
};

const exactly = (path: string): RegExp => new RegExp(`^${path.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}$`);

/** The most routes that a 404 lists. */
const MOST_LISTED = 50;

function notFound({ request, path }: HttpExchange, { single, routes }: RouteTable): Refusal {
  const listed = routes.slice(0, MOST_LISTED).map((route) => `POST ${route.path}`);
  const rest = routes.length - listed.length;
  return unknownRoute(request.method ?? '', path, [
    ...listed,
    ...(rest > 0 ? [`${rest} more (see GET /)`] : []),
    ...(single ? ['GET /'] : []),
  ]);
}
