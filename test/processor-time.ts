// Measures work by the time that it takes of a processor. A busy machine stretches every other time.

/** Starts to measure. The returned function gives the milliseconds of processor time since then, of all threads of this process. */
export function processorTime(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
}
