// Adds the addresses of runs, messages and tasks to a router: who may use each, its methods and bodies, and what happens when the store
// fails.
import type { Router } from 'express';
import type { ForeignPageTest } from '../../access/foreign-pages.js';
import type { Role, Roles, Sender } from '../../access/roles.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import type { Actor } from '../../durable/model/changes.js';
import { storedOutcomes } from '../../engine/long-outcomes.js';
import { UsageError } from '../../engine/usage-error.js';
import type { Answer, Reply } from '../app/answer.js';
import type { HttpExchange } from '../app/exchange.js';
import { type Handler, isPreflight, type Locals } from '../app/middleware.js';
import type { BodyRoom } from '../app/read-body.js';
import { type ReadRecord, readRecord } from '../app/read-record.js';
import { faultAfter, foreignPage, type Refusal, unauthorized } from '../app/refusal.js';
import type { ServerLog } from '../server-log.js';
import { otherMethods } from '../workflows/workflow-router.js';
import { linkKeyOf } from './read-query.js';
import { operatorsNotConfigured, operatorsOnly, partUnreadable, storeUnreadable, viewersOnly } from './refusals.js';

/** The senders that may use an address: `link` is for operators, and for anyone with the key of the link. Viewers may see what operators may. */
export type Whom = 'callers' | 'operators' | 'link';

/** A request that may use its address. */
export interface ApiCall {
  readonly exchange: HttpExchange;
  readonly sender: Sender;
  /** Parts of the address that its pattern captures, such as the id of a run. */
  readonly part: string;
  /** Empty unless the request is a `POST`. */
  readonly body: Exclude<ReadRecord, 'gone'>;
  /** The user that a trusted proxy names. */
  readonly user: string | undefined;
  /** The person or program that makes a change with it. */
  readonly actor: Actor;
  /** Resolves when it is the turn of this request to read runs from the store. */
  readonly turn: () => Promise<void>;
}

interface ApiLocals extends Locals {
  sender: Sender;
  body?: Exclude<ReadRecord, 'gone'>;
}

interface EndpointsOptions {
  readonly store: DurableEngine;
  readonly roles: Roles;
  readonly isForeignPage: ForeignPageTest;
  readonly answer: Answer;
  readonly log: ServerLog;
  /** In bytes. */
  readonly maxBody: number;
  /** Shared by all bodies that are being read. */
  readonly room: BodyRoom;
  /** Lower-case name of the header in which a trusted proxy names the user. */
  readonly userHeader: string | undefined;
  readonly isStopping: () => boolean;
}

export interface Endpoints {
  readonly add: (
    router: Router,
    pattern: RegExp,
    whom: Whom,
    handlers: { readonly [method in 'GET' | 'POST']?: (call: ApiCall) => Promise<Reply> },
  ) => void;
  /** Resolves when every request in progress has been answered. The store of a server that stops is not closed before. */
  readonly answered: () => Promise<void>;
}

const noBody = { ok: true, record: {} } as const;

export function createEndpoints(options: EndpointsOptions): Endpoints {
  const { answer, store, log, isStopping } = options;
  const inProgress = new Set<Promise<void>>();

  const fail = (exchange: HttpExchange, cause: unknown): void => {
    const { headersSent } = exchange.response;
    if (cause instanceof UsageError && !headersSent) {
      answer.refuse(exchange, partUnreadable(cause.message, cause.hint));
      return;
    }
    const isFault = store.health().ok && !isStopping();
    // The store has reported its trouble once, and every request would repeat it; a closed store is no fault.
    if (isFault) log.fault(exchange, cause);
    if (!headersSent) answer.refuse(exchange, isFault ? faultAfter(cause) : storeUnreadable);
  };

  const replying =
    (handle: (call: ApiCall) => Promise<Reply>): Handler<ApiLocals> =>
    async ({ params, headers }, { locals: { exchange, sender, body = noBody } }) => {
      const user = options.userHeader === undefined ? undefined : headers[options.userHeader];
      const turn = (): Promise<void> => storedOutcomes.enter(exchange);
      const name = typeof user === 'string' && user !== '' ? user.slice(0, 200) : undefined;
      try {
        const actor = { name: name ?? sender.name, role: roleOnRecord(sender), way: 'http' } as const;
        answer.send(exchange, await handle({ exchange, sender, part: params[0] ?? '', body, user: name, actor, turn }));
      } catch (cause) {
        fail(exchange, cause);
      } finally {
        storedOutcomes.leave(exchange);
      }
    };

  /** Keeps a stopping server from closing the store before the answer. */
  const begin: Handler<ApiLocals> = (_request, response, next) => {
    const { exchange } = response.locals;
    if (!store.health().ok) return answer.refuse(exchange, storeUnreadable);
    const answered = new Promise<void>((resolve) => response.once('close', resolve));
    inProgress.add(answered);
    void answered.then(() => inProgress.delete(answered));
    next();
  };

  const readBody: Handler<ApiLocals> = (_request, { locals }, next) =>
    readRecord(locals.exchange, options, (body) => {
      if (body === 'gone') return log.brokenOff(locals.exchange);
      locals.body = body;
      next();
    });

  return {
    add(router, pattern, whom, { GET, POST }) {
      const route = router.route(pattern).all(admit(whom, options));
      if (GET !== undefined) route.get(begin, replying(GET));
      if (POST !== undefined) route.post(begin, readBody, replying(POST));
      route.all(otherMethods(answer, [...(GET === undefined ? [] : ['GET']), ...(POST === undefined ? [] : ['POST'])]));
    },
    answered: async () => void (await Promise.all(inProgress)),
  };
}

/** Lets those pass who may use the address. Preflights of callers' addresses are answered as for any workflow. */
const admit =
  (whom: Whom, { roles, isForeignPage, answer }: EndpointsOptions): Handler<ApiLocals> =>
  (request, { locals }, next) => {
    if (whom === 'callers' && isPreflight(request)) return next('router');
    const { exchange } = locals;
    locals.sender = roles.of(request);
    const refusal = refusalOf(exchange, whom, locals.sender.role, roles.hasOperatorToken);
    if (refusal !== undefined) answer.refuse(exchange, refusal);
    else if (request.method === 'POST' && !hasLinkKey(exchange, whom) && isForeignPage(request))
      answer.refuse(exchange, foreignPage);
    else next();
  };

/** The key of a link is enough, whatever else the browser sends. */
const hasLinkKey = ({ target }: HttpExchange, whom: Whom): boolean => whom === 'link' && linkKeyOf(target) !== undefined;

function refusalOf(exchange: HttpExchange, whom: Whom, role: Role, hasOperatorToken: boolean): Refusal | undefined {
  const sees = exchange.request.method === 'GET' || exchange.request.method === 'HEAD';
  if (role === 'operator' || (role === 'viewer' && sees)) return undefined;
  if (hasLinkKey(exchange, whom)) return undefined;
  if (role === 'unknown' || role === 'anonymous') return unauthorized;
  if (role === 'viewer') return viewersOnly;
  if (whom === 'callers') return undefined;
  if (!hasOperatorToken) return operatorsNotConfigured;
  return exchange.request.headers.authorization === undefined ? unauthorized : operatorsOnly;
}

/** Without a token of this server, only the key of a link opens anything that is recorded. */
const roleOnRecord = ({ role }: Sender): string => (role === 'anonymous' || role === 'unknown' ? 'link' : role);
