// Adds a store to a server: stores the runs of its workflows, and serves the runs API and the console. Loaded only by servers that have
// one.
import type { Roles } from '../../access/roles.js';
import type { ConsoleAccess, ServedWorkflow } from '../../console/console-options.js';
import type { Console } from '../../console/create-console.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import type { Engine } from '../../engine/engine.js';
import { timetableOf } from '../../timetable/timetable-of.js';
import type { Answer } from '../app/answer.js';
import type { HttpExchange } from '../app/exchange.js';
import { type BodyRoom, readBody } from '../app/read-body.js';
import { faultAfter } from '../app/refusal.js';
import { type StoreDocument, storeDocument } from '../openapi/openapi-store.js';
import type { ServerLog } from '../server-log.js';
import type { Limits } from '../settings.js';
import type { RunWorkflow } from '../workflows/post.js';
import { HEALTH, type Route } from '../workflows/route-table.js';
import { createRunsApi } from './runs-api.js';
import { createStoredRun } from './start-stored-run.js';

interface StorePartOptions {
  readonly store: DurableEngine;
  readonly engine: Pick<Engine, 'run'>;
  readonly roles: Roles;
  readonly answer: Answer;
  /** Without CORS headers. */
  readonly operatorsAnswer: Answer;
  readonly log: ServerLog;
  readonly limits: Limits;
  /** Shared by all bodies that are being read. */
  readonly room: BodyRoom;
  /** Lower-case name of the header in which a trusted proxy names the user. */
  readonly userHeader: string | undefined;
  /** Whether to serve `/console`. Pages of tasks are always served. */
  readonly hasConsole: boolean;
  readonly consoleAccess: ConsoleAccess;
  /** What is served now. */
  readonly routes: () => readonly Route[];
  readonly isStopping: () => boolean;
}

interface StorePart {
  readonly run: RunWorkflow;
  /** Answers the request unless its path is a workflow's. Returns whether it did. */
  readonly handle: (exchange: HttpExchange) => boolean;
  /** What the OpenAPI document says of it. */
  readonly document: (secured: boolean) => StoreDocument;
  /** Resolves when every request about runs, messages and tasks, and every form, has been answered. */
  readonly answered: () => Promise<void>;
  /** Ends the live pages. */
  readonly close: () => void;
}

export function createStorePart(options: StorePartOptions): StorePart {
  const { store, limits, userHeader, room, hasConsole, ...shared } = options;
  const { answer, log, roles, operatorsAnswer, isStopping } = shared;
  const api = createRunsApi({
    ...{ store, maxBody: limits.maxBody, userHeader, room, roles, answer, operatorsAnswer, log, isStopping },
  });
  let pages: Promise<Console<HttpExchange>> | undefined;
  let opened: Console<HttpExchange> | undefined;
  /** Forms that people have sent. */
  const forms = new Set<Promise<void>>();

  const openPages = async (): Promise<Console<HttpExchange>> => {
    const { createConsole } = await import('../../console/create-console.js');
    opened = createConsole<HttpExchange>({
      ...{ store, workflows: () => options.routes().map(servedWorkflow), access: options.consoleAccess },
      send: (exchange, reply) => operatorsAnswer.send(exchange, reply),
      readBody: (exchange, limit) =>
        new Promise((resolve) =>
          readBody(exchange.request, limit, room, (body) => resolve(body === 'no room' ? 'too large' : body)),
        ),
      tryOut: (prepared, request) => options.engine.run(prepared, request, { mock: true }),
      isUsable: () => store.health().ok && !isStopping(),
      onFault: log.fault,
    });
    return opened;
  };

  const showPage = (exchange: HttpExchange): void => {
    pages ??= openPages();
    const shown = pages.then(
      (opened) => opened.handle(exchange),
      (cause) => {
        log.fault(exchange, cause);
        operatorsAnswer.refuse(exchange, faultAfter(cause));
      },
    );
    if (exchange.request.method !== 'POST') return;
    forms.add(shown);
    void shown.finally(() => forms.delete(shown));
  };

  return {
    run: createStoredRun({ store, timeoutMs: limits.timeoutMs, log }),
    handle(exchange) {
      const { method } = exchange.request;
      if (exchange.path === HEALTH && (method === 'GET' || method === 'HEAD') && !store.health().ok) {
        answer.send(exchange, { status: 503, text: '{"status":"store unavailable"}', headers: ['Retry-After', '5'] });
        return true;
      }
      if ((hasConsole && isConsolePath(exchange.path)) || isTaskPage(exchange)) {
        showPage(exchange);
        return true;
      }
      return api.handle(exchange);
    },
    document: (secured) => storeDocument({ secured, hasOperatorToken: roles.hasOperatorToken }),
    answered: async () => void (await Promise.all([api.answered(), ...forms])),
    close: () => opened?.close(),
  };
}

const isConsolePath = (path: string): boolean => path === '/console' || path.startsWith('/console/');

/** The link of a task, opened in a browser: it asks for HTML and sends forms. Programs get JSON from the same address. */
const isTaskPage = ({ path, request: { method, headers } }: HttpExchange): boolean =>
  path.startsWith('/tasks/') &&
  (method === 'POST'
    ? /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')
    : /\btext\/html\b/i.test(headers.accept ?? ''));

/** A workflow as the console shows it. */
function servedWorkflow({ path, prepared }: Route): ServedWorkflow {
  const { basename: name, workflow } = prepared;
  if (workflow.schedule === undefined) return { name, path, prepared };
  const { words = workflow.schedule, next } = timetableOf(workflow) ?? {};
  const nextDue = next?.(Date.now());
  const timetable = { words, ...(nextDue === undefined ? {} : { nextDue: new Date(nextDue).toISOString() }) };
  return { name, path, prepared, timetable };
}
