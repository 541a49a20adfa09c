// Writes the structured log of a run (`--output-log`) to a file (`run`, `test`) or into a folder (`schedule`). Checks the path
// before anything runs. If the log can't be written in the end, that only costs a line of output and never changes the outcome.
import path from 'node:path';
import type { LogEntry, Redactor, RunError, Value, WfRecord } from '../../../runtime/types.js';
import { fileFault } from '../files/file-fault.js';
import { makeFolder } from '../files/make-folder.js';
import { probeFolder, probeWhole, writeExclusive, writeWhole } from '../files/write-whole.js';
import { UsageError } from '../usage-error.js';
import type { ReportedRun } from './run-record.js';

/** The file that contains the log, or a sentence that says why there is none. */
export type SavedLog = { readonly file: string } | { readonly problem: string };

/**
 * Returns the absolute path of the log file and creates its folder.
 * @throws UsageError if it can't be written, before anything runs
 */
export async function prepareLogFile(given: string, cwd: string): Promise<string> {
  const file = resolve(given, cwd);
  await prepare(given, path.dirname(file), () => probeWhole(file));
  return file;
}

/** Like `prepareLogFile`, for a folder that gets one file per run. */
export async function prepareLogFolder(given: string, cwd: string): Promise<string> {
  const folder = resolve(given, cwd);
  await prepare(given, folder, () => probeFolder(folder));
  return folder;
}

/** Overwrites an existing file. */
export async function saveLogFile(file: string, record: ReportedRun): Promise<SavedLog> {
  return save(file, record, async (text) => {
    await writeWhole(file, text);
    return file;
  });
}

/** Writes `2026-03-02T09-00-00-000Z.json`, named after the start of the run; a second file with that name gets `-2`. */
export async function saveLogInFolder(folder: string, record: ReportedRun): Promise<SavedLog> {
  const file = path.join(folder, `${record.startedAt.toISOString().replace(/[:.]/g, '-')}.json`);
  return save(file, record, (text) => writeExclusive(file, text));
}

function resolve(given: string, cwd: string): string {
  if (given === '') throw new UsageError('--output-log needs a path.');
  if (given.includes('\0')) throw new UsageError('The path in --output-log contains a NUL character.');
  return path.resolve(cwd, given);
}

async function prepare(given: string, folder: string, probe: () => Promise<void>): Promise<void> {
  try {
    makeFolder(folder);
    await probe();
  } catch (error) {
    throw new UsageError(
      `The log can't be written to ${given}: ${fileFault(error)}.`,
      'Nothing ran. Set --output-log to a path that you can write to.',
    );
  }
}

async function save(file: string, record: ReportedRun, write: (text: string) => Promise<string>): Promise<SavedLog> {
  try {
    return { file: await write(`${JSON.stringify(toRunLog(record), null, 2)}\n`) };
  } catch (error) {
    const reason = error instanceof RangeError ? 'it is too large for one file' : fileFault(error);
    const { outcome, unfinished } = record;
    const state = unfinished === undefined ? `ended as ${outcome.status}` : `is ${unfinished}`;
    return { problem: `The log could not be written to ${file}: ${reason}. The run ${state}.` };
  }
}

/** Entries to keep. */
const MOST_ENTRIES = 10_000;

interface RunLogDocument {
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
}: ReportedRun): RunLogDocument {
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
    ...(error === undefined || unfinished !== undefined ? {} : { error: toError(error, redactor) }),
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
