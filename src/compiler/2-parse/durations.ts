// Converts an amount of time to milliseconds.

import type { DateUnit } from '../../../runtime/dates/date-unit.js';
import { DAY_MS } from '../../../runtime/values/time-units.js';

/** A month counts as its shortest form. What takes longer than that certainly takes too long. */
const units: Readonly<Record<DateUnit, number>> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: DAY_MS,
  'working days': DAY_MS,
  'working hours': 3_600_000,
  weeks: 7 * DAY_MS,
  months: 28 * DAY_MS,
  years: 365 * DAY_MS,
};

export const inMilliseconds = ({ amount, unit }: { readonly amount: number; readonly unit: DateUnit }): number =>
  Math.round(amount * units[unit]);
