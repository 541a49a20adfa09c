// Waits for a promise, but not forever.

/** The result of the promise, or `undefined` after `ms` milliseconds. */
export function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  // By hand, because `Promise.race` takes several times longer, and every request to a server with a store comes here.
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms, undefined);
    promise.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
