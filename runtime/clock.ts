// The one clock that durations and limits are measured by. Not `performance.now()`: Node.js loads its whole module for measurements at
// the first look at that, which takes longer than a small run.

/** Milliseconds, with fractions, since some moment; they never go back. */
export function milliseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
