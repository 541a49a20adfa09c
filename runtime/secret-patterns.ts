// Secrets → the sources of the regular expressions that find them in every form they are likely to take. Its own file, because the
// encodings are easier to judge one below the other.

/**
 * One pattern for each secret as it is, escaped for JSON or percent-encoded (any of its characters, in any mix, more than once),
 * then the patterns of its base64. Longer secrets come first, so that one that contains another is replaced whole.
 */
export function secretPatterns(secrets: readonly string[]): string[] {
  const sorted = [...new Set(secrets)].filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  return [...sorted.map(plainPattern), ...new Set(sorted.flatMap(base64Patterns))];
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function plainPattern(secret: string): string {
  let pattern = '';
  // A run of backslashes is one unit: a repeated quantifier for each of them could take for ever to fail.
  for (const [unit] of secret.matchAll(/\\+|[\s\S]/gu)) {
    pattern += /^[A-Za-z0-9]$/.test(unit) ? unit : `(?:${alternatives(unit).join('|')})`;
  }
  return pattern;
}

/** The ways in which one character, or a run of backslashes, may be written. */
function alternatives(unit: string): string[] {
  if (unit.startsWith('\\')) return [`\\\\{${unit.length},${unit.length * 16}}`, `(?:${percent('\\')}){${unit.length}}`];
  const ways = [literal(unit), percent(unit), `${escaped}${escapeSequence(unit)}`];
  if (unit === ' ') ways.push('\\+');
  return ways;
}

/** The backslashes before an escaped character; JSON inside of JSON doubles them each time. Bounded, or a text full of them would take for ever. */
const escaped = '\\\\{1,16}';

/** Percent-encoded as UTF-8, digits in either case, also encoded again. */
function percent(character: string): string {
  return Array.from(Buffer.from(character), (byte) => `%(?:25){0,3}${hexDigits(byte.toString(16).padStart(2, '0'))}`).join('');
}

const hexDigits = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

const shortEscapes: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' };

/** What follows the backslashes in JSON, or where a terminal line shows a control character. */
function escapeSequence(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index).toString(16).padStart(4, '0'));
  const long = units.map((unit) => `u${hexDigits(unit)}`).join(escaped);
  const short = shortEscapes[character] ?? (character === '"' || character === '/' ? literal(character) : undefined);
  return short === undefined ? long : `(?:${short}|${long})`;
}

/** Fewer bytes leave so little of a secret in base64 that harmless text would be taken for it. */
const shortestForBase64 = 6;

/** For each of the three ways to fall into base64's groups of three bytes: the digits that depend on the secret alone. */
function base64Patterns(secret: string): string[] {
  const bytes = Buffer.from(secret);
  if (bytes.length < shortestForBase64) return [];
  return [0, 1, 2].map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const bits = (before + bytes.length) * 8;
    const core = digits.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6));
    // The digit behind the core has the secret's last bits and, where the text ends there, padding after it.
    return core.replace(/[+/]/g, base64Digit) + (bits % 6 === 0 ? '' : `(?:[\\w+/-](?:=|${percent('=')})*)?`);
  });
}

/** The two digits that base64 and base64url write differently, and that JSON and addresses may escape. */
const base64Digit = (digit: string): string =>
  digit === '+' ? `(?:[+-]|${percent('+')})` : `(?:[/_]|${escaped}/|${percent('/')})`;
