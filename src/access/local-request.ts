// A request in, whether it comes from a person or program on this very machine out. A server on a loopback address without an operator
// token trusts such requests; one that a proxy passes on, or that a web page elsewhere makes a browser send, is not one.
import type { IncomingMessage } from 'node:http';

const FORWARDED = /^(?:forwarded|x-forwarded-.*|x-real-ip)$/;

/** Whether `Host` names this machine, no page of another origin sent it, and no proxy passed it on. */
export function isLocalRequest({ headers }: IncomingMessage): boolean {
  const host = hostName(`http://${headers.host ?? ''}`);
  if (host === undefined || !isLoopbackHost(host)) return false;
  if (Object.keys(headers).some((name) => FORWARDED.test(name))) return false;
  return headers.origin === undefined || isOwnOrigin(headers.origin, headers.host ?? '');
}

/** Whether a name or an address, as a URL or `--host` writes it, is this machine's own. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.+)\]$/, '$1');
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name);
}

/** Whether a page of this origin is one of the server at this `Host`; the scheme may differ, where TLS ends before it. */
export function isOwnOrigin(origin: string, host: string): boolean {
  try {
    return new URL(origin).host === new URL(`${new URL(origin).protocol}//${host}`).host;
  } catch {
    return false;
  }
}

function hostName(url: string): string | undefined {
  try {
    return new URL(url).hostname;
  } catch {
    return undefined;
  }
}
