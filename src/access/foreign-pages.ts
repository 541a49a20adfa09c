// Decides what a browser may start on a server that only its address protects: any page that someone on this machine visits can send
// requests to a loopback address.
import type { IncomingMessage } from 'node:http';
import { hostName, isLoopbackHost, isOwnOrigin } from './local-request.js';

export interface PageOptions {
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
