// The `Prefer` header (RFC 7240) in, what the client asked for out.
import type { IncomingHttpHeaders } from 'node:http';

export interface Preference {
  /** Answer 202 as soon as the run is on disk. */
  readonly respondAsync: boolean;
  /** Milliseconds the client waits for the outcome; `undefined` if it does not say. */
  readonly waitMs: number | undefined;
}

/** A client may wait this long at most, in seconds. */
const LONGEST_WAIT = 60;

/** Unknown preferences and values that make no sense are ignored, as the RFC asks. */
export function readPreference({ prefer }: IncomingHttpHeaders): Preference {
  let respondAsync = false;
  let waitMs: number | undefined;
  for (const part of (prefer === undefined ? '' : String(prefer)).split(',')) {
    const [name = '', value = ''] = (part.split(';', 1)[0] ?? '').split('=', 2).map((text) => text.trim());
    if (name.toLowerCase() === 'respond-async') respondAsync = true;
    if (name.toLowerCase() !== 'wait' || waitMs !== undefined) continue;
    const seconds = /^"?(\d{1,9})"?$/.exec(value)?.[1];
    if (seconds !== undefined) waitMs = Math.min(Number(seconds), LONGEST_WAIT) * 1000;
  }
  return { respondAsync, waitMs };
}
