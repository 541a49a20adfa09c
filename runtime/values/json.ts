// Parses JSON from text or bytes, or says in a plain sentence what is wrong and where. The command line, the server and the
// answers of services all follow these rules.

import type { Value } from '../types.js';
import { type JsonFault, jsonFault } from './json-fault.js';

export type ParsedJson = { readonly ok: true; readonly value: Value } | ({ readonly ok: false } & JsonPlace);

/** Where and why text is not JSON. */
export interface JsonPlace {
  /** A whole sentence without the place. */
  readonly message: string;
  /** Counts from 1. */
  readonly line: number;
  /** Counts from 1, in UTF-16 units, without a byte order mark. */
  readonly column: number;
  /** UTF-16 units from the start of the text as given. */
  readonly offset: number;
  /** It may be valid JSON, but is nested deeper than allowed. */
  readonly tooDeep?: boolean;
}

/** Maximum nesting of the JSON in a request, a file or an answer. */
export const deepestJson = 200;

/**
 * Strict JSON (RFC 8259), as `JSON.parse` reads it, with two differences: an integer that a number would not reproduce stays
 * text with all its digits, and so does a number beyond the largest (`1e400`); and more than `maxDepth` levels are rejected
 * before anything recurses. Drops a byte order mark; the last of duplicate keys wins; `__proto__` is an ordinary key.
 */
export function parseJson(text: string, options?: { readonly maxDepth?: number }): ParsedJson {
  const maxDepth = options?.maxDepth ?? deepestJson;
  return parseText(text, maxDepth, look(Buffer.from(text), maxDepth) !== 'other');
}

/** Like `parseJson`, for bytes; `undefined` if they are not UTF-8. */
export function parseJsonBytes(bytes: Buffer, options?: { readonly maxDepth?: number }): ParsedJson | undefined {
  const maxDepth = options?.maxDepth ?? deepestJson;
  const kind = look(bytes, maxDepth);
  const text = kind === 'ordinary ASCII' ? bytes.toString('latin1') : decoded(bytes);
  return text === undefined ? undefined : parseText(text, maxDepth, kind !== 'other');
}

/** Whether no number of it becomes text. False if that isn't certain. */
export const isOrdinary = (text: string): boolean => look(Buffer.from(text), deepestJson) !== 'other';

function parseText(text: string, maxDepth: number, isOrdinary: boolean): ParsedJson {
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const scan = isOrdinary ? ordinary : scanJson(text, start, maxDepth);
  if (scan.tooDeepAt !== undefined) {
    const message = `Lists and objects are nested more than ${maxDepth} levels deep.`;
    return { ok: false, ...placeOf(text, start, { offset: scan.tooDeepAt, message }), tooDeep: true };
  }
  try {
    // Foreign text only parses to JSON types, and each of them is a `Value`.
    return { ok: true, value: JSON.parse(quoted(text, start, scan.inexact)) as Value };
  } catch (error) {
    const fault = text.length > longestExplained ? briefFault(text, error) : jsonFault(text, start);
    return { ok: false, ...placeOf(text, start, fault) };
  }
}

/** Characters of a text whose fault is explained: reading it word by word takes a second for some megabytes. */
const longestExplained = 1_000_000;

/** What the engine itself says: where, if it knows. */
function briefFault(text: string, error: unknown): JsonFault {
  const [, position] = /position (\d+)/.exec(error instanceof Error ? error.message : '') ?? [];
  return position === undefined
    ? { offset: text.length, message: 'The JSON ends too early, or continues after its end.' }
    : { offset: Number(position), message: 'This is not valid JSON.' };
}

interface Scan {
  /** Start and end of each number that must stay text. */
  readonly inexact: readonly (readonly [start: number, end: number])[];
  /** Offset of the bracket that goes too deep. */
  readonly tooDeepAt: number | undefined;
}

/** Counting digits from here never reaches 0, because no text is that long. */
const afterPoint = -1_000_000_000;

const ordinary: Scan = { inexact: [], tooDeepAt: undefined };

/**
 * Ordinary text is not too deep, and has no number with an exponent or with 16 digits before the point. Nearly all text is.
 * Scanning bytes takes a third of the time of scanning characters, and half the time of `JSON.parse`.
 */
