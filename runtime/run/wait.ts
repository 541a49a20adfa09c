// `wait`: in memory, or with a due time in the journal of a run in a store.

import type { SourceLocation } from '../types.js';
import { milliseconds } from './clock.js';
import type { Sleep } from './durable-run.js';
import type { Run } from './run.js';

/** How a journal waits: in memory, at most until `wake` resolves. */
export const sleepOf =
  (run: Run): Sleep =>
  (ms, wake) =>
    run.pause(ms, wake);

/**
 * Waits for `durationMs`, which also advances `now`.
 * @param title as written in the file
 * @param due when it ends, in milliseconds since 1970, if the file names a moment
 * @throws RunEnded; a suspension if the journal releases the run
 */
export async function waitInRun(
  run: Run,
  durationMs: number,
  title: string,
  location: SourceLocation,
  site: number,
  due?: number,
): Promise<void> {
  const [line] = location;
  const begin = (): void => run.journal.add('wait', line, { durationMs });
  if (run.durable !== undefined)
    return run.durable.pause({ kind: 'wait', site, line, title }, durationMs, sleepOf(run), begin, due);
  begin();
  const since = milliseconds();
  await run.pause(durationMs);
  run.moveOn(milliseconds() - since);
}
