// Calls another workflow, which is compiled with its caller. Its outputs are the answer; a rejection or an error is a failure. Its log is
// part of the caller's log.
import type { Cancellation } from '../run/cancellation.js';
import type { DurableRun } from '../run/durable-run.js';
import type { Run } from '../run/run.js';
import type { CallRequest, Outcome, RunOptions, TraceSpan, WfRecord, WorkflowModule } from '../types.js';
import { record } from '../values/record.js';
import { output } from '../values/values.js';
import type { AttemptResult, PreparedCall } from './attempt.js';
import { type Failure, failed, notSent } from './call-errors.js';

/** Only an error of the called workflow is retried, not a rejection. */
export function prepareWorkflow(run: Run, request: CallRequest): PreparedCall | Failure {
  const { called, timeoutMs = Number.POSITIVE_INFINITY } = request.service;
  if (called === undefined) return notCompiled;
  const attempt: PreparedCall['attempt'] = async (cancellation, span) =>
    calledResult(await runWorkflow(run, request, called, { cancellation, trace: span }), called);
  return { ok: true, timeoutMs, attempt };
}

const notCompiled: Failure = notSent('WF644', 'its file was not compiled with this workflow');

interface Around {
  readonly cancellation: Cancellation;
  /** The branch of the journal that its effects belong to. */
  readonly durable?: DurableRun;
  /** By default, the span of the caller. */
  readonly trace?: TraceSpan | undefined;
}

/**
 * @throws a suspension if the journal releases the run
 */
export async function runWorkflow(
  run: Run,
  request: CallRequest,
  called: WorkflowModule,
  { cancellation, durable, trace = run.journal.span }: Around,
): Promise<Outcome> {
  const { service } = request;
  const { options, workflow } = run;
  const outcome = await called.run(calledRequest(request), {
    env: run.environment,
    mock: run.mocks,
    signal: cancellation.signal,
    ...given(
      options,
      'secrets',
      'transport',
      'fetch',
      'loadPlugin',
      'connectors',
      'onExchange',
      'takeTurn',
      'requestId',
      'onAwaited',
    ),
    folder: folderOf(options.folder, service.folder),
    timezone: workflow.timezone ?? options.timezone,
    ...(called.workflow.received === true ? { received: receivedOfCalled(run) } : {}),
    startedAt: new Date(run.now),
    ...(run.clock.isSimulated ? { clock: run.clock } : {}),
    // A call `at most once` is waited for as a whole.
    ...(request.atMostOnce === true ? {} : { caller: run }),
    keepLog: false,
    requestIsPlain: true,
    durable,
    ...(trace === undefined ? {} : { trace }),
    ...(run.journal.wanted ? { onLog: (entry) => run.journal.forward(entry, service.name, request.location[0]) } : {}),
  });
  // It has only ended because the branch is over.
  if (run.isAbandoned && request.atMostOnce !== true) run.check();
  return outcome;
}

/** An abandoned branch waits for the result only if the call is `at most once`. Otherwise the called run is abandoned with it. */
export const callingWorkflow = <T>(run: Run, { atMostOnce }: CallRequest, work: () => Promise<T>): Promise<T> =>
  atMostOnce === true ? run.calling('once', work) : work();

/** Doesn't change when the run is executed again: its own `received` is stored with it. */
const receivedOfCalled = ({ arrival: { at, id, caller } }: Run): WfRecord => ({
  by: 'workflow',
  at,
  id,
  headers: {},
  query: {},
  ...(caller === undefined ? {} : { caller }),
});

/** The request of the called workflow. A record stays a record. */
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
    // An invalid request stays invalid.
    retryable: error?.code !== 'WF642',
  });
}

/** The surrounding sentence has its own full stop. */
const withoutStop = (sentence: string): string => (sentence.endsWith('.') ? sentence.slice(0, -1) : sentence);
