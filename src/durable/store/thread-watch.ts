// Notices that a thread does not answer, for example because a disk hangs, and that it answers again. Counts the seconds in which this
// process itself moved, whatever a clock says: a process that was stopped, or a machine that slept, has a silent thread for no longer.
// Such a thread can't be ended: it may be inside the library of the store, which would take the process down with it.

const TICK_MS = 1_000;
/** Ticks without an answer after which a thread counts as hung. Its longest work takes a few seconds. */
const MOST_TICKS = 30;

export interface WatchedThread {
  /** Asks it for a sign of life; `undefined` if none is needed now. */
  readonly ask: () => Promise<unknown> | undefined;
  /** @param problem the end of a sentence; `undefined` when it answers again */
  readonly onSilence: (problem: string | undefined) => void;
}

/** Returns a function that stops watching. */
export function watchThread({ ask, onSilence }: WatchedThread): () => void {
  let silentTicks = 0;
  let isAsked = false;
  const heard = (): void => {
    isAsked = false;
    if (silentTicks >= MOST_TICKS) onSilence(undefined);
    silentTicks = 0;
  };
  const timer = setInterval(() => {
    if (isAsked) {
      if (++silentTicks === MOST_TICKS) onSilence(`it has not answered for ${MOST_TICKS} seconds`);
      return;
    }
    const answer = ask();
    isAsked = answer !== undefined;
    answer?.then(heard, heard);
  }, TICK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
