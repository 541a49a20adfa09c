// Tells whether a request comes from this machine. A server on a loopback address without an operator token trusts such requests.
// Requests that a proxy forwards, or that a web page elsewhere makes a browser send, are not local.
import type { IncomingMessage } from 'node:http';

const FORWARDED = /^(?:forwarded|x-forwarded-.*|x-real-ip)$/;

/** Whether `Host` names this machine, no page of another origin sent the request, and no proxy forwarded it. */
export function isLocalRequest({ headers }: IncomingMessage): boolean {
  const host = hostName(`http://${headers.host ?? ''}`);
  if (host === undefined || !isLoopbackHost(host)) return false;
  if (Object.keys(headers).some((name) => FORWARDED.test(name))) return false;
  return headers.origin === undefined || isOwnOrigin(headers.origin, headers.host ?? '');
}

/** Whether a host name or address, as written in a URL or after `--host`, is a loopback address. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.+)\]$/, '$1');
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}

/** Whether an origin is this server's own. The scheme may differ, because TLS may end at a proxy. */
export function isOwnOrigin(origin: string, host: string): boolean {
  try {
    return new URL(origin).host === new URL(`${new URL(origin).protocol}//${host}`).host;
  } catch {
    return false;
  }
}

export function hostName(url: string): string | undefined {
  try {
    return new URL(url).hostname;
  } catch {
    return undefined;
  }
}
