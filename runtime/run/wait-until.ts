// Waits whose end the calendar tells: `wait until` a moment, `wait 5 working days`, `wait 1 month`.
import { parseMoment } from '../dates/moment.js';
import { shiftDate } from '../dates/shift-date.js';
import type { SourceLocation, Value } from '../types.js';
import { WfError } from '../values/errors.js';
import { operandText } from '../values/operand-text.js';
import { show } from '../values/values.js';
import type { Run } from './run.js';
import { cannotWait, waitInRun } from './wait.js';

/**
 * Does not wait for a moment in the past.
 * @throws WfError for anything but a moment; RunEnded; a suspension if the journal releases the run
 */
export function waitUntil(run: Run, value: Value, location: SourceLocation, site: number): Promise<void> {
  const moment = typeof value === 'string' ? parseMoment(value) : undefined;
  if (moment === undefined) throw notAMoment(value, location);
  const due = run.days.calendar.instantOf(moment);
  // `now` stays where it is while calls take their time. With mock answers and a journal, no time passes.
  const present = run.mocks === undefined || run.clock.isSimulated ? run.clock.now() : Date.parse(run.now);
  return waitInRun(run, Math.max(0, due - present), 'wait until', location, site, due);
}

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

const notAMoment = (value: Value, location: SourceLocation | undefined): WfError =>
  new WfError(
    'WF636',
    `I can't wait until then: ${operandText(value, location?.[3], 'the value')}, but I need a date such as "2026-03-01", or a date and time such as "2026-03-01T09:30:00Z".`,
    location,
  );
