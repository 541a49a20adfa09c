// Builds the structured log (`wf-log/1`) of a run, for `run`, `test` and `schedule`.
import type { LogEntry, Redactor, RunError, Value, WfRecord } from '../../../runtime/types.js';
import type { RunRecord } from './run-record.js';

/** Entries to keep. */
const MOST_ENTRIES = 10_000;

export interface RunLogDocument {
  readonly schema: 'wf-log/1';
  readonly runId: string;
  readonly workflow: string;
  readonly version: number;
  readonly file: string;
  readonly trigger: string;
  readonly mock: boolean;
  /** That of the store if the run has no outcome yet. */
  readonly status: string;
  readonly startedAt: string;
  /** Absent if the run has no outcome yet. */
  readonly finishedAt?: string;
  readonly durationMs: number;
  readonly request: Value;
  readonly outputs?: Value;
  readonly message?: string;
  readonly error?: LoggedError;
  readonly entries: readonly LogEntry[];
}

/** Redacts everything that the run, its input and its services produced. The order of the keys is part of the format. */
export function toRunLog({
  runId,
  prepared,
  mock,
  request,
  outcome,
  unfinished,
  startedAt,
  finishedAt,
  durationMs,
  redactor,
}: RunRecord): RunLogDocument {
  const { name, version, trigger } = prepared.workflow;
  const { status, outputs, message, error } = outcome;
  return {
    schema: 'wf-log/1',
    runId,
    workflow: name,
    version,
    file: prepared.file,
    trigger,
    mock,
    status: unfinished ?? status,
    startedAt: startedAt.toISOString(),
    ...(unfinished === undefined ? { finishedAt: finishedAt.toISOString() } : {}),
    durationMs,
    request: redactor.value(request),
    ...(outputs === undefined ? {} : { outputs: redactor.value(outputs) }),
    ...(message === undefined ? {} : { message: redactor.text(message) }),
    ...(error === undefined ? {} : { error: toError(error, redactor) }),
    entries: toEntries(outcome.log, outcome.dropped ?? 0, finishedAt, redactor),
  };
}

type LoggedError = Omit<RunError, 'length' | 'publicMessage'>;

function toError({ message, line, column, code }: RunError, redactor: Redactor): LoggedError {
  return {
    message: redactor.text(message),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    code,
  };
}

function toEntries(log: readonly LogEntry[], droppedBefore: number, finishedAt: Date, redactor: Redactor): LogEntry[] {
  const written = log.filter(({ type }) => type !== 'set');
  const entries = written.slice(0, MOST_ENTRIES).map((entry) => toEntry(entry, redactor));
  const dropped = droppedBefore + written.length - entries.length;
  if (dropped > 0) {
    const message = dropped === 1 ? '1 more entry was dropped.' : `${dropped} more entries were dropped.`;
    entries.push({ time: finishedAt.toISOString(), type: 'warning', message, dropped });
  }
  return entries;
}

/** The run has already redacted its entries. This keeps them so, and fixes the order of their keys. */
function toEntry({ time, type, step, line, ...details }: LogEntry, redactor: Redactor): LogEntry {
  const place = { ...(step === undefined ? {} : { step }), ...(line === undefined ? {} : { line }) };
  const clean = redactor.value({ ...place, ...details });
  // A redactor returns a record for a record.
  return { time, type, ...(clean as WfRecord) };
}
