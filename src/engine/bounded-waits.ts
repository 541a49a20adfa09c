// Waits that a signal or a time limit ends early.

/** Resolves with true after this time, or with false as soon as the signal aborts. */
export function sleepUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const onAbort = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve(true);
    }, milliseconds);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Whether the promise settled in time. Leaves no timer behind. */
export async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const over = new AbortController();
  const isOver = sleepUnlessAborted(milliseconds, over.signal);
  const settled = await Promise.race([promise.then(() => true), isOver.then(() => false)]);
  over.abort();
  return settled;
}
