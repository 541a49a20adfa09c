// Slows down guessing: each wrong token from an address makes the answer to the next wrong one come later, and only a few may be
// under way. The right token is never held up.
import type { IncomingMessage } from 'node:http';

export interface WrongGuesses {
  /** True where so many guesses are under way that not even a comparison may be had: it would tell the right one by its speed. */
  isBusy(request: IncomingMessage): boolean;
  /** Resolves when the answer to a wrong token may be given. A client that leaves still uses up its turn. */
  slow(request: IncomingMessage): Promise<void>;
  /** The right token came from there. */
  forget(request: IncomingMessage): void;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/** Guesses that may wait at a time, from one address and from all of them. */
const MOST_WAITING = { fromOne: 3, together: 50 };
/** What an address did longer ago than this does not count any more. */
const MEMORY_MS = 15 * 60_000;
const MOST_ADDRESSES = 10_000;

interface Guesser {
  failures: number;
  waiting: number;
  last: number;
}

/** @param pause resolves after so many milliseconds */
export function createWrongGuesses(
  pause: (ms: number) => Promise<void> = defaultPause,
  now: () => number = Date.now,
): WrongGuesses {
  const guessers = new Map<string, Guesser>();
  let together = 0;
  const find = (request: IncomingMessage): Guesser | undefined => {
    const found = guessers.get(networkOf(request));
    if (found !== undefined && found.waiting === 0 && now() - found.last > MEMORY_MS) found.failures = 0;
    return found;
  };
  return {
    isBusy: (request) => together >= MOST_WAITING.together || (find(request)?.waiting ?? 0) >= MOST_WAITING.fromOne,
    async slow(request) {
      const guesser = find(request) ?? remember(guessers, networkOf(request));
      const delay = Math.min(FIRST_DELAY_MS * 2 ** guesser.failures, LONGEST_DELAY_MS);
      guesser.failures++;
      guesser.last = now();
      guesser.waiting++;
      together++;
      try {
        await pause(delay);
      } finally {
        guesser.waiting--;
        together--;
      }
    },
    forget: (request) => void guessers.delete(networkOf(request)),
  };
}

function remember(guessers: Map<string, Guesser>, network: string): Guesser {
  if (guessers.size >= MOST_ADDRESSES) {
    // The oldest stands first; whoever comes from so many addresses is slowed by what may wait together.
    const [oldest] = guessers.keys();
    if (oldest !== undefined) guessers.delete(oldest);
  }
  const guesser = { failures: 0, waiting: 0, last: 0 };
  guessers.set(network, guesser);
  return guesser;
}

/** An IPv6 client has a whole network of addresses: its first 64 bits count. */
function networkOf({ socket }: IncomingMessage): string {
  const address = socket.remoteAddress ?? '';
  return address.includes(':') && !address.startsWith('::') ? address.split(':').slice(0, 4).join(':') : address;
}

const defaultPause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
