// Handmade workflows for tests of the server: the exports of an emitted module, without a compiler.

import type { Outcome, RunFunction, RunOptions, Value, WfRecord, WorkflowInfo } from '../../runtime/types.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';

export const completed = (outputs: WfRecord): Outcome => ({ status: 'completed', outputs, log: [] });
export const rejected = (message: string): Outcome => ({ status: 'rejected', message, log: [] });
export const failed = (message: string, line = 11, publicMessage = message): Outcome => ({
  status: 'error',
  message,
  error: { message, publicMessage, line, code: 'WF601' },
  log: [],
});

export function fakeWorkflow(basename: string, run: RunFunction, info: Partial<WorkflowInfo> = {}): Prepared {
  return {
    file: `/secret/folder/${basename}.wf`,
    basename,
    workflow: {
      name: basename,
      version: 1,
      trigger: '',
      file: `${basename}.wf`,
      env: [],
      services: [],
      requestFields: [],
      outputKeys: [],
      sites: [],
      compiler: '0.1.0',
      ...info,
    },
    run,
    loadPlugin: async () => ({}),
    warnings: [],
  };
}

/** Returns the request. */
export const echo = (basename = 'echo', info: Partial<WorkflowInfo> = {}): Prepared =>
  fakeWorkflow(basename, async (request) => completed({ request }), info);

/** Ends only when told to, when its signal aborts, or when its time is over, like a run that waits for a service. */
export function slow(basename = 'slow'): {
  readonly prepared: Prepared;
  readonly started: () => number;
  readonly finish: () => void;
} {
  const waiting: (() => void)[] = [];
  let started = 0;
  const run = (request: WfRecord, options: RunOptions = {}): Promise<Outcome> => {
    started++;
    return new Promise((resolve) => {
      const id: Value = request.id ?? null;
      waiting.push(() => resolve(completed({ id })));
      const { signal } = options;
      if (signal instanceof AbortSignal)
        signal.addEventListener('abort', () => resolve(failed(String(signal.reason?.message))), { once: true });
    });
  };
  return {
    prepared: fakeWorkflow(basename, run),
    started: () => started,
    finish: () => {
      for (const end of waiting.splice(0)) end();
    },
  };
}
