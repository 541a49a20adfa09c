// The HTTP application, for the library and for `wf serve`: prepared workflows and settings in, a request listener out. One Express
// application answers everything; in front of it, the fast path answers a POST to a workflow.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Environment, Mocks } from '../../../runtime/types.js';
import { createForeignPageTest, type ForeignPageTest, isLoopbackHost } from '../../access/foreign-pages.js';
import type { Oidc } from '../../access/oidc.js';
import { createRateLimiter, createWrongTokens, type RateLimit, type WrongTokens } from '../../access/rate-limit.js';
import { createRoles, type Roles } from '../../access/roles.js';
import type { NamedTokens } from '../../access/token-file.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import { createEngine, type Engine } from '../../engine/engine.js';
import type { Prepared } from '../../engine/prepare/prepared.js';
import { type Printer, silent } from '../../engine/records/printer.js';
import type { RunRecord } from '../../engine/records/run-record.js';
import type { Metrics } from '../metrics.js';
import { openApiJson } from '../openapi/openapi.js';
import type { StorePart } from '../runs-api/store-part.js';
import { createServerLog, type ServerLog } from '../server-log.js';
import { defaultLimits, type Limits } from '../settings.js';
import { createSignedRoutes } from '../webhooks/signed-routes.js';
import { createPost, createReceived, createRunWorkflow, type WorkflowPost } from '../workflows/post.js';
import { createRouteTable, type RouteTable } from '../workflows/route-table.js';
import { Runs } from '../workflows/runs.js';
import { createWorkflowRouters, isHealth } from '../workflows/workflow-router.js';
import { type Answer, createAnswer, rawAnswer } from './answer.js';
import { type Arrival, routedPath } from './exchange.js';
import { createFastPath } from './fast-path.js';
import {
  answerPreflight,
  type Check,
  checkCaller,
  checkForm,
  checkRate,
  corsHeaders,
  createCors,
  createFault,
  type Handler,
  identify,
  isPreflight,
  onError,
  refusing,
} from './middleware.js';
import { createPublicAddress, type PublicAddress } from './public-address.js';
import { BodyRoom } from './read-body.js';
import { badRequest } from './refusal.js';

