// `wf schedule <file-or-folder>`: runs workflow files or built modules at their due times and returns the exit code.
import type { LogEntry, Mocks } from '../../runtime/types.js';
import { renderText, summary } from '../compiler/diagnostics/render-text.js';
import type { DurableEngine } from '../durable/durable-engine.js';
import { readMocks } from '../engine/files/mocks-file.js';
import { deriveIo, type Io } from '../engine/io.js';
import { limitRunMemory } from '../engine/memory-watch.js';
import { findServed } from '../engine/prepare/find-served.js';
import { prepare } from '../engine/prepare/prepare.js';
import type { Prepared } from '../engine/prepare/prepared.js';
import { printJson } from '../engine/records/print-json.js';
import { createPrinter, faultLine } from '../engine/records/printer.js';
import { createRunReports, type RunReports } from '../engine/records/run-reports.js';
import { logLine } from '../engine/records/terminal-lines.js';
import { readAlert, readKeep, readLogFormat, readPublicUrl, readRunMemory, readStorePlace } from '../engine/shared-options.js';
import { startTracing } from '../engine/tracing.js';
import { UsageError } from '../engine/usage-error.js';
import { namesSchedule, type PlanOptions, readPlan } from '../scheduler/read-plan.js';
import { type RunSchedulesOptions, runSchedules } from '../scheduler/run-schedules.js';
import { watchUnhandledErrors } from './unhandled-errors.js';

export interface ScheduleOptions extends PlanOptions, Omit<RunSchedulesOptions, 'openStore' | 'reports' | 'isJson'> {
  readonly logFormat?: string | undefined;
  readonly outputLog?: string | undefined;
  readonly mock?: boolean | undefined;
  /** File with mock answers. */
  readonly mocks?: string | undefined;
  readonly otel?: boolean | undefined;
  readonly alert?: string | undefined;
  readonly keep?: string | undefined;
  readonly publicUrl?: string | undefined;
  readonly maxRunMemory?: string | undefined;
}

/** @throws UsageError if any option is wrong, before anything runs */
export async function scheduleCommand(target: string, options: ScheduleOptions, shell: Io): Promise<number> {
  const io = listening(shell);
  // Report wrong options before anything is compiled.
  if (namesSchedule(options)) readPlan(options, Date.now());
  const isJson = readLogFormat(options.logFormat) === 'json';
  if (isJson) printJson(io);
  const store = placeOfStore(options, io);
  const alert = readAlert(options.alert, io.env);
  const runMemory = readRunMemory(options.maxRunMemory);
  const storeOptions = { keepMs: readKeep('--keep', options.keep), publicUrl: readPublicUrl(options.publicUrl, io.env) };
  const { single, files } = findServed(target, io.cwd, 'schedule', []);
  if (!single && namesSchedule(options))
    throw new UsageError(
      '--every and --cron schedule one workflow.',
      'Name its file. In a folder, each workflow says in its config: when it runs:\n    schedule: "weekday at 9:00"',
    );
  const workflows = await prepareAll(files, options, io);
  if (workflows === undefined) return 1;
  const due = single ? workflows : workflows.filter(({ workflow }) => workflow.schedule !== undefined);
  if (due.length === 0)
    throw new UsageError(
      `No workflow in ${target} has a schedule.`,
      'Write it into the config: of the workflow:\n    schedule: "weekday at 9:00"',
    );
  const scheduled = due.map((prepared) => ({ plan: planOf(options, prepared, single), prepared }));
  const onProblem = (sentence: string): void => void io.stderr.write(`${sentence}\n`);
  const reports = await createRunReports({
    env: io.env,
    cwd: io.cwd,
    alert,
    outputLog: options.outputLog,
    onProblem,
    linkOf: (run) =>
      store === undefined || storeOptions.publicUrl === undefined ? undefined : `${storeOptions.publicUrl}/runs/${run}`,
  });
  const openStore = async (out: (line: string) => void, err: (line: string) => void): Promise<DurableEngine> => {
    return openRunStore(store ?? '', { ...storeOptions, workflows, reports, out, err, io });
  };
  // Read again for each run, like the input: the first run would use up answers such as "fail twice".
  const mocks = (): boolean | Mocks => (options.mocks === undefined ? options.mock === true : readMocks(options.mocks, io.cwd));
  // An unhandled error must not end the schedule.
  const unwatch = watchUnhandledErrors(io, { workflows: () => due });
  const stopTracing = await startTracing({ env: io.env, isAsked: options.otel === true, onProblem });
  const unlimit = limitRunMemory(runMemory);
  try {
    return await runSchedules(
      scheduled,
      { ...options, isJson, reports, store, ...(store === undefined ? {} : { openStore }) },
      io,
      mocks,
    );
  } finally {
    unlimit();
    await reports?.close();
    await stopTracing();
    unwatch();
  }
}

