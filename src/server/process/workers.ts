// `--workers`: the first process forks the others, keeps them alive and passes messages on, but serves nothing itself. The others check the
// files again, which are cached by then, and reload and stop when the first one says so.
import type { Cluster, Worker } from 'node:cluster';
import type { Environment, Mocks } from '../../../runtime/types.js';
import type { Printer } from '../../engine/records/printer.js';
import type { StartSchedules } from '../../engine/served-schedules-types.js';
import { UsageError } from '../../engine/usage-error.js';
import { createMetrics, type MetricsReply, type Rendered, summed } from '../metrics.js';
import { say } from '../server-log.js';
import type { Settings } from '../settings.js';
import type { Reloaded, WorkflowSet } from '../workflow-set.js';
import { type Running, runServer } from './run-server.js';
import { PULSE_MS, PulseWatch, Supervisor, type WorkerOrder } from './supervisor.js';

interface PrimaryOptions {
  readonly cluster: Cluster;
  readonly count: number;
  /** Milliseconds that runs get to finish once the server stops. */
  readonly graceMs: number;
  readonly err: Printer;
  /** Kills a worker that has been unresponsive for ten seconds. A store keeps its runs, and another worker continues them. */
  readonly killsStuck: boolean;
  /** Called once, when the first worker listens. */
  readonly onListening: (port: number) => void;
  /** Renders the sum of all workers' metrics for a worker that asks. */
  readonly renderMetrics: (() => Promise<Rendered>) | undefined;
  /** Calls back at each signal with a count that starts at 1. */
  readonly onStop: (callback: (count: number) => void) => void;
  /** Called once the server is stopping and no worker has a run left. */
  readonly onDrained: () => void;
}

/** Messages from workers. */
type WorkerNews =
  | { readonly type: 'wf:failed'; readonly message: string; readonly hint: string | undefined; readonly mayPass: boolean }
  /** The worker is stopping and has no run left. */
  | { readonly type: 'wf:drained' }
  /** The worker is alive. */
  | { readonly type: 'wf:alive' }
  | { readonly type: 'wf:metrics'; readonly id: number };

/** Milliseconds after the grace time until an unresponsive worker is killed. */
const BACKSTOP_MS = 10_000;
/** After this many deaths before any worker listened, give up. */
const MOST_FALSE_STARTS = 5;

/**
 * Resolves with the exit code when all workers have ended.
 * @throws UsageError if the first worker could not listen
 */
export async function runPrimary(options: PrimaryOptions, onStarted: (supervisor: Supervisor) => void): Promise<number> {
  const { cluster, count, graceMs, err, killsStuck, onListening, onStop } = options;
  const pulse = killsStuck ? new PulseWatch() : undefined;
  let listening = false;
  let falseStarts = 0;
  let drained = 0;
  let failure: UsageError | undefined;
  let backstop: NodeJS.Timeout | undefined;

  const supervisor = new Supervisor({
    count,
    fork(onExit) {
      const worker = cluster.fork();
      pulse?.watch(worker, () => killStuck(worker, err));
      worker.on('exit', (code, signal) => {
        pulse?.forget(worker);
        onExit(signal ?? `exit code ${code}`);
      });
      worker.on('message', (news: WorkerNews) => receive(worker, news));
      worker.on('error', () => undefined);
      worker.once('listening', ({ port }) => {
        if (listening) return;
        listening = true;
        onListening(port);
      });
      return { send: (order) => sendTo(worker, order), kill: () => worker.process.kill('SIGKILL') };
    },
    onDeath(how, waitMs) {
      say(err, `A worker ended unexpectedly (${how}). Starting another ${waitMs === 0 ? 'now' : `in ${waitMs / 1000} seconds`}.`);
      if (listening || ++falseStarts < MOST_FALSE_STARTS) return;
      say(err, 'No worker could start.');
      supervisor.kill();
    },
  });

  const receive = (worker: Worker, news: WorkerNews): void => {
    if (news.type === 'wf:alive') pulse?.beat(worker);
    if (news.type === 'wf:metrics') void answerMetrics(worker, news.id, options.renderMetrics);
    if (news.type === 'wf:drained' && ++drained === count) options.onDrained();
    if (news.type !== 'wf:failed') return;
    if (listening) {
      say(err, `A worker could not start: ${news.message}`);
      return;
    }
    failure ??= new UsageError(news.message, news.hint, news.mayPass);
    supervisor.kill();
  };

  onStop((signals) => {
    if (signals > 1) {
      supervisor.kill();
      return;
    }
    supervisor.stop();
    backstop = setTimeout(() => supervisor.kill(), graceMs + BACKSTOP_MS);
  });
  supervisor.start();
  onStarted(supervisor);
  await supervisor.ended;
  pulse?.stop();
  clearTimeout(backstop);
  if (failure !== undefined) throw failure;
  return listening ? 0 : 1;
}

