// Parses the `Prefer` header (RFC 7240).
import type { IncomingHttpHeaders } from 'node:http';

export interface Preference {
  /** Answer 202 as soon as the run is on disk. */
  readonly respondAsync: boolean;
  /** Milliseconds that the client waits for the outcome; absent if it does not say. */
  readonly waitMs: number | undefined;
}

/** The longest wait that a client may ask for, in seconds. */
const LONGEST_WAIT = 60;

const none: Preference = { respondAsync: false, waitMs: undefined };

/** Ignores unknown preferences and invalid values, as the RFC requires. */
export function readPreference({ prefer }: IncomingHttpHeaders): Preference {
  if (prefer === undefined) return none;
  let respondAsync = false;
  let waitMs: number | undefined;
  for (const part of String(prefer).split(',')) {
    const [name = '', value = ''] = (part.split(';', 1)[0] ?? '').split('=', 2).map((text) => text.trim());
    if (name.toLowerCase() === 'respond-async') respondAsync = true;
    if (name.toLowerCase() !== 'wait' || waitMs !== undefined) continue;
    const seconds = /^"?(\d{1,9})"?$/.exec(value)?.[1];
    if (seconds !== undefined) waitMs = Math.min(Number(seconds), LONGEST_WAIT) * 1000;
  }
  return { respondAsync, waitMs };
}
