// Runs tasks one at a time, in the order in which they came, and waits until a signal or a time limit ends the wait.

/** Returns a function that starts a task when all earlier ones have ended, also if they failed. */
export function inTurn(): <T>(task: () => Promise<T>) => Promise<T> {
  let earlier: Promise<unknown> = Promise.resolve();
  return (task) => {
    const done = earlier.then(task);
    earlier = done.catch(() => undefined);
    return done;
  };
}

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
