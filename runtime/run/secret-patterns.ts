// Regular expressions that find secrets in every form they are likely to take.

/**
 * One pattern per secret for its plain, JSON-escaped and percent-encoded forms (any characters, in any mix, even repeatedly),
 * followed by the patterns of its base64. Longer secrets come first, so that a secret that contains another is replaced as a
 * whole.
 */
export function secretPatterns(secrets: readonly string[]): string[] {
  const sorted = [...new Set(secrets)].filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  return [...sorted.map(plainPattern), ...new Set(sorted.flatMap(base64Patterns))];
}

/**
 * Maximum characters of any form of a secret. A UTF-16 unit has up to three bytes. In base64, each may be an escaped slash,
 * which is longer than percent-encoding (27 characters for three bytes) and JSON (up to 22).
 */
export const longestForm = (secret: string): number => (secret.length + 3) * 72;

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

function plainPattern(secret: string): string {
  let pattern = '';
  // A run of backslashes is one unit: a quantifier for each of them could take forever to fail.
  for (const [unit] of secret.matchAll(/\\+|[\s\S]/gu)) {
    pattern += /^[A-Za-z0-9]$/.test(unit) ? unit : `(?:${alternatives(unit).join('|')})`;
  }
  return pattern;
}

/** The ways to write one character, or a run of backslashes. */
function alternatives(unit: string): string[] {
  if (unit.startsWith('\\')) return [`\\\\{${unit.length},${unit.length * 16}}`, `(?:${percent('\\')}){${unit.length}}`];
  const ways = [literal(unit), percent(unit), `${escaped}${escapeSequence(unit)}`];
  if (unit === ' ') ways.push('\\+');
  return ways;
}

/**
 * The backslashes before an escaped character. Nested JSON doubles them each time. Limited, because text full of them would
 * take forever.
 */
const escaped = '\\\\{1,16}';

/** Percent-encoded UTF-8 with digits in either case, possibly encoded repeatedly. */
function percent(character: string): string {
  return Array.from(Buffer.from(character), (byte) => `%(?:25){0,3}${hexDigits(byte.toString(16).padStart(2, '0'))}`).join('');
}

const hexDigits = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

const shortEscapes: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' };

/** What follows the backslashes in JSON, or in a terminal line that shows a control character. */
function escapeSequence(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index).toString(16).padStart(4, '0'));
  const long = units.map((unit) => `u${hexDigits(unit)}`).join(escaped);
  const short = shortEscapes[character] ?? (character === '"' || character === '/' ? literal(character) : undefined);
  return short === undefined ? long : `(?:${short}|${long})`;
}

/** With fewer bytes, so little of a secret remains in base64 that harmless text would match. */
const shortestForBase64 = 6;

/** For each of the three alignments with base64's groups of three bytes: the digits that depend on the secret alone. */
function base64Patterns(secret: string): string[] {
  const bytes = Buffer.from(secret);
  if (bytes.length < shortestForBase64) return [];
  return [0, 1, 2].map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const bits = (before + bytes.length) * 8;
    const core = digits.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6));
    // The digit after the core has the last bits of the secret and, if the text ends there, is followed by padding.
    return core.replace(/[+/]/g, base64Digit) + (bits % 6 === 0 ? '' : `(?:[\\w+/-](?:=|${percent('=')})*)?`);
  });
}

/** The two digits that base64 and base64url write differently, and that JSON and addresses may escape. */
const base64Digit = (digit: string): string =>
  digit === '+' ? `(?:[+-]|${percent('+')})` : `(?:[/_]|${escaped}/|${percent('/')})`;
