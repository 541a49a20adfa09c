// `wf serve`: the options of the command line go in, the exit code comes out when the server has stopped. The work is done in `src/server/`.
import { readMocks } from '../engine/mocks-file.js';
import { prepare } from '../engine/prepare.js';
import type { Preparation, Prepared, PrepareOptions } from '../engine/prepared.js';
import { serve } from '../server/serve.js';
import type { ServeOptions } from '../server/settings.js';
import type { Io } from './io.js';
import { watchPlugins } from './plugin-faults.js';

/** @throws UsageError for wrong options, a target that cannot be served, and a port that cannot be had */
export async function serveCommand(target: string, options: ServeOptions, io: Io): Promise<number> {
  // What a plugin leaves unhandled must not end the runs of everybody else.
  const workflows = new Map<string, Prepared>();
  const token = options.authToken ?? io.env.WF_AUTH_TOKEN;
  const secrets = token === undefined ? [] : [token];
  const unwatch = watchPlugins(io, { workflows: () => [...workflows.values()], secrets });
  const remember = async (file: string, prepareOptions: PrepareOptions): Promise<Preparation> => {
    const preparation = await prepare(file, prepareOptions);
    if (preparation.ok) workflows.set(file, preparation.prepared);
    return preparation;
  };
  try {
    return await serve(target, options, io, { prepare: remember, readMocks, ignoreSignals });
  } finally {
    unwatch();
  }
}

function ignoreSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
}
