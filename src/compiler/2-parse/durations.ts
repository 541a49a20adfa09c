// Converts an amount of time to milliseconds.
import type { DateUnit } from '../../../runtime/dates/date-unit.js';

const DAY = 86_400_000;

/** A month counts as its shortest form. What takes longer than that certainly takes too long. */
const units: Readonly<Record<DateUnit, number>> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: DAY,
  'working days': DAY,
  weeks: 7 * DAY,
  months: 28 * DAY,
  years: 365 * DAY,
};

export const inMilliseconds = ({ amount, unit }: { readonly amount: number; readonly unit: DateUnit }): number =>
  Math.round(amount * units[unit]);
