// Reads a time of day in 24-hour or am/pm notation.

export interface ClockTime {
  /** 0 to 23. */
  readonly hour: number;
  /** 0 to 59. */
  readonly minute: number;
}

const TWENTY_FOUR = /^(\d{1,2}):(\d{2})$/;
const TWELVE = /^(\d{1,2})(?::(\d{2}))?(am|pm)$/;

/** Reads `9:00`, `09:00`, `23:59`, `9am` or `5:30pm` (lower case). Returns `undefined` for anything else. */
export function parseClockTime(text: string): ClockTime | undefined {
  const full = TWENTY_FOUR.exec(text);
  if (full) return inRange(Number(full[1]), Number(full[2]));
  const half = TWELVE.exec(text);
  if (!half) return undefined;
  const hour = Number(half[1]);
  if (hour < 1 || hour > 12) return undefined;
  // 12am is midnight and 12pm is noon.
  return inRange((hour % 12) + (half[3] === 'pm' ? 12 : 0), Number(half[2] ?? 0));
}

function inRange(hour: number, minute: number): ClockTime | undefined {
  return hour <= 23 && minute <= 59 ? { hour, minute } : undefined;
}
