// The HTTP application, for the library and for `wf serve`: prepared workflows and settings in, a request listener out. A POST to a
// workflow takes a direct path; Express handles everything else.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Environment, Mocks } from '../../../runtime/types.js';
import { isLoopbackHost } from '../../access/local-request.js';
import { createRoles } from '../../access/roles.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import { createEngine, type Engine } from '../../engine/engine.js';
import type { Prepared } from '../../engine/prepare/prepared.js';
import { type Printer, silent } from '../../engine/records/printer.js';
import type { Metrics } from '../metrics.js';
import { openApiJson } from '../openapi/openapi.js';
import { createServerLog } from '../server-log.js';
import { defaultLimits, type Limits } from '../settings.js';
import { createPost, createRunWorkflow } from '../workflows/post.js';
import { createRouteTable } from '../workflows/route-table.js';
import { Runs } from '../workflows/runs.js';
import { createAnswer, rawAnswer } from './answer.js';
import { createCors } from './cors.js';
import { createExchange } from './exchange.js';
import { createExpressRoutes } from './express-routes.js';
import { BodyRoom } from './read-body.js';
import { badRequest } from './refusal.js';
import { createRequestHandler } from './request-handler.js';

export interface AppOptions {
  readonly workflows: readonly Prepared[];
  /** Serve one workflow at `/` instead of each at `/<basename>`. */
  readonly single?: boolean;
  /** What workflows see as `env`. Default: nothing. */
  readonly env?: Environment;
  /** `true`, or a function that creates the mocks of one run. */
  readonly mock?: boolean | (() => boolean | Mocks);
  /** Without a token, anyone can start runs. */
  readonly token?: string | undefined;
  /** Lets operators see and change runs; without it, only requests from this machine may. */
  readonly operatorToken?: string | undefined;
  /** The address that the server listens on; decides whether requests can be trusted to come from this machine. */
  readonly host?: string;
  /** Header in which a trusted proxy names the user. */
  readonly userHeader?: string | undefined;
  /** Stores runs, so that they survive the process. Mock runs are never stored. */
  readonly store?: DurableEngine | undefined;
  /** Serve the console at `/console`; needs a store. */
  readonly console?: boolean;
  /** The origin whose browsers may call the server; `*` for any. Default: none. */
  readonly corsOrigin?: string | undefined;
  readonly limits?: Partial<Limits>;
  readonly verbose?: boolean;
  readonly debug?: boolean;
  readonly metrics?: Metrics | undefined;
  /** Receives log lines of runs. Default: discarded. */
  readonly out?: Printer;
  /** Receives errors. Default: discarded. */
  readonly err?: Printer;
  /** Runs the workflows. Default: an engine that the app creates and owns. */
  readonly engine?: Pick<Engine, 'run' | 'close'>;
  /** `false` sends everything through Express, for comparison in tests. */
  readonly direct?: boolean;
}

export interface App {
  /** For `http.createServer`, or to mount in another Express application. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void;
  /** For the `checkContinue` and `checkExpectation` events of an HTTP server. */
  readonly onContinue: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onExpectation: (request: IncomingMessage, response: ServerResponse) => void;
  /** The answer to bytes that are not an HTTP request. @param code the error code of the parser */
  readonly badRequest: (code: string | undefined) => string;
  readonly runs: Runs;
  /** Resolves when every request about runs, messages and tasks that has arrived has been answered. */
  readonly answered: () => Promise<void>;
  /** Serves these workflows from the next request on. Requests in flight keep the old ones. */
  readonly replace: (workflows: readonly Prepared[]) => void;
  /** Closes connections to services. All runs must have ended. */
  readonly close: () => Promise<void>;
}

export async function createApp(options: AppOptions): Promise<App> {
  const { single = false, env = {}, mock = false, token, operatorToken, store, direct = true, metrics } = options;
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const secrets = [token, operatorToken].filter((secret) => secret !== undefined);
  const runs = new Runs(limits.maxConcurrent);
  const { out = silent, err = silent, verbose = false, debug = false } = options;
  const log = createServerLog({ out, err, verbose, debug, secrets });
  const cors = await createCors(options.corsOrigin, options.store !== undefined);
  const isLoopback = isLoopbackHost(options.host ?? '');
  const roles = createRoles({ callerToken: token, operatorToken, isLoopback });
  const answers = { isStopping: () => runs.stopping, onAnswer: log.answered };
  const answer = createAnswer({ headers: cors.headers, ...answers });
  const engine = options.engine ?? createEngine({ env: Object.freeze({ ...env }), secrets });
  const room = new BodyRoom(limits.maxBody);
  let table = createRouteTable(options.workflows, single);
  const stored =
    store === undefined || mock !== false
      ? undefined
      : (await import('../runs-api/store-part.js')).createStorePart({
          ...{ store, engine, roles, answer, log, limits, room, userHeader: options.userHeader?.toLowerCase() },
          hasConsole: options.console === true,
          consoleAccess: { token: operatorToken ?? (isLoopback ? token : undefined), isLoopback, userHeader: options.userHeader },
          routes: () => table.routes,
          isStopping: answers.isStopping,
          operatorsAnswer: createAnswer({ headers: [], ...answers }),
        });
  const inMemory = createRunWorkflow({
    ...{ engine, log, metrics, signal: runs.signal, timeoutMs: limits.timeoutMs },
    mock: typeof mock === 'function' ? mock : () => mock,
  });
  const post = createPost({ answer, runs, log, run: stored?.run ?? inMemory, maxBody: limits.maxBody, room });
  const openApi = (served: typeof table): string => {
    const secured = token !== undefined;
    return openApiJson(served, { secured, store: stored?.document(secured) });
  };
  const routesOf = await createExpressRoutes({ answer, post, runs, log, metrics, openApi });
  let routes = routesOf(table);

  const handler = createRequestHandler({
    ...{ answer, log, cors, roles, post, handleStored: stored?.handle },
    direct: ({ path }) => (direct ? table.find(path) : undefined),
    routes: (exchange) => routes(exchange),
  });
  return {
    listener: (request, response) => handler.handle(createExchange(request, response, false)),
    onContinue: (request, response) => handler.handle(createExchange(request, response, true)),
    onExpectation: (request, response) => handler.refuseExpectation(createExchange(request, response, true)),
    badRequest: (code) => rawAnswer(badRequest(code), cors.headers),
    runs,
    answered: async () => stored?.answered(),
    replace(workflows) {
      table = createRouteTable(workflows, single);
      routes = routesOf(table);
    },
    close() {
      stored?.close();
      return engine.close();
    },
  };
}
