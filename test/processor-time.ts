// Measures work by the time that it takes of a processor. A busy machine stretches every other time.

/** Starts to measure. The returned function gives the milliseconds of processor time since then, of all threads of this process. */
export function processorTime(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
}

/** Milliseconds that the work below takes on a quiet machine. `attacks/files/longest-turn.cjs` does the same in a server. */
export const FIXED_WORK = 250;

/** How many times longer than on a quiet machine a fixed piece of work takes now; at least 1. Busy neighbours slow a processor down, too. */
export function slowness(): number {
  const took = processorTime();
  const all = Array.from({ length: 300_000 }, (_, index) => ({ name: `k${index}`, value: index }));
  JSON.parse(JSON.stringify(all));
  return Math.max(1, took() / FIXED_WORK);
}
