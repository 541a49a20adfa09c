// `wf schedule <file>`: runs a workflow file or built module at its due times and returns the exit code.
import type { Mocks } from '../../runtime/types.js';
import { renderText } from '../compiler/diagnostics/render-text.js';
import { summary } from '../compiler/diagnostics/summary.js';
import { deriveIo, type Io } from '../engine/io.js';
import { readMocks } from '../engine/mocks-file.js';
import { prepare } from '../engine/prepare.js';
import { type PlanOptions, readPlan } from '../scheduler/read-plan.js';
import { type RunScheduleOptions, runSchedule } from '../scheduler/run-schedule.js';
import { watchPlugins } from './plugin-faults.js';

export interface ScheduleOptions extends PlanOptions, RunScheduleOptions {
  readonly mock?: boolean | undefined;
  /** File with mock answers. */
  readonly mocks?: string | undefined;
}

/** @throws UsageError if any option is wrong, before anything runs */
export async function scheduleCommand(target: string, options: ScheduleOptions, shell: Io): Promise<number> {
  const io = listening(shell);
  const plan = readPlan(options, Date.now());
  const preparation = await prepare(target, { cwd: io.cwd, env: io.env, trace: options.verbose === true });
  const faults = preparation.ok ? preparation.prepared.warnings : preparation.diagnostics;
  if (faults.length > 0) io.stderr.write(`${renderText(faults, { colour: io.colour.stderr })}\n\n${summary(faults)}\n`);
  if (!preparation.ok) return 1;
  // Read again for each run, like the input: the first run would use up answers such as "fail twice".
  const mocks = (): boolean | Mocks => (options.mocks === undefined ? options.mock === true : readMocks(options.mocks, io.cwd));
  // An unhandled error in a plugin must not end the schedule.
  const unwatch = watchPlugins(io, { prepared: preparation.prepared });
  try {
    return await runSchedule(plan, preparation.prepared, options, io, mocks);
  } finally {
    unwatch();
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
