// Runs one serving process, alone or as one of several workers: opens its store, listens, and stops when told to.
import type { Server } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { counted } from '../../../runtime/texts/words.js';
import type { Environment, Mocks } from '../../../runtime/types.js';
import type { Oidc } from '../../access/oidc.js';
import { type NamedTokens, openTokenFile } from '../../access/token-file.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import { limitRunMemory } from '../../engine/memory-watch.js';
import type { Prepared } from '../../engine/prepare/prepared.js';
import type { Printer } from '../../engine/records/printer.js';
import { createRunReports, type RunReports } from '../../engine/records/run-reports.js';
import type { StartSchedules } from '../../engine/served-schedules-types.js';
import { startTracing } from '../../engine/tracing.js';
import { type App, type AppOptions, createApp } from '../app/create-app.js';
import type { Metrics } from '../metrics.js';
import { createServerLog, originOfRun, say } from '../server-log.js';
import type { Settings } from '../settings.js';
import { ownAddress } from '../start-lines.js';
import type { Loaded } from '../workflow-set.js';
import { runLimit } from '../workflows/post.js';
import { createHttpServer, listen } from './http-server.js';

interface RunServerOptions {
  readonly loaded: Loaded;
  readonly settings: Settings;
  readonly env: Environment;
  readonly cwd: string;
  readonly mock: boolean | (() => boolean | Mocks);
  readonly metrics: Metrics | undefined;
  readonly out: Printer;
  readonly err: Printer;
  /** Runs workflows at their due times; only used with `--schedules`. */
  readonly startSchedules?: StartSchedules | undefined;
  readonly onListening: (running: Running) => void;
  /** Resolves when the server is to stop. */
  readonly stopped: Promise<void>;
  /** Called once the server is stopping and no run is left. */
  readonly onDrained: () => void;
}

export interface Running {
  readonly port: number;
  readonly replace: (workflows: readonly Prepared[]) => void;
}

/** @throws UsageError if the port is not available */
export async function runServer(options: RunServerOptions): Promise<void> {
  const { settings, env, err } = options;
  const onProblem = (sentence: string): void => say(err, sentence);
  const stopTracing = await startTracing({ env, isAsked: settings.otel, onProblem });
  limitRunMemory(settings.maxRunMemory);
  let reports: RunReports | undefined;
  try {
    reports = await createRunReports({ ...reportsOf(options), onProblem });
    await serveUntilStopped(options, reports);
  } finally {
    await reports?.close();
    await stopTracing();
  }
}

type ReportsOptions = Parameters<typeof createRunReports>[0];

/** Where logs and alerts of this server go, and where an alert links to. */
function reportsOf({ settings, env, cwd, mock }: RunServerOptions): Omit<ReportsOptions, 'onProblem'> {
  const { outputLog, alert, publicUrl, port, store } = settings;
  const base = publicUrl ?? ownAddress(settings, port);
  const page = settings.console ? 'console/runs' : 'runs';
  // Only a store has pages of runs.
  const linkOf = (run: string): string | undefined =>
    store === undefined || mock !== false ? undefined : `${base}/${page}/${run}`;
  const linkOfWorkflow = (name: string): string | undefined =>
    settings.console ? `${base}/console/workflows/${encodeURIComponent(name)}` : undefined;
  return { outputLog, alert, linkOf, linkOfWorkflow, env, cwd };
}

async function serveUntilStopped(options: RunServerOptions, reports: RunReports | undefined): Promise<void> {
  const { loaded, settings, out, err } = options;
  let workflows = loaded.workflows;
  let store: DurableEngine | undefined;
  /** Every process over the store notices. Nothing says who wrote the file. */
  const onTokens = (about: string): void =>
    void store?.changes.recordOnce({ action: 'token', by: { way: 'command line' }, about }).catch(() => undefined);
  const tokens = openTokens(options, onTokens, () => workflows.map(({ basename }) => basename));
  const oidc = await openOidc(options);
  store = await openServedStore(options, reports, (name) => workflows.find(({ basename }) => basename === name));
  if (store !== undefined) options.metrics?.watchStore(store);
  const app = await createApp({ ...appOptions(options, store, tokens, reports), oidc });
  // Runs of this process expect the store to be working.
  const { gated, ready } = store === undefined ? { gated: app, ready: () => undefined } : holdRequests(app);
  const server = createHttpServer(gated);
  let schedules: Schedules | undefined;
  try {
    const port = await listen(server, settings.port, settings.host);
    // Not before it is certain that this process can serve: one whose port is taken must not touch the runs of others.
    await store?.serve();
    ready();
    // Too many open files, for example: this connection fails, but the server keeps running.
    server.on('error', (error) => say(err, `A connection could not be accepted: ${error.message}`));
    if (settings.schedules) schedules = await startSchedules(options, workflows, store, reports);
    options.onListening({
      port,
      replace(replaced) {
        workflows = replaced;
        app.replace(replaced);
        schedules?.replace(replaced);
      },
    });
    void oidc?.check();
    // With a store, the space of two threads would no longer fit into the cache of the processor, which takes longer than the collections.
    if (store === undefined) await growNewSpaceAtOnce();
    await options.stopped;
    if (settings.drainMs > 0) {
      say(err, `Stopping in ${counted(settings.drainMs / 1000, 'second')}. Until then, requests are served.`);
      app.runs.drain();
      await pause(settings.drainMs);
    }
    if (app.runs.inFlight > 0) say(err, stopLine(app.runs.inFlight, settings.graceMs, store !== undefined));
    const stopped = schedules?.stop();
    const { aborted } = await closeServer(server, app, settings.graceMs, options.onDrained, store);
    await stopped;
    if (aborted > 0) say(err, `Runs aborted: ${aborted}`);
  } finally {
    await schedules?.stop();
    await store?.close(0);
    await app.close();
    tokens?.close();
    await Promise.all([out.flush(), err.flush()]);
  }
}