export interface AppOptions {
  readonly workflows: readonly Prepared[];
  /** Serve one workflow at `/` instead of each at `/<basename>`. */
  readonly single?: boolean;
  /** Variables that workflows see as `env`. Default: none. */
  readonly env?: Environment;
  /** `true`, or a function that creates the mocks of one run. */
  readonly mock?: boolean | (() => boolean | Mocks);
  /** Without a token, anyone can start runs. */
  readonly token?: string | undefined;
  /** Lets operators see and change runs; without it, only requests from this machine may. */
  readonly operatorToken?: string | undefined;
  /** More tokens, with names and roles. */
  readonly tokens?: NamedTokens | undefined;
  /** The address that the server listens on; decides whether requests can be trusted to come from this machine. */
  readonly host?: string;
  /** The address that people, programs and webhook providers know, without a trailing slash. */
  readonly publicUrl?: string | undefined;
  /** Signs people in to the console, and to questions. */
  readonly oidc?: Oidc | undefined;
  /** Header in which a trusted proxy names the user. */
  readonly userHeader?: string | undefined;
  /** Stores runs, so that they survive the process. Mock runs are never stored. */
  readonly store?: DurableEngine | undefined;
  /** Serve the console at `/console`; needs a store. */
  readonly console?: boolean;
  /** The process also starts workflows at their due times. The console shows it. */
  readonly schedules?: boolean;
  /** Origins whose pages may start runs although there is no token; `*` for all. Default: none but `corsOrigin`. */
  readonly allowedOrigins?: readonly string[];
  /** The origin whose browsers may call the server; `*` for any. Default: none. */
  readonly corsOrigin?: string | undefined;
  readonly limits?: Partial<Limits>;
  /** Requests of one sender, by token or else by address. Default: no limit. */
  readonly rateLimit?: RateLimit | undefined;
  /** Proxies in front of the server whose `X-Forwarded-…` headers count. Default: none. */
  readonly trustProxy?: number;
  readonly verbose?: boolean;
  readonly debug?: boolean;
  readonly metrics?: Metrics | undefined;
  /** Receives each run that is not in a store at its end, with its log, before its request is answered. */
  readonly onRunEnd?: ((record: RunRecord) => Promise<void>) | undefined;
  /** Receives log lines of runs. Default: discarded. */
  readonly out?: Printer;
  /** Receives errors. Default: discarded. */
  readonly err?: Printer;
  /** Runs the workflows. Default: an engine that the app creates and owns. */
  readonly engine?: Pick<Engine, 'run' | 'close'>;
  /** Slows down guessing. Default: by address. */
  readonly wrongTokens?: WrongTokens;
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
  const { single = false, env = {}, token, operatorToken, corsOrigin, verbose = false, debug = false } = options;
  const secrets = [token, operatorToken].filter((secret) => secret !== undefined);
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const runs = new Runs(limits.maxConcurrent);
  const { publicUrl, trustProxy = 0 } = options;
  const address = createPublicAddress({ publicUrl, trustProxy });
  const roles = createRoles({
    callerToken: token,
    operatorToken,
    hasSignIn: options.oidc !== undefined,
    tokens: options.tokens,
    isLoopback: isLoopbackHost(options.host ?? ''),
  });
  const callerOf = options.tokens === undefined ? undefined : (request: IncomingMessage) => roles.of(request).name;
  const isSealed = options.store !== undefined && Boolean(env.WF_STORE_KEY);
  const [out, err] = [options.out ?? silent, options.err ?? silent];
  const log = createServerLog({ out, err, verbose, debug, secrets, isSealed, callerOf });
  const engine = options.engine ?? createEngine({ env: Object.freeze({ ...env }), secrets });
  const served: Served = { table: createRouteTable(options.workflows, single) };
  const wrongTokens = options.wrongTokens ?? createWrongTokens({ trustProxy });
  runs.onStop(wrongTokens.release);
  const parts: AppParts = {
    options,
    limits,
    runs,
    log,
    engine,
    served,
    address,
    wrongTokens,
    room: new BodyRoom(limits.maxBody),
    answer: createAnswer({ address, wrongTokens, isStopping: () => runs.stopping, onAnswer: log.answered }),
    isLoopback: isLoopbackHost(options.host ?? ''),
    roles,
    isForeignPage: foreignPageTestOf(options),
  };
  const stored = await createStored(parts);
  const { handle, replace } = await createHandler(parts, stored);
  return {
    listener: (request, response) => handle(request, response, false),
    onContinue: (request, response) => handle(request, response, true),
    onExpectation: (request, response) => handle(request, response, true),
    badRequest: (code) => rawAnswer(badRequest(code), corsHeaders(corsOrigin, options.store !== undefined)),
    runs,
    answered: async () => stored?.answered(),
    replace(workflows) {
      served.table = createRouteTable(workflows, single);
      replace();
    },
    close() {
      stored?.close();
      return engine.close();
    },
  };
}

const foreignPageTestOf = ({
  token,
  tokens,
  host = '',
  publicUrl,
  trustProxy = 0,
  allowedOrigins = [],
  corsOrigin,
}: AppOptions) =>
  createForeignPageTest({
    needsToken: token !== undefined || tokens !== undefined,
    isLoopback: isLoopbackHost(host),
    publicUrl,
    trustProxy,
    allowed: [...allowedOrigins, ...(corsOrigin === undefined ? [] : [corsOrigin])],
  });

/** Changes when files change. */
interface Served {
  table: RouteTable;
}

/** Shared by the parts of an app. */
interface AppParts {
  readonly options: AppOptions;
  readonly limits: Limits;
  readonly runs: Runs;
  readonly log: ServerLog;
  readonly engine: Pick<Engine, 'run' | 'close'>;
  readonly served: Served;
  readonly room: BodyRoom;
  readonly address: PublicAddress;
  readonly wrongTokens: WrongTokens;
  readonly answer: Answer;
  readonly isLoopback: boolean;
  readonly roles: Roles;
  readonly isForeignPage: ForeignPageTest;
}

/** Mock runs are never stored. */
async function createStored({ options, served, isLoopback, runs, ...parts }: AppParts): Promise<StorePart | undefined> {
  const { store, mock = false, userHeader, token, tokens, operatorToken, oidc } = options;
  if (store === undefined || mock !== false) return undefined;
  return (await import('../runs-api/store-part.js')).createStorePart({
    store,
    ...parts,
    userHeader: userHeader?.toLowerCase(),
    isStopping: () => runs.stopping,
    hasConsole: options.console === true,
    runsSchedules: options.schedules === true,
    consoleAccess: {
      token: operatorToken ?? (isLoopback && tokens === undefined && oidc === undefined ? token : undefined),
      tokens,
      oidc,
      isLoopback,
      userHeader,
    },
    routes: () => served.table.routes,
  });
}

