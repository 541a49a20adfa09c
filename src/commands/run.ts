// `wf run`: runs a workflow once and prints its log lines and outcome.
import { exitCodeOf, responseJson, toOutcome } from '../../runtime/run/to-outcome.js';
import type { GivenMocks } from '../../runtime/services/given-mocks.js';
import type { LogEntry, Outcome, RunOptions, WfRecord } from '../../runtime/types.js';
import { renderText, summary } from '../compiler/diagnostics/render-text.js';
import { createEngine, type Engine, stackOf } from '../engine/engine.js';
import type { Io } from '../engine/io.js';
import { limitRunMemory } from '../engine/memory-watch.js';
import { hasPlugins } from '../engine/prepare/load-plugin.js';
import { prepare } from '../engine/prepare/prepare.js';
import type { Prepared } from '../engine/prepare/prepared.js';
import type { Recording } from '../engine/records/recording.js';
import type { RunRecord } from '../engine/records/run-record.js';
import { logLine, outcomeText, verboseLine } from '../engine/records/terminal-lines.js';
import { onceWarning, readRunMemory, readStorePlace } from '../engine/shared-options.js';
import { startTracing } from '../engine/tracing.js';
import { acceptedInput, readInput } from '../input/read-input.js';
import type { Values } from './command-spec.js';
import { INTERRUPTED, WAITING } from './interruption.js';
import { createProgress } from './progress.js';

export async function runCommand(file: string, values: Values, io: Io): Promise<number> {
  const { colour, cwd, env } = io;
  const quiet = values.quiet === true;
  const runMemory = readRunMemory(textOf(values, 'maxRunMemory'));
  const input = await readInput({
    input: textOf(values, 'input'),
    inputFile: textOf(values, 'inputFile'),
    sheet: textOf(values, 'sheet'),
    asText: textOf(values, 'asText'),
    cwd,
  });
  const files = await openFiles(values, cwd);
  const preparation = await prepare(file, { cwd, env, trace: values.verbose === true });
  const found = preparation.ok ? preparation.prepared.warnings : preparation.diagnostics;
  if (found.length > 0 && !(quiet && preparation.ok))
    io.stderr.write(`${renderText(found, { colour: colour.stderr })}\n\n${summary(found)}\n\n`);
  if (!preparation.ok) return 1;
  const { prepared } = preparation;
  for (const warning of quiet ? [] : input.warnings) io.stderr.write(`${warning}\n`);
  const { request, problems } = acceptedInput(prepared.workflow, input);
  if (problems.length > 0) {
    const { problemText } = await import('../input/problem-text.js');
    io.stderr.write(`${problemText(file, prepared.workflow, problems, input)}\n`);
    return 2;
  }

  const engine = createEngine({ env, mock: files.mocks ?? values.mock === true, strictEnv: values.strictEnv === true });
  const onProblem = (sentence: string): void => void io.stderr.write(`${sentence}\n`);
  const stopTracing = await startTracing({ env, isAsked: values.otel === true, onProblem });
  const stop = new AbortController();
  const unwatch = hasPlugins(prepared.workflow)
    ? (await import('./unhandled-errors.js')).watchUnhandledErrors(io, { workflows: () => [prepared], stop })
    : undefined;
  const unlimit = limitRunMemory(runMemory);
  const record = await execute(engine, { prepared, request, values, stop, files }, io);
  if (typeof record !== 'number') await report(record, values, files, io);
  await engine.close();
  await stopTracing();
  unwatch?.();
  unlimit();
  return typeof record === 'number' ? record : exitCodeOf(record.outcome);
}

const textOf = (values: Values, name: string): string | undefined =>
  typeof values[name] === 'string' ? values[name] : undefined;

/** The files beside the input that a run reads or writes. */
interface RunFiles {
  readonly mocks: GivenMocks | undefined;
  readonly onExchange?: Recording['onExchange'];
  /** Writes the log and the recording; only the log of a run without an outcome. Returns a sentence for each that could not be written. */
  readonly save: (record: RunRecord) => Promise<string[]>;
}

/** Loads what reads and writes files only if needed, because few runs do. */
async function openFiles(values: Values, cwd: string): Promise<RunFiles> {
  const [mocksPath, logPath, recordPath] = [textOf(values, 'mocks'), textOf(values, 'outputLog'), textOf(values, 'record')];
  const mocks = mocksPath === undefined ? undefined : (await import('../engine/files/mocks-file.js')).readMocks(mocksPath, cwd);
  const logs = logPath === undefined ? undefined : await import('../engine/records/log-file.js');
  const logFile = logPath === undefined ? undefined : await logs?.prepareLogFile(logPath, cwd);
  const recording =
    recordPath === undefined
      ? undefined
      : await (await import('../engine/records/recording.js')).prepareRecording(recordPath, cwd);
  return {
    mocks,
    ...(recording === undefined ? {} : { onExchange: recording.onExchange }),
    async save(record) {
      const isOver = record.unfinished === undefined;
      const saved = [
        logFile === undefined ? undefined : await logs?.saveLogFile(logFile, record),
        isOver ? await recording?.save(record) : undefined,
      ];
      return saved.flatMap((one) => (one !== undefined && 'problem' in one ? [one.problem] : []));
    },
  };
}

interface RunToExecute {
  readonly prepared: Prepared;
  readonly request: WfRecord;
  readonly values: Values;
  readonly stop: AbortController;
  readonly files: RunFiles;
}

