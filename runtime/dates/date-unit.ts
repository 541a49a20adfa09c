// Units of time: those of date arithmetic, lengths in milliseconds, and lengths in words for messages.

type ClockUnit = 'seconds' | 'minutes' | 'hours';
/** Hours in which the workflow's `working hours:` are open. */
type WorkingUnit = 'working hours';
export type CalendarUnit = 'days' | 'weeks' | 'months' | 'years' | 'working days';
export type DateUnit = ClockUnit | CalendarUnit | WorkingUnit;

/** An amount of time, as written: `3 days`. */
export interface TimeSpan {
  readonly amount: number;
  readonly unit: DateUnit;
}

/** Units of the clock in milliseconds. All others depend on the calendar. */
export const clockUnits: Readonly<Record<ClockUnit, number>> = { seconds: 1_000, minutes: 60_000, hours: 3_600_000 };

export const isClockUnit = (unit: string): unit is ClockUnit => Object.hasOwn(clockUnits, unit);

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
