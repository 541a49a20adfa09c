// A route and a record go in, the reply to the client comes out. What runs share is the engine's; what belongs to
// one run is made here and dropped with it.

import { responseJson } from '../../runtime/response.js';
import type { LogEntry, Mocks, Outcome, WfRecord } from '../../runtime/types.js';
import type { Engine } from '../engine/engine.js';
import type { Reply } from './answer.js';
import type { Exchange } from './exchange.js';
import type { Metrics } from './metrics.js';
import type { Route } from './route-table.js';
import type { ServerLog } from './server-log.js';

export type RunWorkflow = (exchange: Exchange, route: Route, request: WfRecord) => Promise<Reply>;

export interface RunWorkflowOptions {
  readonly engine: Pick<Engine, 'run'>;
  /** Ends every run. */
  readonly signal: AbortSignal;
  /** Asked for each run: mocks may count their calls, and no run may see another's. */
  readonly mock: () => boolean | Mocks;
  /** Longest run in milliseconds; 0 for none. */
  readonly timeoutMs: number;
  readonly log: ServerLog;
  readonly metrics: Metrics | undefined;
}

const STATUS = { completed: 200, rejected: 400, error: 500 } as const;

export function createRunWorkflow({ engine, signal, mock, timeoutMs, log, metrics }: RunWorkflowOptions): RunWorkflow {
  return async (exchange, { prepared }, request) => {
    const onLog = (entry: LogEntry): void => {
      if (entry.type === 'log') log.logged(exchange, entry);
      else if (entry.type === 'call') metrics?.called(entry);
    };
    const ended = metrics?.started(prepared.basename);
    const outcome = await engine.run(prepared, request, { signal, mock: mock(), timeoutMs, onLog, keepLog: false });
    ended?.(outcome.status);
    if (outcome.status === 'error') log.failed(exchange, outcome, prepared.file);
    return { status: STATUS[outcome.status], text: bodyOf(outcome, prepared.workflow.file), outcome: outcome.status };
  };
}

/** As in `service.md` 2.3. An error says where it stands in the file; the folder that the file is in is nobody's business. */
function bodyOf(outcome: Outcome, file: string): string {
  const line = outcome.status === 'error' ? outcome.error?.line : undefined;
  return responseJson(line === undefined ? outcome : { ...outcome, message: `${file}, line ${line}: ${outcome.message ?? ''}` });
}
