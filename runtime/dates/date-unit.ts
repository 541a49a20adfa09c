// The units of date arithmetic.

export type ClockUnit = 'seconds' | 'minutes' | 'hours';
/** Hours in which the workflow's `working hours:` are open. */
export type WorkingUnit = 'working hours';
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
