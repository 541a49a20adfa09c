// `today plus 30 days`, `due minus 2 working days`: moves a date or time. The result has the format of the first value.
import { withoutNoise } from '../values/number-format.js';
import { named } from '../values/operand-text.js';
import type { SourceLocation, Value } from '../values/value-types.js';
import type { Calendar } from './calendar.js';
import { addMonths } from './civil-date.js';
import { momentOf, noWorkingHours, outOfCalendar, timeOf, wrongAmount } from './date-errors.js';
import { type CalendarUnit, clockUnits, DAY_MS, type DateUnit, isClockUnit } from './date-unit.js';
import { isInRange, type Moment, momentText } from './moment.js';

/** More days than lie between any two dates. */
const MOST = 4_000_000;

/**
 * `value plus amount unit`; `minus` has `sign` -1. Hours, minutes and seconds are exact and need a time. All other units move the date and
 * keep the clock time of the workflow's zone. A clock time skipped by a change of the clock moves past it by the same amount. The location
 * has the texts of both operands.
 * @throws WfError if the value is not a date or time, if the amount is not a number or not whole although it has to be, and if the year of
 *   the result doesn't have four digits
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
  if (unit === 'working hours') {
    const moment = timeOf(value, aim, location, 3, 'the time');
    return byWorkingHours(calendar, moment, sign * Math.round(size * clockUnits.hours), location) ?? outside();
  }
  const moment = momentOf(value, aim, location, 3, 'the date');
  if (!Number.isInteger(size)) throw wrongAmount(unit, amount, location?.[4], location);
  if (size === 0) return value as string; // parsed as a moment above
  return (Math.abs(size) > MOST ? undefined : byCalendar(calendar, moment, sign * size, unit)) ?? outside();

  function outside(): never {
    const written = [named(location?.[3], 'The date'), sign < 0 ? 'minus' : 'plus', named(location?.[4], 'so many'), unit];
    throw outOfCalendar(written.join(' '), location);
  }
}

/** `undefined` for a result outside the calendar. */
function byClock({ zone }: Calendar, moment: Moment, ms: number): string | undefined {
  const written = moment.day * DAY_MS + moment.time;
  const wall = moment.form === 'offset' ? written + ms : zone.wallOf(zone.instantOf(written) + ms);
  return isInRange(Math.floor(wall / DAY_MS)) ? momentText(wall, moment) : undefined;
}

/** Adds working time. No time at all changes nothing, even outside the working hours. */
function byWorkingHours(calendar: Calendar, moment: Moment, ms: number, location?: SourceLocation): string | undefined {
  if (calendar.hours === undefined) throw noWorkingHours(location);
  const instant = calendar.instantOf(moment);
  const end = ms === 0 ? instant : calendar.hours.plus(instant, ms);
  if (end === undefined) return undefined;
  const shown = moment.form === 'offset' ? end + moment.offset : calendar.zone.wallOf(end);
  return isInRange(Math.floor(shown / DAY_MS)) ? momentText(shown, moment) : undefined;
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

/** The day that many units later. Months and years end on the last day of a shorter month. */
function movedDay(calendar: Calendar, day: number, amount: number, unit: CalendarUnit): number {
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
