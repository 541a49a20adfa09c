// Waiting that can be cut short: by a signal, or by a time limit.

/** Waits. Returns false if the signal aborted first. */
export function passes(milliseconds: number, signal: AbortSignal): Promise<boolean> {
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
export async function settles(promise: Promise<void>, milliseconds: number): Promise<boolean> {
  const over = new AbortController();
  const isOver = passes(milliseconds, over.signal);
  const settled = await Promise.race([promise.then(() => true), isOver.then(() => false)]);
  over.abort();
  return settled;
}
