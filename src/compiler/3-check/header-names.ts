// Common request headers, and the one that a name was most likely meant to be. Any header name is legal, so only typing mistakes count, not
// resemblances.
import { boundedDistance } from '../diagnostics/edit-distance.js';

const usual = [
  'Accept',
  'Accept-Charset',
  'Accept-Encoding',
  'Accept-Language',
  'Api-Key',
  'Authorization',
  'Cache-Control',
  'Content-Language',
  'Content-Type',
  'Cookie',
  'Idempotency-Key',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'Origin',
  'Prefer',
  'Proxy-Authorization',
  'Referer',
  'User-Agent',
  'X-Api-Key',
  'X-Auth-Token',
  'X-Request-Id',
] as const;

/** Shorter names are too similar to each other. */
const LEAST_LENGTH = 6;

/** The common header that `name` misspells by one or two letters; `undefined` if `name` is common itself, or unlike any. */
export function meantHeader(name: string): string | undefined {
  const folded = name.toLowerCase().replace(/[ _]/g, '-');
  if (folded.length < LEAST_LENGTH) return undefined;
  const same = usual.find((header) => header.toLowerCase() === folded);
  if (same !== undefined) return same.toLowerCase() === name.toLowerCase() ? undefined : same;
  const most = folded.length < 10 ? 1 : 2;
  return usual.find((header) => boundedDistance(folded, header.toLowerCase(), most) <= most);
}
