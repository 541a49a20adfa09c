// Slows down guessing. Each wrong token from an address delays the answer to its next wrong one, and only a few answers may be pending. The
// right token is never delayed.
import type { IncomingMessage } from 'node:http';

export interface WrongGuesses {
  /** True if so many guesses are pending that a token is not even compared: a fast answer would reveal the right one. */
  isBusy(request: IncomingMessage): boolean;
  /** Resolves when a wrong token may be answered. A client that disconnects still uses up its turn. */
  slow(request: IncomingMessage): Promise<void>;
  /** The right token came from this address. */
  forget(request: IncomingMessage): void;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/** Maximum pending guesses, per address and in total. */
const MOST_WAITING = { fromOne: 3, together: 50 };
/** Time after which wrong guesses of an address are forgotten. */
const MEMORY_MS = 15 * 60_000;
const MOST_ADDRESSES = 10_000;

interface Guesser {
  failures: number;
  waiting: number;
  last: number;
}

/** @param pause resolves after that many milliseconds */
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
    // The oldest comes first. An attack from that many addresses is slowed by the limit on pending guesses.
    const [oldest] = guessers.keys();
    if (oldest !== undefined) guessers.delete(oldest);
  }
  const guesser = { failures: 0, waiting: 0, last: 0 };
  guessers.set(network, guesser);
  return guesser;
}

/** Groups IPv6 addresses by their first 64 bits, because a client has a whole network of them. */
function networkOf({ socket }: IncomingMessage): string {
  const address = socket.remoteAddress ?? '';
  return address.includes(':') && !address.startsWith('::') ? address.split(':').slice(0, 4).join(':') : address;
}

const defaultPause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
