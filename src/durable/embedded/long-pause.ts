// The pauses that callers learn about, rather than wait for.
import type { WaitingFor } from '../run-views.js';

/** Minimum milliseconds of such a pause. */
const LONG_PAUSE_MS = 30_000;

/** @param due milliseconds since 1970; `undefined` if the wait has no limit */
export const isLongPause = ({ kind }: WaitingFor, due: number | undefined): boolean =>
  kind === 'message' || kind === 'person' || due === undefined || due - Date.now() > LONG_PAUSE_MS;

/** Whether a run that waits for this is in such a pause now. */
export const isPausedLong = (waiting: WaitingFor): boolean =>
  isLongPause(waiting, waiting.until === undefined ? undefined : Date.parse(waiting.until));
