// Creates a `Redactor` that replaces secrets anywhere in text or values, including encoded forms. Every log line, diagnostic
// and error body passes through one.

import type { Redactor, Value, WfRecord } from '../types.js';
import { setOwn } from '../values/record.js';
import { longestForm, secretPatterns } from './secret-patterns.js';

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
 * Finds these secrets as they are, JSON-escaped, percent-encoded, form-encoded, and inside the base64 of any text. Secrets are
 * data, never patterns. Without secrets, everything stays unchanged.
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
