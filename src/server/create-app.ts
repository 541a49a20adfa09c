// Prepared workflows and settings go in, what answers HTTP requests comes out: the library's entry, and what `wf serve` listens with. What every
// request passes stands here in its order; then a POST to a workflow goes its direct way, and Express has the rest.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Mocks } from '../../runtime/types.js';
import { createEngine, type Engine } from '../engine/engine.js';
import type { Prepared } from '../engine/prepared.js';
import { type Printer, silent } from '../engine/printer.js';
import { createAnswer } from './answer.js';
import { createAuthentication } from './authentication.js';
import { createCors, isPreflight } from './cors.js';
import { createExchange, type Exchange, hasHost } from './exchange.js';
import { createExpressRoutes } from './express-routes.js';
import type { Metrics } from './metrics.js';
import { openApiJson } from './openapi.js';
import { createPost } from './post.js';
import { rawAnswer } from './raw-answer.js';
import { badRequest, fault, unauthorized, wrongExpectation, wrongHost } from './refusal.js';
import { createRouteTable, HEALTH } from './route-table.js';
import { createRunWorkflow } from './run-workflow.js';
import { Runs } from './runs.js';
import { createServerLog } from './server-log.js';
import { defaultLimits, type Limits } from './settings.js';

export interface AppOptions {
  readonly workflows: readonly Prepared[];
  /** One workflow at `/`; otherwise each is at `/<basename>`. */
  readonly single?: boolean;
  /** What workflows read as `env`; none where it is left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** `true`, or what makes the mocks of one run. */
  readonly mock?: boolean | (() => boolean | Mocks);
  /** Without it, anyone may start runs. */
  readonly token?: string | undefined;
  /** `*` or one origin. */
  readonly corsOrigin?: string | undefined;
  readonly limits?: Partial<Limits>;
  readonly verbose?: boolean;
  readonly debug?: boolean;
  readonly metrics?: Metrics | undefined;
  /** Where log lines of runs go; nowhere where it is left out. */
  readonly out?: Printer;
  /** Where errors go; nowhere where it is left out. */
  readonly err?: Printer;
  /** What runs workflows, where it is not to be an engine of the app's own. */
  readonly engine?: Pick<Engine, 'run' | 'close'>;
  /** `false`: everything goes through Express; for comparison. */
  readonly direct?: boolean;
}

export interface App {
  /** For `http.createServer`, or to be mounted in another Express application. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void;
  /** For the events `checkContinue` and `checkExpectation` of an HTTP server. */
  readonly onContinue: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onExpectation: (request: IncomingMessage, response: ServerResponse) => void;
  /** The bytes that answer what is no HTTP request. @param code of the parser's error */
  readonly badRequest: (code: string | undefined) => string;
  readonly runs: Runs;
  /** Serves these workflows from the next request on; requests in flight keep theirs. */
  readonly replace: (workflows: readonly Prepared[]) => void;
  /** Closes the connections to services. Runs must have ended. */
  readonly close: () => Promise<void>;
}

export async function createApp(options: AppOptions): Promise<App> {
  const { single = false, env = {}, mock = false, token, direct = true, metrics } = options;
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const secrets = token === undefined ? [] : [token];
  const runs = new Runs(limits.maxConcurrent);
  const log = createServerLog({
    out: options.out ?? silent,
    err: options.err ?? silent,
    verbose: options.verbose ?? false,
    debug: options.debug ?? false,
    secrets,
  });
  const cors = await createCors(options.corsOrigin);
  const isAllowed = token === undefined ? () => true : createAuthentication(token);
  const answer = createAnswer({ headers: cors.headers, isStopping: () => runs.stopping, onAnswer: log.answered });
  const engine = options.engine ?? createEngine({ env: Object.freeze({ ...env }), secrets });
  const run = createRunWorkflow({
    engine,
    signal: runs.signal,
    mock: typeof mock === 'function' ? mock : () => mock,
    timeoutMs: limits.timeoutMs,
    log,
    metrics,
  });
  const post = createPost({ answer, runs, log, run, maxBody: limits.maxBody });
  const openApi = (served: typeof table): string => openApiJson(served, { secured: token !== undefined });
  const routesOf = await createExpressRoutes({ answer, post, runs, log, metrics, openApi });
  let table = createRouteTable(options.workflows, single);
  let routes = routesOf(table);

  const isHealth = ({ request: { method }, path }: Exchange): boolean =>
    path === HEALTH && (method === 'GET' || method === 'HEAD');

  const handle = (exchange: Exchange): void => {
    const { request } = exchange;
    const route = direct && request.method === 'POST' ? table.find(exchange.path) : undefined;
    if (!hasHost(request)) answer.refuse(exchange, wrongHost);
    else if (isPreflight(request)) answer.send(exchange, { status: 204, headers: cors.preflight });
    else if (!isHealth(exchange) && !isAllowed(request)) answer.refuse(exchange, unauthorized);
    else if (route !== undefined) post(exchange, route);
    else routes(exchange);
  };

  const guarded = (exchange: Exchange, task: (exchange: Exchange) => void): void => {
    try {
      task(exchange);
    } catch (cause) {
      log.fault(exchange, cause);
      if (!exchange.response.headersSent) answer.refuse(exchange, fault);
    }
  };

  return {
    listener: (request, response) => guarded(createExchange(request, response, false), handle),
    onContinue: (request, response) => guarded(createExchange(request, response, true), handle),
    onExpectation: (request, response) =>
      guarded(createExchange(request, response, true), (exchange) =>
        answer.refuse(exchange, wrongExpectation(request.headers.expect ?? '')),
      ),
    badRequest: (code) => rawAnswer(badRequest(code), cors.headers),
    runs,
    replace(workflows) {
      table = createRouteTable(workflows, single);
      routes = routesOf(table);
    },
    close: () => engine.close(),
  };
}
