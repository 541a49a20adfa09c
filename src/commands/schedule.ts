// `wf schedule <file>`: options and a workflow file or built module in, runs at their due times, the exit code out (`behaviour.md` 5).
import type { Mocks } from '../../runtime/types.js';
import { renderText } from '../compiler/diagnostics/render-text.js';
import { summary } from '../compiler/diagnostics/summary.js';
import { readMocks } from '../engine/mocks-file.js';
import { prepare } from '../engine/prepare.js';
import { type PlanOptions, readPlan } from '../scheduler/read-plan.js';
import { type RunScheduleOptions, runSchedule } from '../scheduler/run-schedule.js';
import type { Io } from './io.js';
import { watchPlugins } from './plugin-faults.js';

export interface ScheduleOptions extends PlanOptions, RunScheduleOptions {
  readonly mock?: boolean | undefined;
  /** File with mock answers of one's own. */
  readonly mocks?: string | undefined;
}

/** @throws UsageError for everything that is wrong with the options; nothing has run then. */
export async function scheduleCommand(target: string, options: ScheduleOptions, shell: Io): Promise<number> {
  const io = listening(shell);
  const plan = readPlan(options, Date.now());
  const preparation = await prepare(target, { cwd: io.cwd, env: io.env, trace: options.verbose === true });
  const faults = preparation.ok ? preparation.prepared.warnings : preparation.diagnostics;
  if (faults.length > 0) io.stderr.write(`${renderText(faults, { colour: io.colour.stderr })}\n\n${summary(faults)}\n`);
  if (!preparation.ok) return 1;
  // Read anew for each run, as the input is: answers that fail at first would be used up by the first run.
  const mocks = (): boolean | Mocks => (options.mocks === undefined ? options.mock === true : readMocks(options.mocks, io.cwd));
  // What a plugin leaves unhandled must not end the schedule.
  const unwatch = watchPlugins(io, { prepared: preparation.prepared });
  try {
    return await runSchedule(plan, preparation.prepared, options, io, mocks);
  } finally {
    unwatch();
  }
}

/** Listens from the start: a signal while the file is being compiled must not be lost. */
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
  // Not a copy: its streams are set up where they are read.
  return Object.create(shell, { onStop: { value: onStop } });
}
