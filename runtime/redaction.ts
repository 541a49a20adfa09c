// Secrets go in, a `Redactor` comes out that replaces them wherever they stand in a text or value, also encoded. Its own file, because
// every log line, diagnostic and error body of every front-end passes through it.

import { setOwn } from './record.js';
import { secretPatterns } from './secret-patterns.js';
import type { Redactor, Value, WfRecord } from './types.js';

export { secretsOf } from './secrets.js';
export type { Redactor } from './types.js';

/** What stands in a secret's place. */
const redacted = '[redacted]';

const nothingToHide: Redactor = { text: (text) => text, value: (value) => value };

/**
 * A redactor for these secrets (behaviour.md 7): as they are, JSON-escaped, percent-encoded, as in a form, and inside the base64 of any
 * text. Secrets are data, never patterns. Without secrets it gives everything back as it is.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const patterns = secretPatterns(secrets);
  if (patterns.length === 0) return nothingToHide;
  const pattern = new RegExp(patterns.join('|'), 'g');
  const text = (given: string): string => given.replace(pattern, redacted);
  return { text, value: (value) => redactValue(value, text) };
}

function redactValue(value: Value, text: (given: string) => string): Value {
  if (typeof value === 'string') return text(value);
  // A number can be a secret as well: a customer's code that the environment gives.
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

/** Redactors of the last runs: most runs of a process share their secrets, and a pattern is not cheap to compile. */
const known = new Map<string, Redactor>();
const mostKnown = 100;

/** As `createRedactor`, but gives the same redactor for the same secrets. */
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
