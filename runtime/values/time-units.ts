// Lengths of time in milliseconds.

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
/** A day of 24 hours: days are longer or shorter when the clocks change. */
export const DAY_MS = 86_400_000;
