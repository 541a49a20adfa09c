// `wf serve`: the options of the command line go in, the exit code comes out when the server has stopped. The work is done in `src/server/`.
import { readMocks } from '../engine/mocks-file.js';
import { prepare } from '../engine/prepare.js';
import { serve } from '../server/serve.js';
import type { ServeOptions } from '../server/settings.js';
import type { Io } from './io.js';
import { watchPlugins } from './plugin-faults.js';

/** @throws UsageError for wrong options, a target that cannot be served, and a port that cannot be had */
export async function serveCommand(target: string, options: ServeOptions, io: Io): Promise<number> {
  // What a plugin leaves unhandled must not end the runs of everybody else.
  const unwatch = watchPlugins(io);
  try {
    return await serve(target, options, io, { prepare, readMocks, ignoreSignals });
  } finally {
    unwatch();
  }
}

function ignoreSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
}