function look(bytes: Uint8Array, maxDepth: number): 'ordinary ASCII' | 'ordinary' | 'other' {
  let depth = 0;
  // Digits of the current number: 0 outside a number, negative after its point.
  let digits = 0;
  // The union of all bytes.
  let bits = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    bits |= byte;
    if (byte >= 0x30 && byte <= 0x39) {
      if (++digits === 16) return 'other';
      continue;
    }
    if (digits !== 0 && (byte === 0x65 || byte === 0x45)) return 'other';
    digits = byte === 0x2e ? afterPoint : 0;
    if (byte === 0x22) {
      for (index++; index < bytes.length; index++) {
        const inside = bytes[index] ?? 0;
        bits |= inside;
        if (inside === 0x22) break;
        if (inside === 0x5c) bits |= bytes[++index] ?? 0;
      }
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > maxDepth) return 'other';
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    }
  }
  return bits < 0x80 ? 'ordinary ASCII' : 'ordinary';
}

/** Scans the text outside strings: counts brackets, and notes numbers that a double would change. */
function scanJson(text: string, start: number, maxDepth: number): Scan {
  const inexact: [number, number][] = [];
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22) {
      index = stringEnd(text, index);
    } else if (unit === 0x7b || unit === 0x5b) {
      if (++depth > maxDepth) return { inexact, tooDeepAt: index };
    } else if (unit === 0x7d || unit === 0x5d) {
      depth--;
    } else if (unit >= 0x30 && unit <= 0x39) {
      const first = index;
      index = digitsEnd(text, index);
      const digits = index - first;
      if (text.charCodeAt(index) === 0x2e) index = digitsEnd(text, index + 1);
      const next = text.charCodeAt(index);
      // Fewer than 16 digits without an exponent are exact, or as close as any fraction gets.
      if (digits >= 16 || next === 0x65 || next === 0x45) {
        const begin = text.charCodeAt(first - 1) === 0x2d ? first - 1 : first;
        const end = numberEnd(text, begin);
        if (end > begin && staysText(text.slice(begin, end)) && !isKey(text, end)) inexact.push([begin, end]);
        if (end > index) index = end;
      }
      index--;
    }
  }
  return { inexact, tooDeepAt: undefined };
}

/** Offset after the run of digits that starts here. */
function digitsEnd(text: string, from: number): number {
  let index = from;
  for (let unit = text.charCodeAt(index); unit >= 0x30 && unit <= 0x39; unit = text.charCodeAt(index)) index++;
  return index;
}

/**
 * Offset of the closing quote, or past the end. One unit at a time, because most strings are too short for `indexOf` to pay
 * off.
 */
function stringEnd(text: string, open: number): number {
  let index = open + 1;
  for (; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22) break;
    if (unit === 0x5c) index++;
  }
  return index;
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;

/** Offset after the JSON number that starts here, or `begin` if there is none. */
function numberEnd(text: string, begin: number): number {
  numberPattern.lastIndex = begin;
  return numberPattern.test(text) ? numberPattern.lastIndex : begin;
}

function staysText(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value)) return true;
  return number.length >= 16 && /^-?\d+$/.test(number) && String(value) !== number;
}

/** A number can't be a key in JSON, but quoting it would make it one. */
function isKey(text: string, end: number): boolean {
  let index = end;
  while (/[ \t\r\n]/.test(text.charAt(index))) index++;
  return text.charAt(index) === ':';
}

/** The text with these numbers in quotes. */
function quoted(text: string, start: number, numbers: readonly (readonly [number, number])[]): string {
  if (numbers.length === 0) return start === 0 ? text : text.slice(start);
  const parts: string[] = [];
  let done = start;
  for (const [begin, end] of numbers) {
    parts.push(text.slice(done, begin), '"', text.slice(begin, end), '"');
    done = end;
  }
  parts.push(text.slice(done));
  return parts.join('');
}

function placeOf(text: string, start: number, fault: JsonFault): JsonPlace {
  const before = text.slice(start, fault.offset);
  const lastBreak = before.lastIndexOf('\n');
  return {
    message: fault.message,
    line: before.split('\n').length,
    column: before.length - lastBreak,
    offset: fault.offset,
  };
}

/** Decodes UTF-8 without a byte order mark, or returns the first line (counting from 1) with invalid bytes. */
export function decodeUtf8(
  bytes: Uint8Array,
): { readonly ok: true; readonly text: string } | { readonly ok: false; readonly line: number } {
  const text = decoded(bytes);
  if (text !== undefined) return { ok: true, text };
  let line = 1;
  let start = 0;
  // The byte of a line break is never part of a longer character, so lines can be decoded one at a time.
  for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
    if (decoded(bytes.subarray(start, end)) === undefined) break;
    line++;
    start = end + 1;
  }
  return { ok: false, line };
}

/** Created once, because that takes longer than decoding a small text. */
let strict: InstanceType<typeof TextDecoder> | undefined;

function decoded(bytes: Uint8Array): string | undefined {
  try {
    strict ??= new TextDecoder('utf-8', { fatal: true });
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}
