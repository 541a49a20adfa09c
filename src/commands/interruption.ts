// What an interruption of a command means for the run of a store that it is working on.

/** Exit code of a command that was interrupted: 128 and the number of SIGINT. */
export const INTERRUPTED = 130;

/** Milliseconds that calls in progress get. */
export const GRACE_MS = 10_000;

/** @param option the `--store` that the next command needs; see `storeOption` */
export const goOnLine = (run: string, option: string): string => `Interrupted. Go on with: wf runs resume ${run}${option}\n`;
