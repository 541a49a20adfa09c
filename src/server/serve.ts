// `wf serve`: resolves with the exit code when everything has ended. Decides the role of this process: the only one, the first
// of several, or a worker.
import path from 'node:path';
import type { Mocks } from '../../runtime/types.js';
import { oneLine } from '../../runtime/values/one-line.js';
import { type Fault, renderText, summary } from '../compiler/diagnostics/render-text.js';
import type { Io } from '../engine/io.js';
import { missingEnvironment, missingSentence } from '../engine/prepare/environment.js';
import { changingPlugins } from '../engine/prepare/load-plugin.js';
import type { Preparation, PrepareOptions } from '../engine/prepare/prepared.js';
import { printJson } from '../engine/records/print-json.js';
import { createPrinter, faultLine, type Printer } from '../engine/records/printer.js';
import type { StartSchedules } from '../engine/served-schedules-types.js';
import { createMetrics, createSum } from './metrics.js';
import { type Running, runServer } from './process/run-server.js';
import { runPrimary, runWorker } from './process/workers.js';
import { say } from './server-log.js';
import { readSettings, type ServeOptions, type Settings } from './settings.js';
import { startLines, startWarnings } from './start-lines.js';
import { type Loaded, type Reloaded, WorkflowSet, watchFolder } from './workflow-set.js';
import { reservedNames, reservedWithStore } from './workflows/route-table.js';

/** Dependencies on other parts of wf. */
export interface ServeParts {
  readonly prepare: (file: string, options: PrepareOptions) => Promise<Preparation>;
  /** Reads a file of mock answers. @throws UsageError if it can't be read */
  readonly readMocks: (file: string, cwd: string) => Mocks;
  readonly startSchedules: StartSchedules;
  /**
   * Makes signals do nothing. Called when the process is about to end, so that a late signal can't turn that into a failure.
   */
  readonly ignoreSignals: () => void;
}

/** Shared by the functions of this file. */
interface Serving {
  readonly io: Io;
  readonly settings: Settings;
  readonly set: WorkflowSet;
  readonly loaded: Loaded;
  readonly out: Printer;
  readonly err: Printer;
}

/** @throws UsageError for wrong options, a target that can't be served, or an unavailable port */
export async function serve(target: string, options: ServeOptions, io: Io, parts: ServeParts): Promise<number> {
  const settings = readSettings(options, io.env);
  if (settings.logFormat === 'json') printJson(io);
  const stop = createStop(io, parts.ignoreSignals);
  try {
    const { env, cwd } = io;
    const mock = mocksOf(settings, cwd, parts);
    const { default: cluster } = await import('node:cluster');
    const isJson = settings.logFormat === 'json';
    const out = createPrinter(await io.stream('stdout'), { jsonLevel: isJson ? 'info' : undefined });
    const err = createPrinter(await io.stream('stderr'), { jsonLevel: isJson ? 'warn' : undefined });
    const plugins = settings.watch ? changingPlugins(cwd, (sentence) => say(err, sentence)) : undefined;
    const set = new WorkflowSet(
      target,
      cwd,
      async (file) => {
        const preparation = await parts.prepare(file, { cwd, env });
        if (plugins === undefined || !preparation.ok) return preparation;
        const loadPlugin = plugins(path.dirname(path.resolve(cwd, file)));
        return { ok: true, prepared: { ...preparation.prepared, loadPlugin } };
      },
      settings.store === undefined ? reservedNames : reservedWithStore,
    );
    if (cluster.isWorker) {
      const { startSchedules } = parts;
      await runWorker({ set, settings, env, cwd, mock, out, err, startSchedules, stopped: stop.first });
      return 0;
    }
    const loaded = await set.load();
    if (!(await isServable(loaded, settings, io, err))) return 1;
    const serving: Serving = { io, settings, set, loaded, out, err };
    return await (settings.workers > 1 ? serveByWorkers(serving, cluster, stop) : serveAlone(serving, mock, parts, stop));
  } finally {
    stop.off();
  }
}

/** Mock answers may count their calls ("fail twice, then answer"), so each run gets its own. */
function mocksOf({ mock, mocks }: Settings, cwd: string, { readMocks }: ServeParts): boolean | (() => Mocks) {
  if (mocks === undefined) return mock;
  readMocks(mocks, cwd);
  return () => readMocks(mocks, cwd);
}

interface Stop {
  /** Resolves at the first signal. */
  readonly first: Promise<void>;
  readonly onEach: (callback: (count: number) => void) => void;
  /** After this, further signals no longer exit with 130. */
  readonly onDrained: () => void;
  readonly off: () => void;
}

