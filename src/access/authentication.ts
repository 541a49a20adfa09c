// Checks requests and typed tokens against a configured token.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Whether a request may pass. */
export type Authentication = (request: IncomingMessage) => boolean;

const CREDENTIALS = /^Bearer +(\S+)$/i;

/**
 * Compares digests in constant time, so the answer reveals neither the length nor a common prefix. A request with two
 * `Authorization` headers never passes, because two programs could each read a different one.
 */
export function createAuthentication(token: string): Authentication {
  const isToken = createTokenTest(token);
  return (request) => {
    const given = onlyToken(request);
    return given !== undefined && isToken(given);
  };
}

/** The Bearer token of a request with exactly one `Authorization` header. */
export const onlyToken = ({ rawHeaders }: IncomingMessage): string | undefined =>
  CREDENTIALS.exec(onlyAuthorization(rawHeaders) ?? '')?.[1];

/** Whether a text is the token. Compares in constant time, too. */
export function createTokenTest(token: string): (given: string) => boolean {
  const expected = digest(token);
  return (given) => timingSafeEqual(digest(given), expected);
}

/** What stands in an `Authorization` header after its scheme, or all of it. */
export const givenToken = (authorization: string): string => CREDENTIALS.exec(authorization)?.[1] ?? authorization;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Reads the raw headers, because Node.js drops the second of two such headers. */
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
