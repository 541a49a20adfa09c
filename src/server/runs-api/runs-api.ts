// The API of a server with a store: runs, messages and tasks. Checks permissions and methods, then passes the request to its route.
import type { Role, Roles } from '../../access/roles.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import { UsageError } from '../../engine/usage-error.js';
import { type Answer, refusedReply } from '../app/answer.js';
import { isPreflight } from '../app/cors.js';
import type { HttpExchange } from '../app/exchange.js';
import type { BodyRoom } from '../app/read-body.js';
import { readRecord } from '../app/read-record.js';
import { faultAfter, type Refusal, unauthorized, wrongMethod } from '../app/refusal.js';
import type { ServerLog } from '../server-log.js';
import { type ApiRoute, createApiRoutes } from './api-routes.js';
import { linkKeyOf } from './read-query.js';
import { operatorsNotConfigured, operatorsOnly, partUnreadable, storeUnreadable } from './refusals.js';

interface RunsApiOptions {
  readonly store: DurableEngine;
  readonly roles: Roles;
  /** For callers: with CORS headers. */
  readonly answer: Answer;
  /** For operators: without CORS headers. */
  readonly operatorsAnswer: Answer;
  readonly log: ServerLog;
  /** In bytes. */
  readonly maxBody: number;
  /** Shared by all bodies that are being read. */
  readonly room: BodyRoom;
  /** Lower-case name of the header in which a trusted proxy names the user. */
  readonly userHeader: string | undefined;
  readonly isStopping: () => boolean;
}

interface RunsApi {
  /** Answers the request if its path belongs to the API. Returns whether it does. */
  readonly handle: (exchange: HttpExchange) => boolean;
  /** Resolves when every request that is in progress has been answered. */
  readonly answered: () => Promise<void>;
}

const isApiPath = (path: string): boolean => /^\/(?:runs|messages|tasks)(?:\/|$)/.test(path);

export function createRunsApi(options: RunsApiOptions): RunsApi {
  const { store, roles, answer, operatorsAnswer, log, maxBody, room, userHeader, isStopping } = options;
  /** The store of a server that stops is not closed before these have their answers. */
  const inProgress = new Set<Promise<void>>();
  const find = createApiRoutes({
    store,
    hasOperatorToken: roles.hasOperatorToken,
    readBody: (exchange) => new Promise((resolve) => readRecord(exchange, maxBody, room, resolve)),
    userOf: ({ request }) => {
      const given = userHeader === undefined ? undefined : request.headers[userHeader];
      return typeof given === 'string' && given !== '' ? given.slice(0, 200) : undefined;
    },
  });

  /** Why this request is refused, if it is. */
  const refusalOf = (exchange: HttpExchange, { for: whom }: ApiRoute, role: Role): Refusal | undefined => {
    if (role === 'operator') return undefined;
    // The key of a link is enough, whatever else the browser sends.
    if (whom === 'link' && linkKeyOf(exchange.request.url) !== undefined) return undefined;
    if (role === 'unknown' || role === 'anonymous') return unauthorized;
    if (whom === 'callers') return undefined;
    if (!roles.hasOperatorToken) return operatorsNotConfigured;
    return exchange.request.headers.authorization === undefined ? unauthorized : operatorsOnly;
  };

  const serve = async (exchange: HttpExchange, route: ApiRoute, role: Role): Promise<void> => {
    const reply = route.for === 'callers' && role !== 'operator' ? answer : operatorsAnswer;
    try {
      const health = store.health();
      const result = health.ok ? await route.handle(exchange, role) : refusedReply(storeUnreadable);
      if (result === 'gone') log.brokenOff(exchange);
      else reply.send(exchange, result);
    } catch (cause) {
      if (cause instanceof UsageError && !exchange.response.headersSent)
        return reply.refuse(exchange, partUnreadable(cause.message, cause.hint));
      const { ok } = store.health();
      // What is wrong with the store has been said once, and every request would repeat it; a closed store is no fault.
      if (ok && !isStopping()) log.fault(exchange, cause);
      if (!exchange.response.headersSent) reply.refuse(exchange, ok && !isStopping() ? faultAfter(cause) : storeUnreadable);
    }
  };

  const handle = (exchange: HttpExchange): boolean => {
    if (!isApiPath(exchange.path)) return false;
    const route = find(exchange.path);
    const method = exchange.request.method ?? '';
    // Preflights of callers' addresses are answered as for any workflow. Other origins have no business with operators' addresses.
    if (route === undefined || (route.for === 'callers' && isPreflight(exchange.request))) return false;
    const role = roles.of(exchange.request);
    const refusal = refusalOf(exchange, route, role);
    const own = route.for === 'callers' ? answer : operatorsAnswer;
    const asked = method === 'HEAD' ? 'GET' : method;
    const allowed = [...route.methods.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])), 'OPTIONS'];
    if (refusal !== undefined) own.refuse(exchange, refusal);
    else if (method === 'OPTIONS') own.send(exchange, { status: 204, headers: ['Allow', allowed.join(', ')] });
    else if (!(route.methods as readonly string[]).includes(asked))
      own.refuse(exchange, wrongMethod(method, exchange.path, allowed));
    else {
      const served = serve(exchange, route, role);
      inProgress.add(served);
      void served.finally(() => inProgress.delete(served));
    }
    return true;
  };
  return { handle, answered: async () => void (await Promise.all(inProgress)) };
}
