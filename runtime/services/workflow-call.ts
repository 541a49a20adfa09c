// Calls another workflow, which is compiled with its caller. Its outputs are the answer; a rejection or an error is a failure. Its log is
// part of the caller's log.

import type { Cancellation } from '../run/cancellation.js';
import type { DurableRun } from '../run/durable-run.js';
import type { Run } from '../run/run.js';
import type { CallRequest, Outcome, RunOptions, WfRecord, WorkflowModule } from '../types.js';
import { record } from '../values/record.js';
import { output } from '../values/values.js';
import type { AttemptResult, PreparedCall } from './attempt.js';
import { type Failure, failed, notSent } from './call-errors.js';

/** Only an error of the called workflow is retried, not a rejection. */
export function prepareWorkflow(run: Run, request: CallRequest): PreparedCall | Failure {
  const { called, timeoutMs = Number.POSITIVE_INFINITY } = request.service;
  if (called === undefined) return notCompiled;
  const attempt = async (cancellation: Cancellation): Promise<AttemptResult> =>
    calledResult(await runWorkflow(run, request, called, cancellation), called);
  return { ok: true, timeoutMs, attempt };
}

const notCompiled: Failure = notSent('WF644', 'its file was not compiled with this workflow');

/**
 * @param durable the branch of the journal that its effects belong to
 * @throws a suspension if the journal releases the run
 */
export async function runWorkflow(
  run: Run,
  request: CallRequest,
  called: WorkflowModule,
  cancellation: Cancellation,
  durable?: DurableRun,
): Promise<Outcome> {
  const { service } = request;
  const { options, workflow } = run;
  return called.run(calledRequest(request), {
    env: run.environment,
    mock: run.mocks,
    signal: cancellation.signal,
    ...given(options, 'secrets', 'transport', 'fetch', 'loadPlugin', 'connectors', 'onExchange', 'takeTurn'),
    folder: folderOf(options.folder, service.folder),
    timezone: workflow.timezone ?? options.timezone,
    startedAt: new Date(run.now),
    keepLog: false,
    requestIsPlain: true,
    durable,
    ...(run.journal.wanted ? { onLog: (entry) => run.journal.forward(entry, service.name, request.location[0]) } : {}),
  });
}

/** What the called workflow is asked for. A record stays a record. */
export const calledRequest = ({ parameters }: CallRequest): WfRecord => output(record(parameters)) as Record<string, never>;

/** These options, without absent ones. */
function given<K extends keyof RunOptions>(options: RunOptions, ...names: K[]): Pick<RunOptions, K> {
  const found: Partial<Pick<RunOptions, K>> = {};
  for (const name of names) if (options[name] !== undefined) found[name] = options[name];
  return found as Pick<RunOptions, K>; // those that are missing are optional
}

const folderOf = (caller: string | undefined, own: string | undefined): string | undefined =>
  own === undefined ? caller : caller === undefined ? own : `${caller}/${own}`;

export function calledResult(
  { status, outputs = {}, message = '', error }: Outcome,
  { workflow }: WorkflowModule,
): AttemptResult {
  if (status === 'completed') return { ok: true, value: outputs };
  if (status === 'rejected') return failed('WF643', withoutStop(message), { rejected: true });
  const place = error?.line === undefined ? '' : `${workflow.file}, line ${error.line}: `;
  const cause = `${place}${withoutStop(error?.message ?? message)}`;
  return failed('WF644', cause, {
    publicCause: `${place}${withoutStop(error?.publicMessage ?? error?.message ?? message)}`,
    // The same request would never be valid.
    retryable: error?.code !== 'WF642',
  });
}

/** The surrounding sentence has its own full stop. */
const withoutStop = (sentence: string): string => (sentence.endsWith('.') ? sentence.slice(0, -1) : sentence);
