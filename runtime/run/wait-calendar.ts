// `wait 5 working days`, `wait 1 month`: until the same time of day, so many days, months or years later.

import { parseMoment } from '../dates/moment.js';
import { shiftDate } from '../dates/shift-date.js';
import type { SourceLocation, Value } from '../types.js';
import { show } from '../values/values.js';
import type { Run } from './run.js';
import { waitInRun } from './wait.js';
import { cannotWait } from './wait-duration.js';

/**
 * @param location with the text of the amount as both operands
 * @throws WfError for anything but a whole number from 0; RunEnded; a suspension if the journal releases the run
 */
export function waitCalendar(
  run: Run,
  amount: Value,
  unit: 'months' | 'years' | 'working days',
  location: SourceLocation,
  site: number,
): Promise<void> {
  if (typeof amount === 'number' && amount < 0) throw cannotWait(amount, unit, location);
  const due = parseMoment(shiftDate(run.days.calendar, run.now, 1, amount, unit, location));
  const durationMs = due === undefined ? 0 : run.days.calendar.instantOf(due) - Date.parse(run.now);
  return waitInRun(run, durationMs, `wait ${show(amount)} ${unit}`, location, site);
}
