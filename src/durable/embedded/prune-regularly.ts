// Deletes old runs now and every hour; a store that is just not available is tried again an hour later.

/** Milliseconds between two looks for runs that are old enough to be deleted. */
const EVERY_MS = 3_600_000;

/** @param keepMs runs are kept this long; forever if it is left out. Returns the timer, to be cleared. */
export function pruneRegularly(
  keepMs: number | undefined,
  prune: (options: { readonly olderThanMs: number }) => Promise<unknown>,
): ReturnType<typeof setInterval> | undefined {
  if (keepMs === undefined) return undefined;
  const look = (): void => void prune({ olderThanMs: keepMs }).catch(() => undefined);
  look();
  return setInterval(look, EVERY_MS).unref();
}
