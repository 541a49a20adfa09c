// Adds a store to a server: stores the runs of its workflows, and serves the runs API and the console. Loaded only by servers that have
// one.
import type { RequestHandler } from 'express';
import type { ForeignPageTest } from '../../access/foreign-pages.js';
import type { WrongTokens } from '../../access/rate-limit.js';
import type { Roles } from '../../access/roles.js';
import type { ConsoleAccess, ServedWorkflow } from '../../console/console-options.js';
import type { Console } from '../../console/create-console.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import type { Engine } from '../../engine/engine.js';
import { timetableOf } from '../../timetable/timetable-of.js';
import type { Answer } from '../app/answer.js';
import type { HttpExchange } from '../app/exchange.js';
import { isPreflight } from '../app/middleware.js';
import type { PublicAddress } from '../app/public-address.js';
import { type BodyRoom, readBody } from '../app/read-body.js';
import { type StoreDocument, storeDocument } from '../openapi/openapi-store.js';
import type { ServerLog } from '../server-log.js';
import type { Limits } from '../settings.js';
import { createReceived, type RunWorkflow } from '../workflows/post.js';
import type { Route } from '../workflows/route-table.js';
import { createEndpoints } from './api-endpoints.js';
import { addMessageRoute } from './message-router.js';
import { addBulkRoute, addRunRoutes } from './run-router.js';
import { createOperatorStart, createStoredRun } from './start-stored-run.js';
import { addTaskRoutes } from './task-router.js';

interface StorePartOptions {
  readonly store: DurableEngine;
  readonly engine: Pick<Engine, 'run'>;
  readonly roles: Roles;
  readonly isForeignPage: ForeignPageTest;
  readonly wrongTokens: WrongTokens;
  readonly address: PublicAddress;
  readonly answer: Answer;
  readonly log: ServerLog;
  readonly limits: Limits;
  /** Shared by all bodies that are being read. */
  readonly room: BodyRoom;
  /** Lower-case name of the header in which a trusted proxy names the user. */
  readonly userHeader: string | undefined;
  /** Whether to serve `/console`. Pages of tasks are always served. */
  readonly hasConsole: boolean;
  /** Whether this server starts workflows at their due times. */
  readonly runsSchedules: boolean;
  readonly consoleAccess: ConsoleAccess;
  /** The workflows that are served now. */
  readonly routes: () => readonly Route[];
  readonly isStopping: () => boolean;
}

export interface StorePart {
  readonly run: RunWorkflow;
  /** Of the console, and of runs, messages and tasks, in this order. */
  readonly routers: readonly RequestHandler[];
  /** Whether a request belongs to operators, whom no page of another origin may impersonate. */
  readonly isForOperators: (exchange: HttpExchange) => boolean;
  /** Its part of the OpenAPI document. */
  readonly document: (secured: boolean) => StoreDocument;
  /** Resolves when every request about runs, messages and tasks, and every form, has been answered. */
  readonly answered: () => Promise<void>;
  /** Ends the live pages. */
  readonly close: () => void;
}

export async function createStorePart(options: StorePartOptions): Promise<StorePart> {
  const { Router } = (await import('express')).default;
  const { store, limits, userHeader, room, roles, isForeignPage, answer, log, isStopping } = options;
  const endpoints = createEndpoints({
    store,
    maxBody: limits.maxBody,
    userHeader,
    room,
    roles,
    isForeignPage,
    answer,
    log,
    isStopping,
  });
  const [runs, messages, tasks] = [1, 2, 3].map(() => Router({ caseSensitive: true, strict: true }));
  if (runs === undefined || messages === undefined || tasks === undefined) throw new Error('There are three routers.');
  addBulkRoute(runs, endpoints, store, isStopping);
  addRunRoutes(runs, endpoints, store, roles.hasOperatorToken);
  addMessageRoute(messages, endpoints, store);
  const { oidc } = options.consoleAccess;
  addTaskRoutes(tasks, endpoints, store, oidc !== undefined ? 'provider' : userHeader !== undefined ? 'proxy' : 'nobody');
  const pages = createPages(options);
  return {
    run: createStoredRun({ store, timeoutMs: limits.timeoutMs, log, received: createReceived(roles) }),
    routers: [pages.show, runs, messages, tasks],
    isForOperators(exchange) {
      if (!CALLERS.test(exchange.path)) return OPERATORS.test(exchange.path);
      return !isPreflight(exchange.request) && roles.of(exchange.request).role === 'operator';
    },
    document: (secured) => storeDocument({ secured, hasOperatorToken: roles.hasOperatorToken }),
    answered: async () => void (await Promise.all([endpoints.answered(), pages.answered()])),
    close: pages.close,
  };
}

