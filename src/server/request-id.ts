// A request goes in, the id that its answer and its log lines carry comes out (`behaviour.md` 4).
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const USABLE = /^[\x21-\x7e]{1,128}$/;

/** Random for each process, then counted: unique everywhere, and without the price of fresh random bytes at each request. */
const PREFIX = randomUUID().slice(0, 24);
/** Counts between these have 12 digits. */
const [FIRST, MOST] = [16 ** 11, 16 ** 12];
let count = FIRST + Math.floor(Math.random() * 16 ** 8);

/** The request's own `X-Request-Id` where it is 1 to 128 visible ASCII characters, else a new one. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && USABLE.test(given) ? given : newRequestId();
}

/** In the form of a UUID. */
export function newRequestId(): string {
  if (++count === MOST) count = FIRST;
  return PREFIX + count.toString(16);
}
