// The clock for durations and limits. `performance.now()` would load a whole module of Node.js at first use, which takes longer
// than a small run.

/** Milliseconds, with fractions, since an arbitrary moment. Never goes back. */
export function milliseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