const OPERATORS = /^\/(?:console(?:\/.*)?|runs(?:\/[^/]+\/[a-z]+)?|tasks(?:\/[^/]+(?:\/[a-z]+)?)?)$/;
/** Used by both. */
const CALLERS = /^\/(?:runs|messages)\/[^/]+$/;

interface Pages {
  /** Passes on what is not a page. */
  readonly show: RequestHandler;
  /** Resolves when the forms that people have sent are answered. */
  readonly answered: () => Promise<unknown>;
  readonly close: () => void;
}

/** Loads the console with its first page. */
function createPages(options: StorePartOptions): Pages {
  const { store, room, answer, log, isStopping } = options;
  let opened: Console | undefined;
  let opening: Promise<Console> | undefined;
  const forms = new Set<Promise<void>>();
  const open = async (): Promise<Console> => {
    const { createConsole } = await import('../../console/create-console.js');
    opened = await createConsole<HttpExchange>({
      store,
      workflows: () => options.routes().map((route) => servedWorkflow(route, options.runsSchedules)),
      access: options.consoleAccess,
      wrongTokens: options.wrongTokens,
      baseOf: options.address.baseOf,
      send: answer.send,
      readBody: (exchange, limit) =>
        new Promise((resolve) =>
          readBody(exchange.request, limit, room, (body) => resolve(body === 'no room' ? 'too large' : body)),
        ),
      startRun: createOperatorStart({ store, timeoutMs: options.limits.timeoutMs, log }),
      tryOut: (prepared, request, mock) => options.engine.run(prepared, request, { mock }),
      isUsable: () => store.health().ok && !isStopping(),
      onFault: log.fault,
    });
    return opened;
  };
  const show: RequestHandler = async (request, response, next) => {
    const exchange: HttpExchange = response.locals.exchange;
    if (!(options.hasConsole && isConsolePath(exchange.path)) && !isTaskPage(exchange)) return next();
    if (request.method === 'POST') {
      const answered = new Promise<void>((resolve) => response.once('close', resolve));
      forms.add(answered);
      void answered.then(() => forms.delete(answered));
    }
    opening ??= open();
    (await opening).router(request, response, next);
  };
  return { show, answered: () => Promise.all(forms), close: () => opened?.close() };
}

const isConsolePath = (path: string): boolean => path === '/console' || path.startsWith('/console/');

/** The link of a task, opened in a browser: it asks for HTML and sends forms. Programs get JSON from the same address. */
const isTaskPage = ({ path, request: { method, headers } }: HttpExchange): boolean =>
  path.startsWith('/tasks/') &&
  (method === 'POST'
    ? /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
    : /\btext\/html\b/i.test(headers.accept ?? ''));

/** A workflow as the console shows it. */
function servedWorkflow({ path, prepared }: Route, isRunning: boolean): ServedWorkflow {
  const { basename: name, workflow } = prepared;
  if (workflow.schedule === undefined) return { name, path, prepared };
  const { words = workflow.schedule, next, zone } = timetableOf(workflow) ?? {};
  const due = isRunning ? next?.(Date.now()) : undefined;
  const first =
    due === undefined || zone === undefined ? {} : { next: { at: new Date(due).toISOString(), words: zone.show(due) } };
  const timetable = { words, ...first, isRunning };
  return { name, path, prepared, timetable };
}
