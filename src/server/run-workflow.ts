// Runs the workflow of a route and turns the outcome into a reply. Runs share the engine and nothing else.

import { responseJson } from '../../runtime/response.js';
import type { LogEntry, Mocks, Outcome, WfRecord } from '../../runtime/types.js';
import type { Engine } from '../engine/engine.js';
import type { Reply } from './answer.js';
import type { HttpExchange } from './exchange.js';
import type { Metrics } from './metrics.js';
import { type Refusal, refusalText } from './refusal.js';
import type { Route } from './route-table.js';
import type { ServerLog } from './server-log.js';

/** What the inputs of a workflow have made of a request. */
export interface AcceptedBy {
  /** The request as it was sent, before they filled in defaults. */
  readonly sent?: WfRecord;
  /** Why it starts nothing. It may have started a run before, with the same `Idempotency-Key`. */
  readonly unfit?: Refusal;
}

export type RunWorkflow = (exchange: HttpExchange, route: Route, request: WfRecord, by?: AcceptedBy) => Promise<Reply>;

export interface RunWorkflowOptions {
  readonly engine: Pick<Engine, 'run'>;
  /** Ends every run. */
  readonly signal: AbortSignal;
  /** Called for each run: mocks may count their calls, and runs must not affect each other. */
  readonly mock: () => boolean | Mocks;
  /** Time limit of a run in milliseconds; 0 for none. `undefined`: the workflow's own limit, or else the default. */
  readonly timeoutMs: number | undefined;
  readonly log: ServerLog;
  readonly metrics: Metrics | undefined;
}

/** Milliseconds: the time limit if neither the workflow nor the server sets one. */
const usualLimitMs = 300_000;

/** The server's time limit for a run in milliseconds; 0 for none. The workflow's own limit applies in any case. */
export const runLimit = (workflowMs: number | undefined, serverMs: number | undefined): number =>
  serverMs ?? (workflowMs === undefined ? usualLimitMs : 0);

const STATUS = { completed: 200, rejected: 400, error: 500 } as const;

export function createRunWorkflow({ engine, signal, mock, timeoutMs, log, metrics }: RunWorkflowOptions): RunWorkflow {
  return async (exchange, { prepared }, request, { unfit } = {}) => {
    if (unfit !== undefined) return { status: unfit.status, text: refusalText(unfit) };
    const onLog = (entry: LogEntry): void => {
      if (entry.type === 'log') log.logged(exchange, entry);
      else if (entry.type === 'call') metrics?.called(entry);
    };
    const ended = metrics?.started(prepared.basename);
    const limitMs = runLimit(prepared.workflow.timeoutMs, timeoutMs);
    const result = await engine.run(prepared, request, {
      signal,
      mock: mock(),
      timeoutMs: limitMs,
      onLog,
      keepLog: false,
      requestIsAccepted: true,
    });
    const { outcome } = result;
    ended?.(outcome.status);
    if (outcome.status === 'error') log.failed(exchange, result, prepared.file);
    return { status: STATUS[outcome.status], text: bodyOf(outcome, prepared.workflow.file), outcome: outcome.status };
  };
}

/**
 * An error includes its line in the file. It contains neither values nor the folder of the file, which are none of the client's
 * business.
 */
function bodyOf(outcome: Outcome, file: string): string {
  if (outcome.status !== 'error') return responseJson(outcome);
  const { line, publicMessage: message = outcome.message ?? '' } = outcome.error ?? {};
  return responseJson({ ...outcome, message: line === undefined ? message : `${file}, line ${line}: ${message}` });
}
