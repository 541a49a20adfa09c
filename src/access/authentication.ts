// A configured token in, tests of requests and of typed tokens out.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Whether a request may pass. */
export type Authentication = (request: IncomingMessage) => boolean;

const CREDENTIALS = /^Bearer +(\S+)$/i;

/**
 * Digests are compared, in constant time: neither the length nor a common beginning of a guess shows. Two `Authorization` headers
 * never pass: two programs could read a different one of them.
 */
export function createAuthentication(token: string): Authentication {
  const isToken = createTokenTest(token);
  return (request) => {
    const given = CREDENTIALS.exec(onlyAuthorization(request.rawHeaders) ?? '')?.[1];
    return given !== undefined && isToken(given);
  };
}

/** Whether a text is the token, compared as above. */
export function createTokenTest(token: string): (given: string) => boolean {
  const expected = digest(token);
  return (given) => timingSafeEqual(digest(given), expected);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Node keeps the first of two such headers and drops the other, so the list as it was sent is read. */
function onlyAuthorization(raw: readonly string[]): string | undefined {
  let found: string | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (name.length !== 13 || name.toLowerCase() !== 'authorization') continue;
    if (found !== undefined) return undefined;
    found = raw[index + 1];
  }
  return found;
}
