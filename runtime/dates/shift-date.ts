// `today plus 30 days`, `due minus 2 working days`: a date or time, moved. The result is written as the first value is.
import { withoutNoise } from '../number-format.js';
import { named } from '../operand-text.js';
import type { SourceLocation, Value } from '../types.js';
import type { Calendar } from './calendar.js';
import { addMonths } from './civil-date.js';
import { outOfCalendar, wrongAmount } from './date-errors.js';
import { momentOf, timeOf } from './date-operand.js';
import { type CalendarUnit, clockUnits, type DateUnit, isClockUnit } from './date-unit.js';
import { DAY_MS, isInRange, type Moment, momentText } from './moment.js';

/** More days than there are between any two dates. */
const MOST = 4_000_000;

/**
 * `value plus amount unit`, for `minus` with `sign` -1. Hours, minutes and seconds are exact and need a time; all others move the date and keep what
 * the clock of the workflow's zone shows, in which a time that its change of the hour leaves out becomes the one as long after the change.
 * The place has the texts of both operands.
 * @throws WfError for what is no date or time, an amount that is no number, or none that is whole where it must be, and a result that four
 * digits of a year cannot show
 */
export function shiftDate(
  calendar: Calendar,
  value: Value,
  sign: 1 | -1,
  amount: Value,
  unit: DateUnit,
  location?: SourceLocation,
): string {
  if (typeof amount !== 'number') throw wrongAmount(unit, amount, location?.[4], location);
  const size = withoutNoise(amount);
  const aim = `${sign < 0 ? 'subtract' : 'add'} ${unit}`;
  if (isClockUnit(unit)) {
    const moment = timeOf(value, aim, location, 3, 'the time');
    return byClock(calendar, moment, sign * Math.round(size * clockUnits[unit])) ?? outside();
  }
  const moment = momentOf(value, aim, location, 3, 'the date');
  if (!Number.isInteger(size)) throw wrongAmount(unit, amount, location?.[4], location);
  if (size === 0) return value as string; // read as a moment above
  return (Math.abs(size) > MOST ? undefined : byCalendar(calendar, moment, sign * size, unit)) ?? outside();

  function outside(): never {
    const written = [named(location?.[3], 'The date'), sign < 0 ? 'minus' : 'plus', named(location?.[4], 'so many'), unit];
    throw outOfCalendar(written.join(' '), location);
  }
}

/** `undefined` for a result outside of the calendar. */
function byClock({ zone }: Calendar, moment: Moment, ms: number): string | undefined {
  const written = moment.day * DAY_MS + moment.time;
  const wall = moment.form === 'offset' ? written + ms : zone.wallOf(zone.instantOf(written) + ms);
  return isInRange(Math.floor(wall / DAY_MS)) ? momentText(wall, moment) : undefined;
}

function byCalendar(calendar: Calendar, moment: Moment, amount: number, unit: CalendarUnit): string | undefined {
  const wall = calendar.wallOf(moment);
  const day = Math.floor(wall / DAY_MS);
  const moved = movedDay(calendar, day, amount, unit);
  if (!isInRange(moved)) return undefined;
  if (moment.form === 'date') return momentText(moved * DAY_MS, moment);
  const instant = calendar.zone.instantOf(wall + (moved - day) * DAY_MS);
  const shown = moment.form === 'offset' ? instant + moment.offset : calendar.zone.wallOf(instant);
  return isInRange(Math.floor(shown / DAY_MS)) ? momentText(shown, moment) : undefined;
}

/** The day so many units later; months and years end at the last day of a month that is shorter. */
export function movedDay(calendar: Calendar, day: number, amount: number, unit: CalendarUnit): number {
  switch (unit) {
    case 'days':
      return day + amount;
    case 'weeks':
      return day + amount * 7;
    case 'months':
      return addMonths(day, amount);
    case 'years':
      return addMonths(day, amount * 12);
    case 'working days':
      return calendar.addWorkingDays(day, amount);
  }
}