function killStuck(worker: Worker, err: Printer): void {
  say(err, `Worker ${worker.process.pid} is unresponsive. Restarting it; other workers resume its runs.`);
  worker.process.kill('SIGKILL');
}

/** Sends a message, unless the worker has just died. */
function sendTo(worker: Worker, message: WorkerOrder | MetricsReply): void {
  if (worker.isConnected()) worker.process.send?.(message, undefined, undefined, () => undefined);
}

async function answerMetrics(worker: Worker, id: number, render: PrimaryOptions['renderMetrics']): Promise<void> {
  try {
    const rendered = await render?.();
    sendTo(worker, { type: 'wf:metrics', id, rendered });
  } catch (error) {
    sendTo(worker, { type: 'wf:metrics', id, problem: error instanceof Error ? error.message : String(error) });
  }
}

interface WorkerOptions {
  readonly set: WorkflowSet;
  readonly settings: Settings;
  readonly env: Environment;
  readonly cwd: string;
  readonly mock: boolean | (() => boolean | Mocks);
  readonly startSchedules: StartSchedules;
  readonly out: Printer;
  readonly err: Printer;
  /** Resolves at a signal to this process: Ctrl+C reaches every process of a terminal. */
  readonly stopped: Promise<void>;
}

/** Resolves when it was told to stop and everything has ended. If it can't start, it tells the first process why. */
export async function runWorker({ set, settings, stopped, ...rest }: WorkerOptions): Promise<void> {
  let running: Running | undefined;
  let replaced: Reloaded['workflows'];
  let pulse: NodeJS.Timeout | undefined;
  let stop: () => void = () => undefined;
  const ordered = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const receive = async (order: WorkerOrder): Promise<void> => {
    if (order.type === 'wf:stop') stop();
    if (order.type !== 'wf:reload') return;
    const { workflows } = await set.reload();
    if (workflows === undefined) return;
    replaced = workflows;
    running?.replace(workflows);
  };
  process.on('message', receive);
  try {
    const loaded = await set.load();
    // A file may have become invalid since the start. With --watch, the others are served anyway.
    const [error] = loaded.errors;
    if (error !== undefined && !settings.watch) throw new UsageError(`${error.file}, line ${error.line}: ${error.message}`);
    if (settings.store !== undefined) {
      // Before the store is opened: a run that continues there can freeze this worker in its first moment.
      await notifyPrimary({ type: 'wf:alive' });
      pulse = setInterval(() => void notifyPrimary({ type: 'wf:alive' }), PULSE_MS).unref();
    }
    const metrics = settings.metrics ? await summed(await createMetrics(true)) : undefined;
    await runServer({
      loaded,
      settings,
      metrics,
      ...rest,
      stopped: Promise.race([stopped, ordered]),
      onListening(server) {
        running = server;
        // They changed while this worker was starting.
        if (replaced !== undefined) server.replace(replaced);
      },
      onDrained: () => notifyPrimary({ type: 'wf:drained' }),
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    await notifyPrimary({ type: 'wf:failed', message: error.message, hint: error.hint, mayPass: error.mayPass });
  } finally {
    clearInterval(pulse);
    process.off('message', receive);
    // The channel to the first process would keep this one alive.
    process.disconnect?.();
  }
}

/** Resolves when the message is on its way. Does nothing if the first process is gone. */
const notifyPrimary = (news: WorkerNews): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve();
    else process.send(news, undefined, undefined, () => resolve());
  });
