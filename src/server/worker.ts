// `--workers`: one of the processes that serve. It checks the files again (they are in the cache by now), and the first process tells it when to
// look at them anew and when to stop.
import type { Mocks } from '../../runtime/types.js';
import type { Printer } from '../engine/printer.js';
import { UsageError } from '../engine/usage-error.js';
import { createMetrics } from './metrics.js';
import type { WorkerNews } from './primary.js';
import { type Running, runServer } from './run-server.js';
import type { Settings } from './settings.js';
import type { WorkerOrder } from './supervisor.js';
import type { WorkflowSet } from './workflow-set.js';

export interface WorkerOptions {
  readonly set: WorkflowSet;
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly mock: boolean | (() => boolean | Mocks);
  readonly out: Printer;
  readonly err: Printer;
  /** A signal of its own: Ctrl+C reaches every process of a terminal. */
  readonly stopped: Promise<void>;
}

/** Resolves when it has been told to stop and everything has ended; the first process hears why it could not start. */
export async function runWorker({ set, settings, stopped, ...rest }: WorkerOptions): Promise<void> {
  let running: Running | undefined;
  let stop: () => void = () => undefined;
  const ordered = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const hear = async (order: WorkerOrder): Promise<void> => {
    if (order.type === 'wf:stop') stop();
    if (order.type !== 'wf:reload') return;
    const { workflows } = await set.reload();
    if (workflows !== undefined) running?.replace(workflows);
  };
  process.on('message', hear);
  try {
    const loaded = await set.load();
    // A file may have got errors since the start; while they are watched, the others go on being served.
    const [error] = loaded.errors;
    if (error !== undefined && !settings.watch) throw new UsageError(`${error.file}, line ${error.line}: ${error.message}`);
    const metrics = settings.metrics ? await (await import('./cluster-metrics.js')).summed(await createMetrics(true)) : undefined;
    await runServer({
      ...{ loaded, settings, metrics, ...rest, stopped: Promise.race([stopped, ordered]) },
      onListening(server) {
        running = server;
      },
      onDrained: () => tell({ type: 'wf:drained' }),
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    await tell({ type: 'wf:failed', message: error.message, hint: error.hint });
  } finally {
    process.off('message', hear);
    // The channel to the first process would keep this one alive.
    process.disconnect?.();
  }
}

/** Resolves when it has left; a first process that is gone cannot be told anything. */
const tell = (news: WorkerNews): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve();
    else process.send(news, undefined, undefined, () => resolve());
  });
