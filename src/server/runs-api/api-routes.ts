// The addresses of runs, messages and tasks: the methods of each, who may use them, and what replies.
import type { Role } from '../../access/roles.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import { type ApiReply, refusedReply } from '../app/answer.js';
import type { HttpExchange } from '../app/exchange.js';
import type { ReadRecord } from '../app/read-record.js';
import { replyToMessage } from './messages.js';
import { linkKeyOf } from './read-query.js';
import { listRuns, type RunView, replyToChange, replyToRerun, showRun } from './run-resource.js';
import { replyToAnswer, replyWithTasks, showTask } from './task-resource.js';

export interface ApiRoute {
  readonly methods: readonly ('GET' | 'POST')[];
  readonly for: 'callers' | 'operators' | 'link';
  /** Resolves with `gone` if the client left before its body had arrived. */
  readonly handle: (exchange: HttpExchange, role: Role) => Promise<ApiReply | 'gone'>;
}

interface ApiRoutesOptions {
  readonly store: DurableEngine;
  readonly readBody: (exchange: HttpExchange) => Promise<ReadRecord>;
  /** The user that a trusted proxy names. */
  readonly userOf: (exchange: HttpExchange) => string | undefined;
  /** Operators sign in with a token, so they are not the callers of runs. */
  readonly hasOperatorToken: boolean;
}

const ID = '([0-9A-Za-z-]{1,64})';

/** Returns a function that finds the route of a path. */
export function createApiRoutes({
  store,
  readBody,
  userOf,
  hasOperatorToken,
}: ApiRoutesOptions): (path: string) => ApiRoute | undefined {
  const withBody = async (
    exchange: HttpExchange,
    use: (body: Exclude<ReadRecord, 'gone'>) => Promise<ApiReply>,
  ): Promise<ApiReply | 'gone'> => {
    const body = await readBody(exchange);
    return body === 'gone' ? 'gone' : use(body);
  };
  const get = (whom: ApiRoute['for'], handle: ApiRoute['handle']): ApiRoute => ({ methods: ['GET'], for: whom, handle });
  const post = (whom: ApiRoute['for'], handle: ApiRoute['handle']): ApiRoute => ({ methods: ['POST'], for: whom, handle });

  const change = (run: string, name: 'cancel' | 'resume'): ApiRoute =>
    post('operators', (exchange) =>
      withBody(exchange, async (body) =>
        body.ok ? replyToChange(store, run, name, userOf(exchange)) : refusedReply(body.refusal),
      ),
    );
  const rerun = (run: string): ApiRoute =>
    post('operators', (exchange) => withBody(exchange, (body) => replyToRerun(store, run, body)));
  const message = (name: string): ApiRoute =>
    post('callers', (exchange) => withBody(exchange, (body) => replyToMessage(store, exchange, decoded(name), body)));
  const task = (id: string): ApiRoute => ({
    methods: ['GET', 'POST'],
    for: 'link',
    handle: (exchange, role) => {
      const key = role === 'operator' ? undefined : (linkKeyOf(exchange.request.url) ?? '');
      if (exchange.request.method !== 'POST') return showTask(store, id, key);
      return withBody(exchange, (body) => replyToAnswer(store, id, key, body, userOf(exchange)));
    },
  });

  const viewOf = (role: Role): RunView => (role !== 'operator' ? 'caller' : hasOperatorToken ? 'operator' : 'both');
  const routes: readonly (readonly [pattern: RegExp, route: (part: string) => ApiRoute])[] = [
    [/^\/runs$/, () => get('operators', (exchange) => listRuns(store, exchange))],
    [runPath(''), (run) => get('callers', (exchange, role) => showRun(store, exchange, run, viewOf(role)))],
    [runPath('/cancel'), (run) => change(run, 'cancel')],
    [runPath('/resume'), (run) => change(run, 'resume')],
    [runPath('/rerun'), rerun],
    [/^\/messages\/([^/]+)$/, message],
    [/^\/tasks$/, () => get('operators', (exchange) => replyWithTasks(store, exchange))],
    [new RegExp(`^/tasks/${ID}$`), task],
  ];
  return (path) => {
    for (const [pattern, route] of routes) {
      const match = pattern.exec(path);
      if (match !== null) return route(match[1] ?? '');
    }
    return undefined;
  };
}

const runPath = (rest: string): RegExp => new RegExp(`^/runs/${ID}${rest}$`);

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
