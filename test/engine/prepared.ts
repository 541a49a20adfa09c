// A prepared workflow for tests that need no compiler.
import { redactorFor } from '../../runtime/run/redaction.js';
import type { Outcome, RunFunction } from '../../runtime/types.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import type { RunRecord } from '../../src/engine/records/run-record.js';

export function fakePrepared(run: RunFunction, env: readonly string[] = [], source?: string): Prepared {
  return {
    file: 'flows/order.wf',
    basename: 'order',
    workflow: {
      name: 'Order',
      version: 3,
      trigger: 'an order',
      file: 'order.wf',
      env,
      services: [],
      requestFields: [],
      outputKeys: [],
      sites: [],
      compiler: '0',
    },
    run,
    loadPlugin: async () => ({}),
    warnings: [],
    ...(source === undefined ? {} : { source }),
  };
}

export const completedWith = (outputs: Outcome['outputs'] = {}, log: Outcome['log'] = []): Outcome => ({
  status: 'completed',
  outputs,
  log,
});

export function fakeRecord(
  outcome: Outcome,
  more: Partial<RunRecord> & { source?: string; secrets?: readonly string[] } = {},
): RunRecord {
  const { source, secrets = [], ...rest } = more;
  return {
    runId: '00000000-0000-4000-8000-000000000000',
    prepared: fakePrepared(async () => outcome, [], source),
    mock: false,
    request: {},
    outcome,
    startedAt: new Date('2026-03-02T09:00:00.000Z'),
    finishedAt: new Date('2026-03-02T09:00:01.250Z'),
    durationMs: 1250,
    redactor: redactorFor(secrets),
    ...rest,
  };
}
