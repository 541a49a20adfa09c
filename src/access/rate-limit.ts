// Limits senders: counts the requests of each for `--rate-limit`, telling them apart by their token, or else by their address; and slows
// down guessing, on every route alike. Each wrong token from an address delays the answer to its next wrong one. Right tokens are compared
// first and never wait, so that guesses lock no one else out behind the same proxy.
import { createHash } from 'node:crypto';
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

export interface WrongTokens {
  /**
   * Resolves when a wrong token may be answered, or at once with `busy` if too many answers are pending. A client that disconnects still
   * uses up its turn.
   */
  slow(request: IncomingMessage, token: string): Promise<'slowed' | 'busy'>;
  /** Ends every delay, those to come included, so that a server that stops need not wait for them. */
  release(): void;
}

interface WrongTokensOptions {
  /** Proxies in front of the server that set `X-Forwarded-For`; 0 for none. */
  readonly trustProxy?: number;
  /** Calls back after that many milliseconds. Returns a function that ends the wait. */
  readonly after?: (ms: number, done: () => void) => () => void;
  readonly now?: () => number;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/** Pending answers, of one address and in total. */
const MOST_WAITING = { fromOne: 20, together: 500 };
/** Time after which the wrong tokens of an address are forgotten. */
const MEMORY_MS = 15 * 60_000;
const MOST_ADDRESSES = 10_000;
/** Beyond this, the longest delay is reached anyway. */
const MOST_PREFIXES = 16;
/** Tokens that begin alike are counted together: guesses that only differ at the end don't look like many mistakes. */
const PREFIX_LENGTH = 8;

interface Guesser {
  /** Wrong tokens by a digest of how they begin. */
  readonly counts: Map<string, number>;
  waiting: number;
  last: number;
}

export function createWrongTokens({ trustProxy = 0, after = timer, now = Date.now }: WrongTokensOptions = {}): WrongTokens {
  const guessers = new Map<string, Guesser>();
  const pending = new Set<() => void>();
  let isReleased = false;
  return {
    async slow(request, token) {
      if (isReleased) return 'slowed';
      const guesser = guesserAt(guessers, senderAddress(request, trustProxy), now());
      if (pending.size >= MOST_WAITING.together || guesser.waiting >= MOST_WAITING.fromOne) return 'busy';
      guesser.waiting++;
      const delay = Math.min(FIRST_DELAY_MS * 2 ** wrongBefore(guesser, token), LONGEST_DELAY_MS);
      await new Promise<void>((resolve) => {
        const end = (): void => {
          pending.delete(endNow);
          resolve();
        };
        const stop = after(delay, end);
        const endNow = (): void => {
          stop();
          end();
        };
        pending.add(endNow);
      });
      guesser.waiting--;
      return 'slowed';
    },
    release() {
      isReleased = true;
      for (const end of [...pending]) end();
    },
  };
}

/** Forgets the address that was silent longest when there are too many: an attack from so many is slowed by what may be pending. */
function guesserAt(guessers: Map<string, Guesser>, address: string, time: number): Guesser {
  const known = guessers.get(address);
  if (known !== undefined) guessers.delete(address);
  const isFresh = known === undefined || (known.waiting === 0 && time - known.last > MEMORY_MS);
  const guesser = isFresh ? { counts: new Map<string, number>(), waiting: 0, last: time } : known;
  guesser.last = time;
  guessers.set(address, guesser);
  const [oldest] = guessers.keys();
  if (guessers.size > MOST_ADDRESSES && oldest !== undefined) guessers.delete(oldest);
  return guesser;
}

/**
 * Counts how often this token, or one that begins alike, was wrong before, and how many others were. A program that keeps sending one old
 * token is one mistake to everyone else at its address; a program that guesses becomes slower with each guess.
 */
function wrongBefore({ counts }: Guesser, token: string): number {
  const prefix = createHash('sha256').update(token.slice(0, PREFIX_LENGTH)).digest('base64').slice(0, 12);
  const before = counts.get(prefix) ?? 0;
  const others = counts.size - (counts.has(prefix) ? 1 : 0);
  if (counts.has(prefix) || counts.size < MOST_PREFIXES) counts.set(prefix, before + 1);
  return before + others;
}

const timer = (ms: number, done: () => void): (() => void) => {
  const started = setTimeout(done, ms);
  return () => clearTimeout(started);
};
