// Where clients reach the server: at `--public-url`, at the address that a trusted proxy forwards, or at the server itself. A proxy may
// serve it below a path, which it removes from requests; every address that the server hands out begins with that path.
import type { IncomingMessage } from 'node:http';
import { escapedHtml } from '../../../runtime/texts/escaped-html.js';
import type { Reply } from './answer.js';

export interface PublicAddress {
  /** `/flows`, or nothing. */
  readonly prefixOf: (request: IncomingMessage) => string;
  /** `https://wf.example.com/flows`, without a trailing slash. */
  readonly baseOf: (request: IncomingMessage) => string;
}

interface PublicAddressOptions {
  /** Without a trailing slash. */
  readonly publicUrl: string | undefined;
  /** Proxies in front of the server whose `X-Forwarded-…` headers count. */
  readonly trustProxy: number;
}

export function createPublicAddress({ publicUrl, trustProxy }: PublicAddressOptions): PublicAddress {
  if (publicUrl !== undefined) {
    const { pathname } = new URL(publicUrl);
    const prefix = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
    return { prefixOf: () => prefix, baseOf: () => publicUrl };
  }
  if (trustProxy === 0)
    return { prefixOf: () => '', baseOf: ({ headers, socket }) => `${schemeOf(socket)}://${hostOf(headers.host)}` };
  const prefixOf: PublicAddress['prefixOf'] = ({ headers }) => {
    const given = headers['x-forwarded-prefix'];
    return typeof given === 'string' && given.length <= MOST_OF_A_PREFIX && PREFIX.test(given) ? given : '';
  };
  return {
    prefixOf,
    baseOf(request) {
      const { 'x-forwarded-proto': scheme, 'x-forwarded-host': host } = request.headers;
      const forwarded = scheme === 'https' || scheme === 'http' ? scheme : schemeOf(request.socket);
      return `${forwarded}://${hostOf(typeof host === 'string' ? host : request.headers.host)}${prefixOf(request)}`;
    },
  };
}

/** Segments without dots in front, so neither another host (`//`) nor a way up (`..`). */
const PREFIX = /^(?:\/[\w~-][\w.~-]*)+$/;
const MOST_OF_A_PREFIX = 200;
const HOST = /^(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?$/i;

/** Plain enough for a command line and a page. */
const hostOf = (host: string | undefined): string => (host !== undefined && HOST.test(host) ? host : 'localhost:3000');

const schemeOf = (socket: IncomingMessage['socket']): string => ('encrypted' in socket ? 'https' : 'http');

/**
 * An answer whose addresses begin with the prefix: of the page, if it is one, and of `Location`. Templates escape the quotation marks of
 * every value, so only an attribute of our own contains `="/`.
 */
export function withPrefix(reply: Reply, prefix: string): Reply {
  if (prefix === '') return reply;
  const headers = reply.headers?.map((value, index) =>
    index % 2 === 1 && reply.headers?.[index - 1] === 'Location' && value.startsWith('/') ? prefix + value : value,
  );
  const isPage = reply.text !== undefined && reply.type?.startsWith('text/html') === true;
  const text = isPage
    ? reply.text?.replace(ADDRESS, (attribute) => attribute.replace('/', () => `${escapedHtml(prefix)}/`))
    : reply.text;
  return { ...reply, ...(headers === undefined ? {} : { headers }), ...(text === undefined ? {} : { text }) };
}

const ADDRESS = / (?:href|src|action|formaction|data-part)="\//g;
