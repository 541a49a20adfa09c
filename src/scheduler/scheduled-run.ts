// One run of a schedule: reads the input again, runs the workflow, writes the log, and describes the result. Never throws: any
// problem becomes the result of the run.
import { RequestError } from '../../runtime/inputs/request-error.js';
import { receivedBy } from '../../runtime/run/received.js';
import type { Mocks } from '../../runtime/types.js';
import { oneLine } from '../../runtime/values/one-line.js';
import type { Engine } from '../engine/engine.js';
import type { Prepared } from '../engine/prepare/prepared.js';
import { observedLog, type RunObserver, type RunRecord } from '../engine/records/run-record.js';
import { logLine, outcomeText, verboseLine } from '../engine/records/terminal-lines.js';
import { acceptedInput, type InputOptions, readInput } from '../input/read-input.js';
import type { ScheduledResult, SchedulerOptions } from './scheduler.js';

export interface ScheduledRunOptions {
  readonly engine: Pick<Engine, 'execute' | 'refuse'>;
  readonly prepared: Prepared;
  readonly input: InputOptions;
  readonly verbose: boolean;
  /** Called for each run; `false` for the real services. */
  readonly mocks: () => boolean | Mocks;
  /** Time limit of a run in milliseconds; 0 for none. */
  readonly timeoutMs: number;
  /** Time zone for the days of workflows that name none; UTC by default. */
  readonly timezone?: string | undefined;
  /** Counts the runs. */
  readonly observer?: RunObserver | undefined;
  /** Receives each run in memory at its end, with its log. */
  readonly onRunEnd?: ((record: RunRecord) => Promise<void>) | undefined;
  readonly out: (line: string) => void;
  /** @param level of a line that is more than a warning */
  readonly err: (line: string, level?: 'error') => void;
  readonly colour: { readonly stdout: boolean; readonly stderr: boolean };
}

export function createScheduledRun(options: ScheduledRunOptions): SchedulerOptions['run'] {
  const { verbose, onRunEnd } = options;
  return async (_number, signal) => {
    const record = await execute(options, signal);
    await onRunEnd?.(record);
    if (verbose) showOutcome(record, options);
    return resultOf(record);
  };
}

async function execute(options: ScheduledRunOptions, signal: AbortSignal): Promise<RunRecord> {
  const { engine, prepared, input, verbose, mocks, timeoutMs, timezone, observer, out, err, colour } = options;
  let request: RunRecord['request'];
  let mock: boolean | Mocks;
  try {
    mock = mocks();
    const read = await readInput(input);
    if (verbose) for (const warning of read.warnings) err(warning);
    const accepted = acceptedInput(prepared.workflow, read, timezone);
    if (accepted.problems.length > 0) return engine.refuse(prepared, new RequestError(accepted.problems));
    request = accepted.request;
  } catch (error) {
    return engine.refuse(prepared, error instanceof Error ? error.message : String(error));
  }
  const ended = observer?.started(prepared.basename);
  const record = await engine.execute(prepared, request, {
    signal,
    mock,
    requestIsAccepted: true,
    received: receivedBy('schedule'),
    keepLog: options.onRunEnd !== undefined,
    timeoutMs,
    timezone,
    onLog: observedLog(observer, (entry) => {
      if (entry.type === 'log') return out(logLine(entry));
      const line = verbose ? verboseLine(entry, { colour: colour.stderr }) : undefined;
      if (line !== undefined) err(line);
    }),
  });
  ended?.(record.outcome.status);
  return record;
}

export function showOutcome(record: RunRecord, { out, err, colour }: Pick<ScheduledRunOptions, 'out' | 'err' | 'colour'>): void {
  if (record.outcome.status === 'error') err(outcomeText(record, { colour: colour.stderr }), 'error');
  else out(outcomeText(record, { colour: colour.stdout }));
}

/** `in 12 ms`, and why if it did not complete. */
export function resultOf({ outcome, durationMs, redactor, prepared }: RunRecord): ScheduledResult {
  const { status, message = '', error } = outcome;
  const place = error?.line === undefined ? '' : ` (${prepared.file}, line ${error.line})`;
  const reason = status === 'completed' ? '' : `: ${oneLine(redactor.text(message))}${place}`;
  return { status, detail: `in ${durationMs} ms${reason}` };
}
