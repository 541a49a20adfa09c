// One process that serves: prepared workflows go in, and it resolves when it has been told to stop and everything has ended. The same for the only
// process and for each worker of several.
import type { Mocks } from '../../runtime/types.js';
import { counted } from '../compiler/diagnostics/summary.js';
import type { Prepared } from '../engine/prepared.js';
import type { Printer } from '../engine/printer.js';
import { closeServer } from './close-server.js';
import { createApp } from './create-app.js';
import { createHttpServer, listen } from './http-server.js';
import type { Metrics } from './metrics.js';
import type { Settings } from './settings.js';
import type { Loaded } from './workflow-set.js';

export interface RunServerOptions {
  readonly loaded: Loaded;
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly mock: boolean | (() => boolean | Mocks);
  readonly metrics: Metrics | undefined;
  readonly out: Printer;
  readonly err: Printer;
  readonly onListening: (running: Running) => void;
  /** Resolves when the server is to stop. */
  readonly stopped: Promise<void>;
  /** Told when it is stopping and no run is left. */
  readonly onDrained: () => void;
}

export interface Running {
  readonly port: number;
  readonly replace: (workflows: readonly Prepared[]) => void;
}

/** @throws UsageError where the port cannot be had */
export async function runServer(options: RunServerOptions): Promise<void> {
  const { loaded, settings, env, mock, metrics, out, err } = options;
  const app = await createApp({
    ...{ workflows: loaded.workflows, single: loaded.single, env, mock, metrics, out, err },
    ...{ token: settings.token, corsOrigin: settings.corsOrigin, limits: settings.limits, verbose: settings.verbose },
    debug: env.WF_DEBUG === '1',
  });
  const server = createHttpServer(app);
  try {
    const port = await listen(server, settings.port, settings.host);
    // Too many open files, for one: this connection fails, the server goes on.
    server.on('error', (error) => err.line(`A connection could not be taken: ${error.message}`));
    options.onListening({ port, replace: app.replace });
    await options.stopped;
    const { inFlight } = app.runs;
    if (inFlight > 0)
      err.line(
        settings.graceMs === 0
          ? `Stopping. Runs in flight, which are aborted now: ${inFlight}`
          : `Stopping. Runs in flight: ${inFlight}; they get up to ${counted(settings.graceMs / 1000, 'second')}. A second signal ends them at once.`,
      );
    const { aborted } = await closeServer(server, app, settings.graceMs, options.onDrained);
    if (aborted > 0) err.line(`Runs that were aborted: ${aborted}`);
  } finally {
    await app.close();
    await Promise.all([out.flush(), err.flush()]);
  }
}
