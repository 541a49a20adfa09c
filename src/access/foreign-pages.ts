// Decides what a browser may start on a server that only its address protects: any page that someone on this machine visits can send
// requests to a loopback address. Without an operator token, such a server trusts requests from this machine, unless a proxy forwards them
// or a page elsewhere makes a browser send them.
import type { IncomingMessage } from 'node:http';

interface PageOptions {
  /** Whether callers need a token, which no other site knows. */
  readonly needsToken: boolean;
  /** Whether the server listens on a loopback address. */
  readonly isLoopback: boolean;
  /** Origins whose pages may send requests; `*` for all. */
  readonly allowed: readonly string[];
  /** Where people reach the server through a proxy. */
  readonly publicUrl?: string | undefined;
  /** Proxies in front of the server. */
  readonly trustProxy?: number;
}

/** Whether a page of another site may have sent the request. */
export type ForeignPageTest = (request: IncomingMessage) => boolean;

export function createForeignPageTest({
  needsToken,
  isLoopback,
  allowed,
  publicUrl,
  trustProxy = 0,
}: PageOptions): ForeignPageTest {
  if (needsToken || !isLoopback || allowed.includes('*')) return () => false;
  const own = publicUrl === undefined ? allowed : [...allowed, new URL(publicUrl).origin];
  const hosts = new Set(own.map(hostName));
  const publicHost = publicUrl === undefined ? undefined : hostName(publicUrl);
  // A proxy sends whatever host it is configured to send.
  const isProxied = trustProxy > 0 || (publicHost !== undefined && !isLoopbackHost(publicHost));
  // Another name means that a site let its own name lead here, to pass for this server (DNS rebinding). Most requests name the same host.
  let lastHost: string | undefined;
  let isLastForeign = false;
  return ({ headers }) => {
    const { origin, host = '', 'sec-fetch-site': site, 'content-type': type = '' } = headers;
    if (origin !== undefined && own.includes(origin)) return false;
    if (origin !== undefined && !isOwnOrigin(origin, host)) return true;
    // On the same site are all ports of this machine.
    if (site === 'cross-site' || (site === 'same-site' && origin === undefined)) return true;
    // Amazon SNS sends plain text, with a header that no page can set without asking first.
    if (type !== 'application/json' && isOfPages(type) && headers['x-amz-sns-message-type'] === undefined) return true;
    if (isProxied) return false;
    if (host !== lastHost) {
      const name = hostName(`http://${host}`);
      lastHost = host;
      isLastForeign = name === undefined || !(isLoopbackHost(name) || hosts.has(name));
    }
    return isLastForeign;
  };
}

/** Bodies that pages send anywhere without asking, and programs never send to a workflow. */
const isOfPages = (type: string): boolean => /^\s*(?:text\/plain|multipart\/form-data)\s*(?:;|$)/i.test(type);

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

function hostName(url: string): string | undefined {
  try {
    return new URL(url).hostname;
  } catch {
    return undefined;
  }
}