function appOptions(
  { loaded, settings, env, mock, metrics, out, err }: RunServerOptions,
  store: DurableEngine | undefined,
  tokens: NamedTokens | undefined,
  reports: RunReports | undefined,
): AppOptions {
  const { token, operatorToken, corsOrigin, allowedOrigins, limits, verbose, rateLimit, trustProxy } = settings;
  return {
    workflows: loaded.workflows,
    single: loaded.single,
    env,
    mock,
    metrics,
    out,
    err,
    store,
    token,
    operatorToken,
    tokens,
    corsOrigin,
    allowedOrigins,
    limits,
    verbose,
    rateLimit,
    trustProxy,
    host: settings.host,
    userHeader: settings.userHeader,
    publicUrl: settings.publicUrl,
    onRunEnd: reports?.ended,
    console: settings.console,
    schedules: settings.schedules,
    debug: env.WF_DEBUG === '1',
  };
}

/** The file of `--tokens`. @throws UsageError if it can't be read */
function openTokens(
  { settings: { tokens: shown }, cwd, err }: RunServerOptions,
  onChange: (changes: string) => void,
  served: () => readonly string[],
): NamedTokens | undefined {
  if (shown === undefined) return undefined;
  const onNews = (sentence: string): void => say(err, sentence);
  return openTokenFile({ file: path.resolve(cwd, shown), shown, onNews, onChange, served });
}

/** Loaded only with `--oidc`. @throws UsageError if the file with the roles can't be read */
async function openOidc({ settings: { oidc, store }, cwd, mock, err }: RunServerOptions): Promise<Oidc | undefined> {
  // Mock runs have no console.
  if (oidc === undefined || store === undefined || mock !== false) return undefined;
  const { createOidc, readOidcRolesFile } = await import('../../access/oidc.js');
  const rolesOf = readOidcRolesFile(path.resolve(cwd, oidc.roles), oidc.roles);
  return createOidc({ ...oidc, rolesOf, onNews: (sentence) => say(err, sentence) });
}

const stopLine = (inFlight: number, graceMs: number, hasStore: boolean): string =>
  graceMs === 0
    ? `Stopping. Aborting runs in progress: ${inFlight}`
    : `Stopping. Runs in progress: ${inFlight}. They have up to ${counted(graceMs / 1000, 'second')} to finish${hasStore ? ' their calls; the store keeps the rest' : ''}. Send another signal to end them immediately.`;

type Schedules = Awaited<ReturnType<StartSchedules>>;

async function startSchedules(
  { startSchedules: start, settings, env, cwd, mock, metrics, out, err }: RunServerOptions,
  workflows: readonly Prepared[],
  store: DurableEngine | undefined,
  reports: RunReports | undefined,
): Promise<Schedules | undefined> {
  return start?.({
    workflows,
    store,
    env,
    cwd,
    graceMs: settings.graceMs,
    catchUp: settings.catchUp,
    mock: typeof mock === 'function' ? mock : () => mock,
    observer: metrics,
    scheduleObserver: metrics,
    onRunEnd: reports?.ended,
    limitOf: (workflowMs) => runLimit(workflowMs, settings.limits.timeoutMs),
    secrets: tokensOf(settings),
    onLate: reports?.late,
    out: (line) => say(out, line),
    err: (line) => say(err, line),
  });
}

const tokensOf = ({ token, operatorToken, oidc }: Settings): string[] =>
  [token, operatorToken, oidc?.clientSecret].filter((secret) => secret !== undefined);

