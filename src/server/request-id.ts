// The id of a request, which its answer and its log lines carry.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const USABLE = /^[\x21-\x7e]{1,128}$/;

/** Random per process, followed by a counter: unique, without the cost of fresh random bytes for each request. */
const PREFIX = randomUUID().slice(0, 24);
/** Numbers in this range have 12 hexadecimal digits. */
const [FIRST, MOST] = [16 ** 11, 16 ** 12];
let count = FIRST + Math.floor(Math.random() * 16 ** 8);

/** The request's own `X-Request-Id` if it consists of 1 to 128 visible ASCII characters; a new one otherwise. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && USABLE.test(given) ? given : newRequestId();
}

/** In UUID format. */
export function newRequestId(): string {
  if (++count === MOST) count = FIRST;
  return PREFIX + count.toString(16);
}
