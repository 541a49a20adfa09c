// Waits for a promise, but not forever.

/** Starts the timers of this turn of the event loop. */
let begun: (() => void)[] = [];

function startTimers(): void {
  const starts = begun;
  begun = [];
  for (const start of starts) start();
}

/** The result of the promise, or `undefined` after `ms` milliseconds. */
export function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  // By hand, because `Promise.race` takes several times longer, and every request to a server with a store comes here. Most runs end before
  // the event loop turns, in less time than a timer takes.
  return new Promise((resolve, reject) => {
    let isOver = false;
    let timer: NodeJS.Timeout | undefined;
    if (begun.length === 0) setImmediate(startTimers);
    begun.push(() => {
      if (!isOver) timer = setTimeout(resolve, ms, undefined);
    });
    promise.then(
      (result) => {
        isOver = true;
        clearTimeout(timer);
        resolve(result);
      },
      (error) => {
        isOver = true;
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