/** @param current the workflow now served under this name, for runs that are restarted with its current text */
async function openServedStore(
  { settings, env, cwd, mock, metrics, out, err }: RunServerOptions,
  reports: RunReports | undefined,
  current: (name: string) => Prepared | undefined,
): Promise<DurableEngine | undefined> {
  // Mock runs are never stored.
  if (settings.store === undefined || mock !== false) return undefined;
  const { openStore } = await import('../../durable/open-store.js');
  const secrets = tokensOf(settings);
  const log = createServerLog({
    out,
    err,
    verbose: settings.verbose,
    debug: false,
    secrets,
    isSealed: Boolean(env.WF_STORE_KEY),
  });
  const store: DurableEngine = await openStore(settings.store, {
    env,
    cwd,
    current,
    observer: metrics,
    keepMs: settings.keepMs,
    keepMessagesMs: settings.keepMessagesMs,
    publicUrl: settings.publicUrl ?? ownAddress(settings, settings.port),
    secrets,
    limitOf: (workflowMs) => runLimit(workflowMs, settings.limits.timeoutMs),
    onLog(run, entry, workflow) {
      if (entry.type === 'log') log.logged(originOfRun(workflow, run), entry);
    },
    onError: (failure) => log.failed(originOfRun(failure.workflow, failure.run), failure, failure.file),
    onProblem: (sentence) => say(err, sentence),
    ...(reports === undefined ? {} : { onLeft: (left) => reports.left(left, store) }),
  });
  return store;
}

type Listeners = Pick<App, 'listener' | 'onContinue' | 'onExpectation'>;

interface HeldRequests<T> {
  readonly gated: T;
  /** Forwards what has arrived, in order, and everything after it immediately. */
  readonly ready: () => void;
}

export function holdRequests<T extends Listeners>(app: T): HeldRequests<T> {
  let held: (() => void)[] | undefined = [];
  const gate =
    (listener: App['listener']): App['listener'] =>
    (request, response) => {
      if (held === undefined) listener(request, response);
      else held.push(() => listener(request, response));
    };
  return {
    gated: { ...app, listener: gate(app.listener), onContinue: gate(app.onContinue), onExpectation: gate(app.onExpectation) },
    ready() {
      const waiting = held ?? [];
      held = undefined;
      for (const pass of waiting) pass();
    },
  };
}

/** The part of memory in which V8 creates objects grows from its initial size to its maximum, 1 and 16 MB by default. */
const GROWTH_FACTOR = 16;

/**
 * Lets V8 enlarge it to its maximum in one step, the next time that it does. By default V8 doubles it, and only when enough objects have
 * survived collections; requests leave so few that a busy server would be collected four times as often for minutes. Before a server is
 * ready, this would only make it larger.
 */
async function growNewSpaceAtOnce(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString(`--semi-space-growth-factor=${GROWTH_FACTOR}`);
}

/** Milliseconds for aborted runs to end and for clients to read their answers. */
const LINGER_MS = 1000;
const POLL_MS = 20;

interface Closed {
  /** Number of runs that were aborted. */
  readonly aborted: number;
}

/**
 * Nothing new starts after this call. Further requests, including `GET /health`, get a 503, which tells load balancers to go
 * elsewhere. The port is released after the last run or the grace time. Resolves when all connections are closed.
 * @param onDrained called when the last run has ended, in the same turn as its answer
 * @param store the store of the server's runs, which is closed
 */
export async function closeServer(
  server: Server,
  app: App,
  graceMs: number,
  onDrained = (): void => undefined,
  store?: Pick<DurableEngine, 'close'>,
): Promise<Closed> {
  app.runs.stop();
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), POLL_MS);
  try {
    let aborted = 0;
    // Runs of a store are released rather than aborted: another process, or the next one here, continues them.
    // Their callers get the address of the run, and senders of messages and answers an answer, so the store must still answer.
    await store?.close(graceMs, async () => void (await within(Promise.all([app.runs.drained(), app.answered()]), LINGER_MS)));
    const drained = app.runs.drained().then(() => true);
    if ((await within(drained, store === undefined ? graceMs : LINGER_MS)) === undefined) {
      aborted = app.runs.inFlight;
      app.runs.abort('the server stopped before the run had ended');
      await within(drained, LINGER_MS);
    }
    onDrained();
    const closed = new Promise<true>((resolve) => server.close(() => resolve(true)));
    if ((await within(closed, LINGER_MS)) === undefined) {
      server.closeAllConnections();
      await closed;
    }
    return { aborted };
  } finally {
    clearInterval(idle);
  }
}

/** The result of the promise, or `undefined` after `ms` milliseconds. */
function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, undefined);
    promise.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