/** From here on, a wait is worth a line. With a store, the command would not stay for it. */
const LONG_MS = 30_000;

/** The end of a wait that begins now. */
const endOf = (waitMs: number): string =>
  new Date(Math.min(Date.now() + waitMs, LATEST_MS)).toISOString().replace(/T([\d:]+)\.\d+Z$/, ' $1 UTC');

/** The latest moment that a `Date` can hold. */
const LATEST_MS = 8.64e15;

/** Runs the workflow and prints its log lines. Returns the exit code if the run continues later. */
async function execute(
  engine: Engine,
  { prepared, request, values, stop, files: { mocks, onExchange, save } }: RunToExecute,
  io: Io,
): Promise<RunRecord | number> {
  const progress = createProgress(io);
  const place = readStorePlace(textOf(values, 'store'), io.env);
  // Mock runs are never stored.
  const isReal = mocks === undefined && values.mock !== true;
  const where = isReal ? place : undefined;
  let isLeft = false;
  const awaited = (sentence: string): void => {
    progress.clear();
    isLeft = values.noWait === true;
    if (isLeft) stop.abort(new Error('left'));
    if (isLeft && values.json === true) io.stdout.write(`${JSON.stringify({ status: 'waiting', message: sentence })}\n`);
    io.stderr.write(`${sentence}${isLeft ? '' : ' Ctrl+C ends the run.'} Use --store ./runs, or try it with --mock.\n`);
  };
  const logStream = values.json === true ? io.stderr : io.stdout;
  const options = {
    onLog(entry: LogEntry): void {
      progress.clear();
      if (entry.type === 'log' && values.quiet !== true) logStream.write(`${logLine(entry)}\n`);
      const line = values.verbose === true ? verboseLine(entry, { colour: io.colour.stderr }) : undefined;
      if (line !== undefined) io.stderr.write(`${line}\n`);
      if (entry.type === 'wait' && isReal && where === undefined && Number(entry.durationMs) >= LONG_MS)
        awaited(`Line ${entry.line} waits until ${endOf(Number(entry.durationMs))}.`);
    },
    onAwaited: (line: number, what: string) => awaited(`Line ${line} waits for ${what}, which only a store can receive.`),
    requestIsAccepted: true,
    signal: stop.signal,
    onProgress: (at: number, done: number, total: number) => progress.update(at, `line ${at}`, done, total),
    ...(onExchange === undefined ? {} : { onExchange }),
  };
  if (isReal && where === undefined && values.quiet !== true)
    for (const warning of onceWarning(prepared)) io.stderr.write(`${warning}\n`);
  const unlisten = io.onStop(() => stop.abort(new Error('interrupted')));
  const record =
    where === undefined
      ? await engine.execute(prepared, request, options)
      : await runWithStore(engine, { where, prepared, request, options, values, save }, io);
  unlisten();
  progress.clear();
  if (!isLeft || typeof record === 'number') return record;
  for (const problem of await save({ ...record, unfinished: 'waiting' })) io.stderr.write(`${problem}\n`);
  return WAITING;
}

/** Prints the outcome, and saves the files of the run. */
async function report(record: RunRecord, values: Values, { mocks, save }: RunFiles, io: Io): Promise<void> {
  if (values.json === true) io.stdout.write(`${responseJson(record.outcome)}\n`);
  if (record.outcome.status === 'error') io.stderr.write(`${outcomeText(record, { colour: io.colour.stderr })}\n`);
  else if (values.json !== true) io.stdout.write(`${outcomeText(record, { colour: io.colour.stdout })}\n`);
  if (io.env.WF_DEBUG === '1' && record.cause !== undefined) io.stderr.write(`${record.redactor.text(stackOf(record.cause))}\n`);
  if (mocks !== undefined) {
    const { mockWarnings } = await import('../engine/files/mocks-file.js');
    for (const warning of mockWarnings(mocks, record.prepared.workflow, record.redactor))
      io.stderr.write(`Warning: ${warning}\n`);
  }
  for (const problem of await save(record)) io.stderr.write(`${problem}\n`);
}

interface StoredRun {
  readonly where: string;
  readonly prepared: Prepared;
  readonly request: WfRecord;
  readonly options: RunOptions;
  readonly values: Values;
  readonly save: RunFiles['save'];
}

/** The record of the run, or the exit code if it continues later. */
async function runWithStore(
  engine: Engine,
  { where, prepared, request, options, values, save }: StoredRun,
  io: Io,
): Promise<RunRecord | number> {
  const { runInStore } = await import('./run-in-store.js');
  const { signal: _, ...own } = options;
  const flags = { strictEnv: values.strictEnv === true, json: values.json === true, wait: values.wait === true };
  const startedAt = new Date();
  const kept = await runInStore({ prepared, request, where, options: own, ...flags }, io);
  if (kept === undefined) {
    await engine.close();
    return INTERRUPTED;
  }
  const recordOf = async (outcome: Outcome, cause?: unknown): Promise<RunRecord> => {
    const ended = { ...prepared, run: async () => outcome };
    return { ...(await engine.execute(ended, request, { startedAt })), cause, prepared, runId: kept.run };
  };
  if ('outcome' in kept) return recordOf(kept.outcome, kept.cause);
  const { exitCode, status: unfinished, message, log } = kept;
  const soFar = await recordOf(toOutcome({ status: 'error', message, log }));
  for (const problem of await save({ ...soFar, unfinished })) io.stderr.write(`${problem}\n`);
  await engine.close();
  return exitCode;
}