function createWorkflowPost(
  { options, engine, log, runs, limits, address, answer, room, roles }: AppParts,
  stored: StorePart | undefined,
): WorkflowPost {
  const { mock = false, metrics } = options;
  const inMemory = createRunWorkflow({
    engine,
    log,
    metrics,
    signal: runs.signal,
    timeoutMs: limits.timeoutMs,
    mock: typeof mock === 'function' ? mock : () => mock,
    onRunEnd: options.onRunEnd,
    received: createReceived(roles),
  });
  const signed = createSignedRoutes(options.env ?? {}, address);
  return createPost({
    answer,
    runs,
    log,
    run: stored?.run ?? inMemory,
    maxBody: limits.maxBody,
    room,
    signed,
    metrics,
    canWait: stored !== undefined,
    onTakenUp: stored === undefined ? undefined : options.store?.onTakenUp,
  });
}

/** Probes and preflights don't count. */
function createRateCheck({ options: { rateLimit, trustProxy = 0, metrics }, roles }: AppParts): Check {
  if (rateLimit === undefined) return () => undefined;
  const check = checkRate(rateLimit, createRateLimiter({ limit: rateLimit, trustProxy, roles }));
  return (exchange) => {
    const refusal = isHealth(exchange) || isPreflight(exchange.request) ? undefined : check(exchange);
    if (refusal !== undefined) metrics?.refused('rate');
    return refusal;
  };
}

interface RequestHandler {
  readonly handle: (request: IncomingMessage, response: ServerResponse, mustContinue: boolean) => void;
  /** Serves the current table from the next request on. */
  readonly replace: () => void;
}

/** The Express application, with the fast path in front of it. */
async function createHandler(parts: AppParts, stored: StorePart | undefined): Promise<RequestHandler> {
  const { options, address, answer, log, roles, runs, served } = parts;
  const { store, corsOrigin, metrics, publicUrl, direct = true } = options;
  const { default: express } = await import('express');
  const fault = createFault(answer, log);
  const post = createWorkflowPost(parts, stored);
  const isForOperators = stored?.isForOperators ?? (() => false);
  const setCors =
    corsOrigin === undefined
      ? undefined
      : await createCors({ origin: corsOrigin, hasStore: store !== undefined, isForOperators });
  const routerOf = await createWorkflowRouters({
    answer,
    post,
    metrics,
    health: () => (runs.stopping ? 'stopping' : stored === undefined || store?.health().ok === true ? 'ok' : 'store unavailable'),
    isDraining: () => runs.draining,
    serverUrl: (request) => publicUrl ?? (address.prefixOf(request) || '/'),
    openApi: (table, url) => openApiJson(table, { url, secured: roles.isClosed, store: stored?.document(roles.isClosed) }),
  });
  let workflows = routerOf(served.table);
  const needsToken = checkCaller(roles, parts.isForeignPage, (path) => served.table.find(path)?.prepared.basename);
  /** A signature, which is checked with the body, takes the place of a token. */
  const checkAccess: Check = (exchange) => {
    const route = served.table.find(exchange.path);
    if (route === undefined || !post.signed.isSigned(route)) return needsToken(exchange);
    if (exchange.request.method === 'POST' || post.signed.subscription(exchange, route) !== undefined) return undefined;
    return needsToken(exchange);
  };
  const arrivals = new WeakMap<IncomingMessage, Arrival>();

  const app = express();
  app.disable('x-powered-by');
  app.use(identify((request) => arrivals.get(request) ?? { target: request.url ?? '/', mustContinue: false }));
  if (setCors !== undefined) app.use(((_request, { locals }, next) => setCors(locals.exchange, next)) satisfies Handler);
  app.use(refusing(answer, checkForm));
  const checkRates = createRateCheck(parts);
  app.use(refusing(answer, checkRates));
  for (const router of stored?.routers ?? []) app.use(router);
  app.use(answerPreflight(answer));
  app.use(refusing(answer, (exchange) => (isHealth(exchange) ? undefined : checkAccess(exchange))));
  app.use((request, response, next) => workflows(request, response, next));
  app.use(onError(fault));

  const checks = [checkForm, checkRates, checkAccess, post.limit];
  const fastPath = createFastPath({ answer, post, fault, setCors, checks, find: (path) => served.table.find(path) });
  return {
    handle(request, response, mustContinue) {
      const arrival = { target: request.url ?? '/', mustContinue };
      if (direct && fastPath(request, response, arrival)) return;
      arrivals.set(request, arrival);
      request.url = routedPath(arrival.target);
      app(request, response);
    },
    replace() {
      workflows = routerOf(served.table);
    },
  };
}
