// Milliseconds in words, for messages.

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
