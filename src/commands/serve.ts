// `wf serve`: passes the command-line options to `src/server/` and returns the exit code once the server has stopped.
import { readMocks } from '../engine/files/mocks-file.js';
import type { Io } from '../engine/io.js';
import { prepare } from '../engine/prepare/prepare.js';
import type { Preparation, Prepared, PrepareOptions } from '../engine/prepare/prepared.js';
import { type ServeParts, serve } from '../server/serve.js';
import type { ServeOptions } from '../server/settings.js';
import { watchUnhandledErrors } from './unhandled-errors.js';

/** @throws UsageError for wrong options, a target that can't be served, or an unavailable port */
export async function serveCommand(target: string, options: ServeOptions, io: Io): Promise<number> {
  // An unhandled error must not end everyone else's runs.
  const workflows = new Map<string, Prepared>();
  const token = options.authToken ?? io.env.WF_AUTH_TOKEN;
  const secrets = token === undefined ? [] : [token];
  const unwatch = watchUnhandledErrors(io, { workflows: () => [...workflows.values()], secrets });
  const remember = async (file: string, prepareOptions: PrepareOptions): Promise<Preparation> => {
    const preparation = await prepare(file, prepareOptions);
    if (preparation.ok) workflows.set(file, preparation.prepared);
    return preparation;
  };
  try {
    return await serve(target, options, io, { prepare: remember, readMocks, startSchedules, ignoreSignals });
  } finally {
    unwatch();
  }
}

/** Loaded only with `--schedules`. */
const startSchedules: ServeParts['startSchedules'] = async (options) =>
  (await import('../scheduler/served-schedules.js')).startServedSchedules(options);

function ignoreSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
}
