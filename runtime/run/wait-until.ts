// `wait until` a moment: a date, which means its start, or a date and time.
import { parseMoment } from '../dates/moment.js';
import { notAMoment } from '../people/message-errors.js';
import type { SourceLocation, Value } from '../types.js';
import type { Run } from './run.js';
import { waitInRun } from './wait.js';

/**
 * Does not wait for a moment in the past.
 * @throws WfError for anything but a moment; RunEnded; a suspension if the journal releases the run
 */
export function waitUntil(run: Run, value: Value, location: SourceLocation, site: number): Promise<void> {
  const moment = typeof value === 'string' ? parseMoment(value) : undefined;
  if (moment === undefined) throw notAMoment(value, location);
  const due = run.days.calendar.instantOf(moment);
  // `now` stays where it is while calls take their time. With mock answers, no time passes.
  const present = run.mocks === undefined ? Date.now() : Date.parse(run.now);
  return waitInRun(run, Math.max(0, due - present), 'wait until', location, site, due);
}
