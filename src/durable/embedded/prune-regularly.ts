// Deletes old runs now and every hour. If the store is unavailable, retries an hour later.

/** Milliseconds between searches for runs old enough to delete. */
const EVERY_MS = 3_600_000;

/** @param keepMs how long to keep runs; forever by default. Returns the timer, for clearing it. */
export function pruneRegularly(
  keepMs: number | undefined,
  prune: (options: { readonly olderThanMs: number }) => Promise<unknown>,
): ReturnType<typeof setInterval> | undefined {
  if (keepMs === undefined) return undefined;
  const pruneNow = (): void => void prune({ olderThanMs: keepMs }).catch(() => undefined);
  pruneNow();
  return setInterval(pruneNow, EVERY_MS).unref();
}
