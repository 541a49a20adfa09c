// The id of a request, which its answer and its log lines carry.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const USABLE = /^[\x21-\x7e]{1,128}$/;

/** A number of nine decimal digits, because writing a small integer in decimal is much faster than any number in hexadecimal. */
const [FIRST, MOST] = [10 ** 8, 10 ** 9];
/** Random, followed by a counter: unique, without the cost of fresh random bytes for each request. */
let prefix = newPrefix();
let count = FIRST + Math.floor(Math.random() * FIRST);

/** The request's own `X-Request-Id` if it consists of 1 to 128 visible ASCII characters; a new one otherwise. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && USABLE.test(given) ? given : newRequestId();
}

/** In UUID format. */
export function newRequestId(): string {
  if (++count === MOST) {
    prefix = newPrefix();
    count = FIRST;
  }
  return prefix + count;
}

function newPrefix(): string {
  return randomUUID().slice(0, -9);
}
