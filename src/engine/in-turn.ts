// Runs tasks one at a time, in the order in which they came.

/** Returns a function that starts a task when all earlier ones have ended, also if they failed. */
export function inTurn(): <T>(task: () => Promise<T>) => Promise<T> {
  let earlier: Promise<unknown> = Promise.resolve();
  return (task) => {
    const done = earlier.then(task);
    earlier = done.catch(() => undefined);
    return done;
  };
}
