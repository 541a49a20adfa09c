// `wait until` a moment: a date, which means its beginning, or a date and time.
import { parseMoment } from './dates/moment.js';
import { notAMoment } from './message-errors.js';
import type { Run } from './run.js';
import type { SourceLocation, Value } from './types.js';
import { waitInRun } from './wait.js';

/**
 * A moment that has passed does not wait.
 * @throws WfError for anything else; RunEnded; a suspension where the journal lets go of the run
 */
export function waitUntil(run: Run, value: Value, location: SourceLocation, site: number): Promise<void> {
  const moment = typeof value === 'string' ? parseMoment(value) : undefined;
  if (moment === undefined) throw notAMoment(value, location);
  const durationMs = Math.max(0, run.days.calendar.instantOf(moment) - Date.parse(run.now));
  return waitInRun(run, durationMs, 'wait until', location, site);
}
