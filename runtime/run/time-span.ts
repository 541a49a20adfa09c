// Amounts of time in words, as test cases have them: `3 days`, `2 working days`, `90 minutes`.
import { type DateUnit, isClockUnit, type TimeSpan } from '../dates/date-unit.js';
import { parseMoment } from '../dates/moment.js';
import { shiftDate } from '../dates/shift-date.js';
import type { Run } from './run.js';
import { type WaitUnit, waitDuration } from './wait.js';

const units: ReadonlyMap<string, DateUnit> = new Map(
  (['seconds', 'minutes', 'hours', 'days', 'weeks', 'months', 'years', 'working days', 'working hours'] as const).flatMap(
    (unit) => [
      [unit, unit],
      [unit.slice(0, -1), unit],
    ],
  ),
);

/** Examples for messages about text that is no amount of time. */
export const spanHint = 'For example "90 minutes", "3 days" or "2 working days".';

/** `undefined` for anything but an amount and a unit; days, months and years of the calendar are whole. */
export function readTimeSpan(text: string): TimeSpan | undefined {
  const [, digits = '', word = ''] = /^(\d{1,9}(?:\.\d{1,6})?) ([a-z]+(?: [a-z]+)?)$/.exec(text.trim()) ?? [];
  const unit = units.get(word);
  const amount = Number(digits);
  if (unit === undefined || (!Number.isInteger(amount) && !isExact(unit) && unit !== 'working hours')) return undefined;
  return { amount, unit };
}

/** Whether a unit always takes the same number of milliseconds, as in `wait`. */
const isExact = (unit: DateUnit): unit is WaitUnit => isClockUnit(unit) || unit === 'days' || unit === 'weeks';

/** Milliseconds from a moment, in milliseconds since 1970, until so much later in the calendar of the run. */
export function spanMs(run: Run, { amount, unit }: TimeSpan, from: number): number {
  if (isExact(unit)) return waitDuration(amount, unit, NOWHERE);
  const { calendar } = run.days;
  const due = parseMoment(shiftDate(calendar, new Date(from).toISOString(), 1, amount, unit, NOWHERE));
  return due === undefined ? 0 : calendar.instantOf(due) - from;
}

/** The span is not in the text of the workflow. */
const NOWHERE = [1, 1, 0] as const;
