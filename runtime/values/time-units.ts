// Lengths of time in milliseconds, and in words for messages.
import type { TimeSpan } from '../dates/date-unit.js';
import { show } from './values.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
/** A day of 24 hours: days are longer or shorter when the clocks change. */
export const DAY_MS = 86_400_000;

const units = [
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** In the largest unit that divides it: `1 second`, `90 seconds`, `2 hours`. Fractions of a second become decimals. */
export function durationText(ms: number): string {
  const [name, size] = units.find(([, length]) => ms > 0 && ms % length === 0) ?? (['second', 1_000] as const);
  const count = ms / size;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** An amount of the calendar as it is written: `8 working hours`. */
export const calendarText = ({ amount, unit }: TimeSpan): string => `${show(amount)} ${amount === 1 ? unit.slice(0, -1) : unit}`;
