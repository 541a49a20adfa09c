// `wf run`: runs a workflow once and prints its log lines and outcome.
import { exitCodeOf, responseJson } from '../../runtime/response.js';
import type { LogEntry, RunOptions, WfRecord } from '../../runtime/types.js';
import { renderText } from '../compiler/diagnostics/render-text.js';
import { summary } from '../compiler/diagnostics/summary.js';
import { createEngine, type Engine } from '../engine/engine.js';
import type { Io } from '../engine/io.js';
import { logLine, verboseLine } from '../engine/log-lines.js';
import { outcomeText } from '../engine/outcome-text.js';
import { prepare } from '../engine/prepare.js';
import type { Prepared } from '../engine/prepared.js';
import type { RunRecord } from '../engine/run-record.js';
import { acceptedInput } from '../input/accepted-input.js';
import { readInput } from '../input/read-input.js';
import type { Values } from './command-table.js';
import { createProgress } from './progress.js';

export async function runCommand(file: string, values: Values, io: Io): Promise<number> {
  const { colour, cwd, env } = io;
  const text = (name: string): string | undefined => (typeof values[name] === 'string' ? values[name] : undefined);
  const verbose = values.verbose === true;
  const quiet = values.quiet === true;

  const input = await readInput({
    input: text('input'),
    inputFile: text('inputFile'),
    sheet: text('sheet'),
    asText: text('asText'),
    cwd,
  });
  // Loaded only if needed, because few runs use them.
  const [mocksPath, logPath, recordPath] = [text('mocks'), text('outputLog'), text('record')];
  const mocks = mocksPath === undefined ? undefined : (await import('../engine/mocks-file.js')).readMocks(mocksPath, cwd);
  const logs = logPath === undefined ? undefined : await import('../engine/log-file.js');
  const logFile = logPath === undefined ? undefined : await logs?.prepareLogFile(logPath, cwd);
  const recording =
    recordPath === undefined ? undefined : await (await import('../engine/recording.js')).prepareRecording(recordPath, cwd);
  const preparation = await prepare(file, { cwd, env, trace: verbose });
  const found = preparation.ok ? preparation.prepared.warnings : preparation.diagnostics;
  if (found.length > 0 && !(quiet && preparation.ok))
    io.stderr.write(`${renderText(found, { colour: colour.stderr })}\n\n${summary(found)}\n\n`);
  if (!preparation.ok) return 1;
  for (const warning of quiet ? [] : input.warnings) io.stderr.write(`${warning}\n`);
  const { request, problems } = acceptedInput(preparation.prepared.workflow, input);
  if (problems.length > 0) {
    const { problemText } = await import('../input/problem-text.js');
    io.stderr.write(`${problemText(file, preparation.prepared.workflow, problems, input)}\n`);
    return 2;
  }

  const logStream = values.json === true ? io.stderr : io.stdout;
  const progress = createProgress(io);
  const onLog = (entry: LogEntry): void => {
    progress.clear();
    if (entry.type === 'log' && !quiet) logStream.write(`${logLine(entry)}\n`);
    const line = verbose ? verboseLine(entry, { colour: colour.stderr }) : undefined;
    if (line !== undefined) io.stderr.write(`${line}\n`);
  };
  const stop = new AbortController();
  const unlisten = io.onStop(() => stop.abort(new Error('interrupted')));
  const { services, calledServices = [] } = preparation.prepared.workflow;
  const hasPlugins = [...services, ...calledServices].some(({ kind }) => kind === 'plugin');
  const unwatch = hasPlugins
    ? (await import('./plugin-faults.js')).watchPlugins(io, { prepared: preparation.prepared, stop })
    : undefined;
  const engine = createEngine({ env, mock: mocks ?? values.mock === true, strictEnv: values.strictEnv === true });
  const options = {
    onLog,
    requestIsAccepted: true,
    signal: stop.signal,
    onProgress: (at: number, done: number, total: number) => progress.update(at, `line ${at}`, done, total),
    ...(recording === undefined ? {} : { onExchange: recording.onExchange }),
  };
  // Mock runs are never stored.
  const where = mocks === undefined && values.mock !== true ? (text('store') ?? env.WF_STORE ?? '') : '';
  const record =
    where === ''
      ? await engine.execute(preparation.prepared, request, options)
      : await runWithStore(engine, { where, prepared: preparation.prepared, request, options, values }, io);
  unlisten();
  progress.clear();
  if (typeof record === 'number') return record;

  if (values.json === true) io.stdout.write(`${responseJson(record.outcome)}\n`);
  if (record.outcome.status === 'error') io.stderr.write(`${outcomeText(record, { colour: colour.stderr })}\n`);
  else if (values.json !== true) io.stdout.write(`${outcomeText(record, { colour: colour.stdout })}\n`);
  if (mocks !== undefined) {
    const { mockWarnings } = await import('../engine/mock-warnings.js');
    for (const warning of mockWarnings(mocks, preparation.prepared.workflow, record.redactor))
      io.stderr.write(`Warning: ${warning}\n`);
  }
  for (const saved of [
    logFile === undefined ? undefined : await logs?.saveLogFile(logFile, record),
    await recording?.save(record),
  ]) {
    if (saved !== undefined && 'problem' in saved) io.stderr.write(`${saved.problem}\n`);
  }
  await engine.close();
  unwatch?.();
  return exitCodeOf(record.outcome);
}

interface StoredRun {
  readonly where: string;
  readonly prepared: Prepared;
  readonly request: WfRecord;
  readonly options: RunOptions;
  readonly values: Values;
}

/** The record of the run, or the exit code if it continues later. */
async function runWithStore(
  engine: Engine,
  { where, prepared, request, options, values }: StoredRun,
  io: Io,
): Promise<RunRecord | number> {
  const { runKept } = await import('./run-kept.js');
  const { signal: _, ...own } = options;
  const flags = { strictEnv: values.strictEnv === true, json: values.json === true, wait: values.wait === true };
  const startedAt = new Date();
  const kept = await runKept({ prepared, request, where, options: own, ...flags }, io);
  if ('exitCode' in kept) {
    await engine.close();
    return kept.exitCode;
  }
  const ended = { ...prepared, run: async () => kept.outcome };
  return { ...(await engine.execute(ended, request, { startedAt })), prepared, runId: kept.run };
}
