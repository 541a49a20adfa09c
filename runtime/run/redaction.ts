// Creates a `Redactor` that replaces secrets anywhere in text or values, including encoded forms. Every log line, diagnostic
// and error body passes through one.
import { escapedHtml } from '../texts/escaped-html.js';
import type { Redactor, Value, WfRecord } from '../types.js';
import { setOwn } from '../values/record.js';

export type { Redactor } from '../types.js';
export { secretsOf } from './secrets.js';

/** Replaces a secret. */
const redacted = '[redacted]';

const nothingToHide: Redactor = {
  text: (text) => text,
  beginning: (text) => text,
  value: (value) => value,
  longest: 0,
};

/**
 * Finds these secrets as they are, escaped for JSON or HTML, percent-encoded, form-encoded, and inside the base64 of any text. Secrets
 * are data, never patterns. Without secrets, everything stays unchanged.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const patterns = secretPatterns(secrets);
  if (patterns.length === 0) return nothingToHide;
  const pattern = new RegExp(patterns.join('|'), 'g');
  const text = (given: string): string => given.replace(pattern, redacted);
  const longest = Math.max(...secrets.map(longestForm));
  const beginning = (given: string): string => {
    // No secret that continues past the end of the text begins before this.
    const end = given.length - longest;
    let clean = '';
    let done = 0;
    for (const { 0: found, index = 0 } of given.matchAll(pattern)) {
      if (index >= end) break;
      clean += given.slice(done, index) + redacted;
      done = index + found.length;
    }
    return clean + given.slice(done, Math.max(done, end));
  };
  return { text, beginning, value: (value) => redactValue(value, text), longest };
}

function redactValue(value: Value, text: (given: string) => string): Value {
  if (typeof value === 'string') return text(value);
  // A number can be a secret, too: a customer code from the environment.
  if (typeof value === 'number') {
    const shown = String(value);
    const clean = text(shown);
    return clean === shown ? value : clean;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => redactValue(item, text));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  return redactRecord(value, text);
}

function redactRecord(value: WfRecord, text: (given: string) => string): WfRecord {
  const copy: WfRecord = {};
  let changed = false;
  for (const key of Object.keys(value)) {
    const cleanKey = text(key);
    const clean = redactValue(value[key], text);
    changed ||= cleanKey !== key || clean !== value[key];
    setOwn(copy, cleanKey, clean);
  }
  return changed ? copy : value;
}

/** Redactors of the last runs: most runs of a process share their secrets, and compiling a pattern is expensive. */
const known = new Map<string, Redactor>();
const mostKnown = 100;

/** Like `createRedactor`, but returns the same redactor for the same secrets. */
export function redactorFor(secrets: readonly string[]): Redactor {
  if (secrets.length === 0) return nothingToHide;
  const key = secrets.join('\0');
  let redactor = known.get(key);
  if (redactor === undefined) {
    if (known.size >= mostKnown) known.clear();
    redactor = createRedactor(secrets);
    known.set(key, redactor);
  }
  return redactor;
}

/**
 * One pattern per secret for its plain, escaped and percent-encoded forms (any characters, in any mix, even repeatedly),
 * followed by the patterns of its base64. Longer secrets come first, so that a secret that contains another is replaced as a
 * whole.
 */
function secretPatterns(secrets: readonly string[]): string[] {
  const sorted = [...new Set(secrets)].filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
  return [...sorted.map(plainPattern), ...new Set(sorted.flatMap(base64Patterns))];
}

/** Maximum characters of any form of a secret. The longest is base64 in which each digit is an entity of 44 characters. */
const longestForm = (secret: string): number => (Buffer.byteLength(secret) + 3) * 60;

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
  if (unit.startsWith('\\'))
    return [`\\\\{${unit.length},${unit.length * 16}}`, `(?:${percent('\\')}|${entity('\\')}){${unit.length}}`];
  const ways = [literal(unit), percent(unit), entity(unit), `${escaped}${escapeSequence(unit)}`];
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

/** As HTML has it, possibly escaped repeatedly. */
function entity(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  // What is between `&` and `;`; nothing for characters that HTML does not escape, which have a number at most.
  const name = character === "'" ? 'apos' : escapedHtml(character).slice(1, -1) || '#';
  return `(?:&|${escaped}u0026)(?:amp;){0,3}(?:${name}|#0{0,6}${code}|#[xX]0{0,6}${hexDigits(code.toString(16))});`;
}

const hexDigits = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** The character after the backslashes in JSON, or in a terminal line that shows a control character. */
function escapeSequence(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index).toString(16).padStart(4, '0'));
  const long = units.map((unit) => `u${hexDigits(unit)}`).join(escaped);
  const short = character === '/' ? character : character.length > 1 ? '' : JSON.stringify(character).slice(2, -1);
  return short === '' ? long : `(?:${literal(short)}|${long})`;
}

/** With fewer bytes, so little of a secret remains in base64 that harmless text would match. */
const shortestForBase64 = 6;

/** For each of the three alignments with base64's groups of three bytes: the digits that depend on the secret alone. */
function base64Patterns(secret: string): string[] {
  const bytes = Buffer.from(secret);
  if (bytes.length < shortestForBase64) return [];
  return [0, 1, 2].map((before) => {
    const digits = Buffer.from('\0'.repeat(before) + secret).toString('base64');
    const bits = (before + bytes.length) * 8;
    const core = digits.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6));
    // The digit after the core has the last bits of the secret and, if the text ends there, is followed by padding.
    return core.replace(/[+/]/g, base64Digit) + (bits % 6 === 0 ? '' : `(?:[\\w+/-](?:=|${percent('=')})*)?`);
  });
}

/** The two digits that base64 and base64url write differently, and that JSON, HTML and addresses may escape. */
const base64Digit = (digit: string): string => `(?:${[...alternatives(digit), digit === '+' ? '-' : '_'].join('|')})`;
