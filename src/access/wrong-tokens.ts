// Slows down guessing, on every route alike. Each wrong token from an address delays the answer to its next wrong one. Right tokens are
// compared first and never wait: guesses lock no one else out behind the same proxy.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { senderAddress } from './rate-limit.js';

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
 * How often this token, or one that begins alike, was wrong before, and how many others were. A program that keeps sending one old token
 * is one mistake to everyone else at its address; a program that guesses becomes slower with each guess.
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
