// Reads the cookies of a request and builds the header that sets one.
import type { IncomingMessage } from 'node:http';

/** The value of a cookie; the first one if a browser sends several of that name. */
export function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** The value of `Set-Cookie`; `maxAgeSeconds` 0 deletes the cookie. Scripts and other sites can't access it. */
export function setCookie(request: IncomingMessage, name: string, value: string, maxAgeSeconds: number): string {
  const secure = isBehindTls(request) ? '; Secure' : '';
  return `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Strict${secure}`;
}

/** Whether the browser uses TLS, either to this process or to a proxy in front of it. */
function isBehindTls({ socket, headers }: IncomingMessage): boolean {
  const forwarded = headers['x-forwarded-proto'];
  return 'encrypted' in socket || (typeof forwarded === 'string' && forwarded.split(',')[0]?.trim().toLowerCase() === 'https');
}
