// The configured token and origin go in and come out usable: a mistake in either must be told at the start, not found by a client.
import { UsageError } from '../engine/usage-error.js';

/**
 * The token as it was given. The message never shows it.
 * @throws UsageError where it is empty or no client could send it (`security.md` 21)
 */
export function checkToken(source: string, token: string): string {
  if (token.trim() === '') {
    throw new UsageError(`The token in ${source} is empty.`, 'Give a token, or leave it out altogether to serve without one.');
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError(
      `The token in ${source} has a space, a line break or another character that an Authorization header cannot carry.`,
      'Use letters, digits and punctuation only. A line break often comes from reading the token from a file.',
    );
  }
  return token;
}

/**
 * `*` or one origin, as a browser writes it.
 * @throws UsageError for anything else: such a value would never match
 */
export function checkOrigin(source: string, text: string): string {
  if (text === '*') return text;
  const origin = originOf(text);
  if (origin === text) return text;
  const shown = JSON.stringify(text);
  if (/[\s,]/.test(text)) throw new UsageError(`${source} takes one origin, not ${shown}.`, 'Use --cors to allow every origin.');
  throw new UsageError(
    `${source} must be an origin such as https://app.example, not ${shown}.`,
    origin === undefined
      ? 'An origin is the scheme, the host, and the port where it is not the usual one.'
      : `Did you mean ${JSON.stringify(origin)}?`,
  );
}

function originOf(text: string): string | undefined {
  try {
    const { origin } = new URL(text);
    return origin === 'null' ? undefined : origin;
  } catch {
    return undefined;
  }
}
