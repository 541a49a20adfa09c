// Waits whose end the calendar tells: `wait until` a moment, `wait 5 working days`, `wait 1 month`.
import { DAY_MS, type DateUnit } from '../dates/date-unit.js';
import { parseMoment } from '../dates/moment.js';
import { shiftDate } from '../dates/shift-date.js';
import type { SourceLocation, Value } from '../types.js';
import { WfError } from '../values/errors.js';
import { operandText } from '../values/operand-text.js';
import { show } from '../values/values.js';
import type { Run } from './run.js';
import { cannotWait, type WaitUnit, waitDuration, waitInRun } from './wait.js';

/**
 * Does not wait for a moment in the past.
 * @param minutes since midnight of that day, instead of its start
 * @throws WfError for anything but a moment; RunEnded; a suspension if the journal releases the run
 */
export function waitUntil(run: Run, value: Value, location: SourceLocation, site: number, minutes?: number): Promise<void> {
  const moment = typeof value === 'string' ? parseMoment(value) : undefined;
  if (moment === undefined) throw notAMoment(value, location);
  const { calendar } = run.days;
  const due =
    minutes === undefined
      ? calendar.instantOf(moment)
      : calendar.zone.instantOf(calendar.dayOf(moment) * DAY_MS + minutes * MINUTE_MS);
  return waitUntilDue(run, due, location, site);
}

/** `wait until 8:00`: the next time that clocks show it, in minutes since midnight. */
export function waitUntilClock(run: Run, minutes: number, location: SourceLocation, site: number): Promise<void> {
  const { zone } = run.days.calendar;
  const today = Math.floor(zone.wallOf(presentOf(run)) / DAY_MS);
  const [first, next] = [today, today + 1].map((day) => zone.instantOf(day * DAY_MS + minutes * MINUTE_MS));
  const due = first !== undefined && first > presentOf(run) ? first : next;
  return waitUntilDue(run, due ?? presentOf(run), location, site);
}

const MINUTE_MS = 60_000;

/** `now` stays where it is while calls take their time. With mock answers and a journal, no time passes. */
const presentOf = (run: Run): number =>
  run.mocks === undefined || run.clock.isSimulated ? run.clock.now() : Date.parse(run.now);

function waitUntilDue(run: Run, due: number, location: SourceLocation, site: number): Promise<void> {
  const present = presentOf(run);
  return waitInRun(run, { durationMs: Math.max(0, due - present), title: 'wait until', location, site, due });
}

/**
 * An amount of time in milliseconds, counted from now.
 * @param location with the text of the amount as both operands
 * @throws WfError for anything but a number from 0, and for a fraction of days, months or years of the calendar
 */
export function timeSpan(run: Run, amount: Value, unit: DateUnit, location: SourceLocation): number {
  if (unit !== 'months' && unit !== 'years' && unit !== 'working days' && unit !== 'working hours')
    return waitDuration(amount, unit satisfies WaitUnit, location);
  if (typeof amount === 'number' && amount < 0) throw cannotWait(amount, unit, location);
  const present = presentOf(run);
  const due = parseMoment(shiftDate(run.days.calendar, new Date(present).toISOString(), 1, amount, unit, location));
  return due === undefined ? 0 : run.days.calendar.instantOf(due) - present;
}

/**
 * @param location with the text of the amount as both operands
 * @throws WfError for anything but a whole number from 0; RunEnded; a suspension if the journal releases the run
 */
export function waitCalendar(
  run: Run,
  amount: Value,
  unit: 'months' | 'years' | 'working days' | 'working hours',
  location: SourceLocation,
  site: number,
): Promise<void> {
  if (typeof amount === 'number' && amount < 0) throw cannotWait(amount, unit, location);
  const due = parseMoment(shiftDate(run.days.calendar, run.now, 1, amount, unit, location));
  const durationMs = due === undefined ? 0 : run.days.calendar.instantOf(due) - Date.parse(run.now);
  return waitInRun(run, { durationMs, title: `wait ${show(amount)} ${unit}`, location, site });
}

const notAMoment = (value: Value, location: SourceLocation | undefined): WfError =>
  new WfError(
    'WF636',
    `I can't wait until then: ${operandText(value, location?.[3], 'the value')}, but I need a date such as "2026-03-01", or a date and time such as "2026-03-01T09:30:00Z".`,
    location,
  );
