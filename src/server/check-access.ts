// Validates the configured token and origin, so that a mistake shows up at startup rather than as failing requests.
import { UsageError } from '../engine/usage-error.js';

/**
 * Returns the token unchanged. The message never shows it.
 * @throws UsageError if it is empty or contains characters that no client could send
 */
export function checkToken(source: string, token: string): string {
  if (token.trim() === '') {
    throw new UsageError(`The token in ${source} is empty.`, 'Set a token, or remove the setting to serve without one.');
  }
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new UsageError(
      `The token in ${source} contains a space, a line break or another character that is not allowed in an Authorization header.`,
      'Use only letters, digits and punctuation. A line break often comes from reading the token from a file.',
    );
  }
  return token;
}

/**
 * Accepts `*` or one origin, exactly as browsers write it.
 * @throws UsageError for anything else, because it would never match
 */
export function checkOrigin(source: string, text: string): string {
  if (text === '*') return text;
  const origin = originOf(text);
  if (origin === text) return text;
  const shown = JSON.stringify(text);
  if (/[\s,]/.test(text)) throw new UsageError(`${source} takes one origin, not ${shown}.`, 'To allow every origin, use --cors.');
  throw new UsageError(
    `${source} must be an origin such as https://app.example, not ${shown}.`,
    origin === undefined
      ? 'An origin consists of a scheme and a host, and a port unless it is the default one.'
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
