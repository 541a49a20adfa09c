// Lengths of time in milliseconds, and in words for messages.

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
