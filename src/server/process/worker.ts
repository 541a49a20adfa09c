// `--workers`: one of the serving processes. It checks the files again, which are cached by now, and reloads and stops when the
// first process says so.
import type { Environment, Mocks } from '../../../runtime/types.js';
import type { Printer } from '../../engine/records/printer.js';
import type { StartSchedules } from '../../engine/served-schedules-types.js';
import { UsageError } from '../../engine/usage-error.js';
import { createMetrics, summed } from '../metrics.js';
import type { Settings } from '../settings.js';
import type { Reloaded, WorkflowSet } from '../workflow-set.js';
import type { WorkerNews } from './primary.js';
import { type Running, runServer } from './run-server.js';
import { PULSE_MS, type WorkerOrder } from './supervisor.js';

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
      ...{ loaded, settings, metrics, ...rest, stopped: Promise.race([stopped, ordered]) },
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