/** Mock runs are never stored. @throws UsageError */
function placeOfStore({ store, mock, mocks }: ScheduleOptions, { env }: Io): string | undefined {
  const where = readStorePlace(store, env);
  return mock === true || mocks !== undefined ? undefined : where;
}

/** Prints the findings of the check; `undefined` if one of the files has errors. */
async function prepareAll(
  files: readonly string[],
  { verbose, logFormat }: ScheduleOptions,
  io: Io,
): Promise<Prepared[] | undefined> {
  const { cwd, env, colour, stderr } = io;
  const preparations = await Promise.all(files.map((file) => prepare(file, { cwd, env, trace: verbose === true })));
  const faults = preparations.flatMap((one) => (one.ok ? one.prepared.warnings : one.diagnostics));
  if (logFormat === 'json') {
    const printer = createPrinter(await io.stream('stderr'), { jsonLevel: 'error' });
    for (const fault of faults) printer.line(fault.message, () => faultLine(fault));
    await printer.flush();
  } else if (faults.length > 0) stderr.write(`${renderText(faults, { colour: colour.stderr })}\n\n${summary(faults)}\n`);
  const prepared = preparations.flatMap((one) => (one.ok ? [one.prepared] : []));
  return prepared.length === preparations.length ? prepared : undefined;
}

/** @throws UsageError, which names the file if there are several */
function planOf(options: PlanOptions, { file, workflow }: Prepared, single: boolean): ReturnType<typeof readPlan> {
  try {
    return readPlan(options, Date.now(), workflow);
  } catch (error) {
    if (single || !(error instanceof UsageError)) throw error;
    throw new UsageError(`${file}: ${error.message}`, error.hint);
  }
}

/** Listens from the start, so that a signal during compilation is not lost. */
function listening(shell: Io): Io {
  let heard: Parameters<Parameters<Io['onStop']>[0]> | undefined;
  let callback: Parameters<Io['onStop']>[0] | undefined;
  const unlisten = shell.onStop((...stop) => {
    heard = stop;
    callback?.(...stop);
  });
  const onStop: Io['onStop'] = (given) => {
    callback = given;
    if (heard !== undefined) given(...heard);
    return unlisten;
  };
  return deriveIo(shell, { onStop });
}

interface ScheduleStoreOptions {
  readonly io: Pick<Io, 'env' | 'cwd'>;
  readonly workflows: readonly Prepared[];
  readonly keepMs: number | undefined;
  readonly publicUrl: string | undefined;
  readonly reports: RunReports | undefined;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** @throws UsageError if the store can't be used */
async function openRunStore(
  where: string,
  { io, workflows, keepMs, publicUrl, reports, out, err }: ScheduleStoreOptions,
): Promise<DurableEngine> {
  const { openStore } = await import('../durable/open-store.js');
  const store: DurableEngine = await openStore(where, {
    env: io.env,
    cwd: io.cwd,
    keepMs,
    publicUrl,
    current: (name) => workflows.find(({ basename }) => basename === name),
    onProblem: err,
    onLog: (_run, entry: LogEntry) => {
      if (entry.type === 'log') out(logLine(entry));
    },
    ...(reports === undefined ? {} : { onLeft: (left) => reports.left(left, store) }),
  });
  return store;
}
