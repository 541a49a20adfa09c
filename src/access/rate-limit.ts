// Counts the requests of each sender, for `--rate-limit`. Senders are told apart by their token, or else by their address.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Roles } from './roles.js';

/** So many requests in a window of time, which begins with the first of them. */
export interface RateLimit {
  readonly requests: number;
  readonly windowMs: number;
}

/** Where a sender stands after a request. */
export interface Standing {
  /** Whether this request is within the limit. */
  readonly allowed: boolean;
  /** Requests left in this window. */
  readonly left: number;
  /** Whole seconds until the next window, at least 1. */
  readonly resetSeconds: number;
}

/** Senders counted at a time. Beyond it, the oldest window is forgotten, so that a flood of addresses can't fill the memory. */
const MOST_SENDERS = 100_000;

interface RateLimiterOptions {
  readonly limit: RateLimit;
  /** Proxies in front of the server that set `X-Forwarded-For`; 0 for none. */
  readonly trustProxy: number;
  readonly roles: Pick<Roles, 'tokenOf'>;
  /** In milliseconds, never going back. */
  readonly now?: () => number;
}

export function createRateLimiter(options: RateLimiterOptions): (request: IncomingMessage) => Standing {
  const { limit, trustProxy, roles, now = () => performance.now() } = options;
  /** Windows have one length, so they end in the order in which they were added. */
  const windows = new Map<string, { ends: number; count: number }>();
  const windowOf = (sender: string, time: number): { ends: number; count: number } => {
    for (const [key, { ends }] of windows) {
      if (ends > time && windows.size < MOST_SENDERS) break;
      if (ends > time && windows.has(sender)) break;
      windows.delete(key);
    }
    const known = windows.get(sender);
    if (known !== undefined) return known;
    const fresh = { ends: time + limit.windowMs, count: 0 };
    windows.set(sender, fresh);
    return fresh;
  };
  return (request) => {
    const token = roles.tokenOf(request);
    const time = now();
    const window = windowOf(token === undefined ? senderAddress(request, trustProxy) : `token of ${token}`, time);
    const allowed = window.count < limit.requests;
    if (allowed) window.count++;
    return {
      allowed,
      left: limit.requests - window.count,
      resetSeconds: Math.max(1, Math.ceil((window.ends - time) / 1000)),
    };
  };
}

/**
 * The address of the sender. Each trusted proxy adds the address that it saw at the end of `X-Forwarded-For`; senders can write
 * anything before that. IPv6 addresses count by their first 64 bits, because one customer has all of the others.
 */
export function senderAddress({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>, trustProxy: number): string {
  const direct = socket.remoteAddress ?? '';
  if (trustProxy === 0) return network(direct);
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const seen = forwarded.map((part) => part.trim()).filter((part) => part !== '');
  const address = seen[Math.max(0, seen.length - trustProxy)] ?? direct;
  return network(isIP(address) === 0 ? direct : address);
}

function network(address: string): string {
  const mapped = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  if (isIP(mapped) !== 6) return mapped;
  const [withoutZone = ''] = mapped.split('%');
  const [before = '', after] = withoutZone.split('::');
  const first = before === '' ? [] : before.split(':');
  const last = after === undefined || after === '' ? [] : after.split(':');
  const gap = after === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array.from({ length: gap }, () => '0'), ...last];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