/** Listens from the start, so that a signal during the check is not lost. */
function createStop(io: Io, ignoreSignals: () => void): Stop {
  let signals = 0;
  const callbacks: ((count: number) => void)[] = [];
  let resolve: () => void = () => undefined;
  const first = new Promise<void>((done) => {
    resolve = done;
  });
  const off = io.onStop((_signal, count) => {
    signals = count;
    resolve();
    for (const callback of callbacks) callback(count);
  });
  const onEach = (callback: (count: number) => void): void => {
    callbacks.push(callback);
    if (signals > 0) callback(signals);
  };
  const onDrained = (): void => {
    ignoreSignals();
    off();
  };
  return { first, onEach, onDrained, off };
}

/** Prints errors and warnings, and returns whether the workflows can be served. */
async function isServable(
  { errors, warnings, workflows }: Loaded,
  { strictEnv, logFormat }: Settings,
  { env, stderr, colour }: Io,
  err: Printer,
): Promise<boolean> {
  const diagnostics: readonly Fault[] = [...errors, ...warnings];
  if (logFormat === 'json') {
    for (const fault of diagnostics) err.line(fault.message, () => faultLine(fault));
    await err.flush();
  } else if (diagnostics.length > 0)
    stderr.write(`${renderText(diagnostics, { colour: colour.stderr })}\n\n${summary([...errors, ...warnings])}\n`);
  if (errors.length > 0) return false;
  const missing = strictEnv ? workflows.flatMap(({ workflow }) => missingEnvironment(workflow, env)) : [];
  if (missing.length > 0) stderr.write(`${missingSentence([...new Set(missing)].sort())}\n`);
  return missing.length === 0;
}

async function serveAlone(
  serving: Serving,
  mock: boolean | (() => Mocks),
  { startSchedules }: ServeParts,
  stop: Stop,
): Promise<number> {
  const { io, settings, loaded, out, err } = serving;
  const metrics = settings.metrics ? await createMetrics(false) : undefined;
  let endWatching = (): void => undefined;
  try {
    await runServer({
      loaded,
      settings,
      env: io.env,
      cwd: io.cwd,
      mock,
      metrics,
      out,
      err,
      stopped: stop.first,
      onDrained: stop.onDrained,
      startSchedules,
      onListening({ port, replace }: Running) {
        printStart(serving, port);
        endWatching = watch(serving, ({ workflows }) => {
          if (workflows !== undefined) replace(workflows);
        });
      },
    });
  } finally {
    endWatching();
  }
  return 0;
}

async function serveByWorkers(serving: Serving, cluster: typeof import('node:cluster').default, stop: Stop): Promise<number> {
  const { settings, out, err } = serving;
  const renderMetrics = settings.metrics ? await createSum() : undefined;
  let endWatching = (): void => undefined;
  try {
    return await runPrimary(
      {
        cluster,
        count: settings.workers,
        killsStuck: settings.store !== undefined,
        graceMs: settings.drainMs + settings.graceMs,
        err,
        renderMetrics,
        onStop: stop.onEach,
        onDrained: stop.onDrained,
        onListening: (port) => printStart(serving, port),
      },
      (supervisor) => {
        endWatching = watch(serving, ({ workflows }) => {
          if (workflows !== undefined) supervisor.broadcast({ type: 'wf:reload' });
        });
      },
    );
  } finally {
    endWatching();
    await Promise.all([out.flush(), err.flush()]);
  }
}

function printStart({ loaded, settings, io, out, err }: Serving, port: number): void {
  for (const line of startLines(loaded.workflows, loaded.single, settings, port)) out.line(line);
  for (const line of startWarnings(settings, loaded.workflows, io.env)) err.line(oneLine(line));
}

/** Reports changes. Does nothing without `--watch`. Returns a function that stops watching. */
function watch({ settings, set, loaded, io, err }: Serving, onReload: (reloaded: Reloaded) => void): () => void {
  if (!settings.watch) return () => undefined;
  const watched = new Map<string, () => void>();
  const onChange = async (): Promise<void> => {
    const reloaded = await set.reload();
    if (settings.logFormat === 'json') for (const fault of reloaded.diagnostics) err.line(fault.message, () => faultLine(fault));
    else if (reloaded.diagnostics.length > 0) err.line(`${renderText(reloaded.diagnostics, { colour: io.colour.stderr })}\n`);
    for (const sentence of reloaded.news) say(err, sentence);
    cover(reloaded.workflows ?? []);
    onReload(reloaded);
  };
  const onLost = ({ message }: Error): void => say(err, `No longer watching for changes: ${message}`);
  /** Called workflows may be in other folders. */
  const cover = (workflows: Serving['loaded']['workflows']): void => {
    const folders = workflows.flatMap(({ called = [] }) => called.map((file) => path.dirname(file.path)));
    for (const folder of [loaded.folder, ...folders])
      if (!watched.has(folder)) watched.set(folder, watchFolder(folder, onChange, onLost));
  };
  cover(loaded.workflows);
  return () => {
    for (const end of watched.values()) end();
  };
}
