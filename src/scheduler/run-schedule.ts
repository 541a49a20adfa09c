// Runs a schedule until it is stopped: everything in `wf schedule` after the options are read and the file is compiled.

import { exitCodeOf } from '../../runtime/response.js';
import type { Mocks, RunStatus } from '../../runtime/types.js';
import { counted } from '../compiler/diagnostics/summary.js';
import { createEngine } from '../engine/engine.js';
import type { Io } from '../engine/io.js';
import { prepareLogFolder } from '../engine/log-file.js';
import { missingEnvironment, missingSentence } from '../engine/missing-environment.js';
import type { Prepared } from '../engine/prepared.js';
import { createPrinter, silent } from '../engine/printer.js';
import { readInput } from '../input/read-input.js';
import { timetableLines } from './plan-text.js';
import type { Plan } from './read-plan.js';
import { createScheduledRun } from './scheduled-run.js';
import { type OutcomeCounts, Scheduler } from './scheduler.js';
import { StateFile } from './state-file.js';

export interface RunScheduleOptions {
  readonly input?: string | undefined;
  readonly inputFile?: string | undefined;
  readonly sheet?: string | undefined;
  readonly asText?: string | undefined;
  readonly once?: boolean | undefined;
  readonly verbose?: boolean | undefined;
  readonly strictEnv?: boolean | undefined;
  readonly outputLog?: string | undefined;
  readonly catchUp?: boolean | undefined;
  readonly state?: string | undefined;
}

/**
 * Runs until stopped.
 * @param mocks called for each run, because mock answers may count their calls; `false` for the real services
 * @returns 0 when stopped; with `once`, the exit code of the run; 1 if `strictEnv` finds a missing variable
 * @throws UsageError before anything is due, if input, log folder or state can't be used
 */
export async function runSchedule(
  plan: Plan,
  prepared: Prepared,
  options: RunScheduleOptions,
  io: Io,
  mocks: () => boolean | Mocks,
): Promise<number> {
  const { workflow, file } = prepared;
  const { verbose = false, once = false, catchUp = false } = options;
  const printers = [await io.stream('stdout'), await io.stream('stderr')].map((stream) =>
    createPrinter(stream, { together: false }),
  );
  const [{ line: out } = silent, { line: err } = silent] = printers;

  const missing = options.strictEnv ? missingEnvironment(workflow, io.env) : [];
  if (missing.length > 0) {
    err(missingSentence(missing));
    return 1;
  }
  const input = { input: options.input, inputFile: options.inputFile, sheet: options.sheet, asText: options.asText, cwd: io.cwd };
  (await readInput(input)).warnings.forEach(err);
  const mock = mocks() !== false;
  const logFolder = options.outputLog === undefined ? undefined : await prepareLogFolder(options.outputLog, io.cwd);
  const identity = { file: workflow.file, cron: plan.cron.text, timezone: plan.zone.name };
  const engine = createEngine({ env: io.env, mock });
  const scheduler = new Scheduler({
    ...plan,
    once,
    catchUp,
    say: out,
    run: createScheduledRun({ ...plan, engine, prepared, input, logFolder, verbose, mocks, out, err, colour: io.colour }),
    ...(options.state !== undefined && { state: new StateFile(options.state, io.cwd, identity) }),
  });

  let isStopped = false;
  const unlisten = io.onStop(() => {
    isStopped = true;
    void scheduler.stop();
  });
  try {
    await scheduler.open();
    timetableLines(plan, { file, workflow, mock, once }, Date.now()).forEach(out);
    const tally = await scheduler.start();
    out(tallyLine(tally));
    return once && !isStopped ? exitCodeOf({ status: worst(tally) }) : 0;
  } finally {
    unlisten();
    await engine.close();
    await Promise.all(printers.map((printer) => printer.flush()));
  }
}

function tallyLine({ completed, rejected, error, skipped }: OutcomeCounts): string {
  const runs = counted(completed + rejected + error, 'run');
  return `Stopped after ${runs}: ${completed} completed, ${rejected} rejected, ${error} error${skipped > 0 ? `; ${skipped} skipped` : ''}.`;
}

const worst = ({ rejected, error }: OutcomeCounts): RunStatus => (error > 0 ? 'error' : rejected > 0 ? 'rejected' : 'completed');
