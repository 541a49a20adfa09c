// `--workers`: the first process. It forks the workers, keeps them alive and passes messages on, but serves nothing itself.
import type { Cluster, Worker } from 'node:cluster';
import type { Printer } from '../../engine/records/printer.js';
import { UsageError } from '../../engine/usage-error.js';
import { say } from '../server-log.js';
import { PulseWatch, Supervisor, type WorkerOrder } from './supervisor.js';

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

export interface Rendered {
  readonly type: string;
  readonly text: string;
}

/** Messages from workers. */
export type WorkerNews =
  | { readonly type: 'wf:failed'; readonly message: string; readonly hint: string | undefined; readonly mayPass: boolean }
  /** The worker is stopping and has no run left. */
  | { readonly type: 'wf:drained' }
  /** The worker is alive. */
  | { readonly type: 'wf:alive' }
  | { readonly type: 'wf:metrics'; readonly id: number };

/** The reply to a worker that asked for metrics. */
export interface MetricsReply {
  readonly type: 'wf:metrics';
  readonly id: number;
  readonly rendered?: Rendered | undefined;
  readonly problem?: string;
}

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
