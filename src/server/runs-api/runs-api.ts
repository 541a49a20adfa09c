// The routes of a server with a store: runs, messages and tasks. Checks permissions, then calls the handler of the resource.
import type { Role, Roles } from '../../access/roles.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import type { Answer } from '../answer.js';
import type { BodyRoom } from '../body-room.js';
import { isPreflight } from '../cors.js';
import type { HttpExchange } from '../exchange.js';
import { type ReadRecord, readRecord } from '../read-record.js';
import { fault, type Refusal, unauthorized, wrongMethod } from '../refusal.js';
import type { ServerLog } from '../server-log.js';
import { replyToMessage } from './messages.js';
import { parametersOf } from './read-query.js';
import { operatorsNotConfigured, operatorsOnly, storeUnreadable } from './refusals.js';
import { type ApiReply, refusedReply } from './reply.js';
import { CHANGES, type ChangeName, listRuns, replyToChange, replyToRerun, showRun } from './run-resource.js';
import { replyToAnswer, replyWithTasks, showTask } from './task-resource.js';

export interface RunsApiOptions {
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
}

/** Answers the request if its path belongs to the API. Returns whether it does. */
export type RunsApi = (exchange: HttpExchange) => boolean;

interface Handler {
  readonly methods: readonly ('GET' | 'POST')[];
  readonly for: 'callers' | 'operators' | 'link';
  readonly handle: (exchange: HttpExchange, role: Role) => Promise<ApiReply | 'gone'>;
}

const ID = '([0-9A-Za-z-]{1,64})';
const PATHS = {
  runs: /^\/runs$/,
  run: new RegExp(`^/runs/${ID}$`),
  change: new RegExp(`^/runs/${ID}/(${CHANGES.join('|')})$`),
  message: /^\/messages\/([^/]+)$/,
  tasks: /^\/tasks$/,
  task: new RegExp(`^/tasks/${ID}$`),
};

const isApiPath = (path: string): boolean => /^\/(?:runs|messages|tasks)(?:\/|$)/.test(path);

export function createRunsApi(options: RunsApiOptions): RunsApi {
  const { store, roles, answer, operatorsAnswer, log, maxBody, room, userHeader } = options;

  const withBody = async (
    exchange: HttpExchange,
    use: (body: Exclude<ReadRecord, 'gone'>) => Promise<ApiReply>,
  ): Promise<ApiReply | 'gone'> => {
    const body = await new Promise<ReadRecord>((resolve) => readRecord(exchange, maxBody, room, resolve));
    return body === 'gone' ? 'gone' : use(body);
  };

  const userOf = ({ request }: HttpExchange): string | undefined => {
    const given = userHeader === undefined ? undefined : request.headers[userHeader];
    return typeof given === 'string' && given !== '' ? given.slice(0, 200) : undefined;
  };

  const keyOf = ({ request }: HttpExchange): string | undefined => parametersOf(request.url).get('key') ?? undefined;

  const change = (id: string, name: ChangeName): Handler => ({
    methods: ['POST'],
    for: 'operators',
    handle: (exchange) =>
      name === 'rerun'
        ? withBody(exchange, (body) => replyToRerun(store, id, body))
        : withBody(exchange, async (body) =>
            body.ok ? replyToChange(store, id, name, userOf(exchange)) : refusedReply(body.refusal),
          ),
  });

  const find = (path: string): Handler | undefined => {
    if (PATHS.runs.test(path)) return { methods: ['GET'], for: 'operators', handle: (exchange) => listRuns(store, exchange) };
    const run = PATHS.run.exec(path)?.[1];
    if (run !== undefined)
      return {
        methods: ['GET'],
        for: 'callers',
        handle: (exchange, role) => showRun(store, exchange, run, role === 'operator'),
      };
    const [, id, name] = PATHS.change.exec(path) ?? [];
    const known = CHANGES.find((one) => one === name);
    if (id !== undefined && known !== undefined) return change(id, known);
    const message = PATHS.message.exec(path)?.[1];
    if (message !== undefined)
      return {
        methods: ['POST'],
        for: 'callers',
        handle: (exchange) => withBody(exchange, (body) => replyToMessage(store, exchange, decoded(message), body)),
      };
    if (PATHS.tasks.test(path))
      return { methods: ['GET'], for: 'operators', handle: (exchange) => replyWithTasks(store, exchange) };
    const task = PATHS.task.exec(path)?.[1];
    if (task === undefined) return undefined;
    return {
      methods: ['GET', 'POST'],
      for: 'link',
      handle: (exchange, role) => {
        const key = role === 'operator' ? undefined : (keyOf(exchange) ?? '');
        if (exchange.request.method !== 'POST') return showTask(store, task, key);
        return withBody(exchange, (body) => replyToAnswer(store, task, key, body, userOf(exchange)));
      },
    };
  };

  /** Why this request is refused, if it is. */
  const refusalOf = (exchange: HttpExchange, { for: whom }: Handler, role: Role): Refusal | undefined => {
    if (role === 'operator') return undefined;
    // The key of a link is enough, whatever else the browser sends.
    if (whom === 'link' && keyOf(exchange) !== undefined) return undefined;
    if (role === 'unknown' || role === 'anonymous') return unauthorized;
    if (whom === 'callers') return undefined;
    if (!roles.hasOperatorToken) return operatorsNotConfigured;
    return exchange.request.headers.authorization === undefined ? unauthorized : operatorsOnly;
  };

  const serve = async (exchange: HttpExchange, handler: Handler, role: Role): Promise<void> => {
    const reply = handler.for === 'callers' && role !== 'operator' ? answer : operatorsAnswer;
    try {
      const health = store.health();
      const result = health.ok ? await handler.handle(exchange, role) : refusedReply(storeUnreadable);
      if (result === 'gone') log.brokenOff(exchange);
      else reply.send(exchange, result);
    } catch (cause) {
      log.fault(exchange, cause);
      if (!exchange.response.headersSent) reply.refuse(exchange, store.health().ok ? fault : storeUnreadable);
    }
  };

  return (exchange) => {
    if (!isApiPath(exchange.path)) return false;
    const handler = find(exchange.path);
    const method = exchange.request.method ?? '';
    // Preflights of callers' addresses are answered as for any workflow. Other origins have no business with operators' addresses.
    if (handler === undefined || (handler.for === 'callers' && isPreflight(exchange.request))) return false;
    const role = roles.of(exchange.request);
    const refusal = refusalOf(exchange, handler, role);
    const own = handler.for === 'callers' ? answer : operatorsAnswer;
    const asked = method === 'HEAD' ? 'GET' : method;
    const allowed = [...handler.methods.flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name])), 'OPTIONS'];
    if (refusal !== undefined) own.refuse(exchange, refusal);
    else if (method === 'OPTIONS') own.send(exchange, { status: 204, headers: ['Allow', allowed.join(', ')] });
    else if (!(handler.methods as readonly string[]).includes(asked))
      own.refuse(exchange, wrongMethod(method, exchange.path, allowed));
    else void serve(exchange, handler, role);
    return true;
  };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
