// Parses JSON from text or bytes, or says in a plain sentence what is wrong and where. The command line, the server and the answers of
// services all follow these rules. Also computes the length of a value's JSON without creating it: a list may contain the same long text a
// million times.
import type { Value } from './value-types.js';

export type ParsedJson = { readonly ok: true; readonly value: Value } | ({ readonly ok: false } & JsonPlace);

/** Where and why text is not JSON. */
interface JsonPlace {
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
export const longestExplained = 1_000_000;

/** The engine's own message: the place, if it knows. */
function briefFault(text: string, error: unknown): JsonFault {
  const [, position] = /position (\d+)/.exec(error instanceof Error ? error.message : '') ?? [];
  return position === undefined
    ? { offset: text.length, message: 'The JSON ends too early, or continues after its end.' }
    : { offset: Number(position), message: NOT_VALID };
}

const NOT_VALID = 'This is not valid JSON.';

/** The fault at this place of a long text. */
export const unexplained = (text: string, offset: number): ParsedJson => ({
  ok: false,
  ...placeOf(text, 0, { offset, message: offset < text.length ? NOT_VALID : 'The JSON ends too early.' }),
});

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

// Explains in plain words where and why `JSON.parse` rejects text. The messages of V8 differ between versions and sometimes
// lack the place. Not recursive, so that no nesting can overflow the stack.

interface JsonFault {
  /** UTF-16 units from the start of the text. */
  readonly offset: number;
  /** A whole sentence without the place. */
  readonly message: string;
}

/** The first fault of the text from `start` on. If there is none, it only says that the text is not valid. */
function jsonFault(text: string, start: number): JsonFault {
  const reader = new FaultReader(text, start);
  return reader.read() ?? { offset: start, message: NOT_VALID };
}

/** The tokens that may come next. `first…` means directly after the opening bracket, where it may close immediately. */
type Expected = 'value' | 'first value' | 'key' | 'first key' | 'end of value';

class FaultReader {
  readonly #text: string;
  #index: number;
  /** The open brackets around the current place. */
  readonly #open: ('{' | '[')[] = [];

  constructor(text: string, start: number) {
    this.#text = text;
    this.#index = start;
  }

  read(): JsonFault | undefined {
    let expected: Expected = 'value';
    for (;;) {
      this.#skipSpace();
      if (expected === 'end of value' && this.#open.length === 0) {
        return this.#atEnd() ? undefined : this.#fault(`Expected the end of the JSON, but found ${this.#found()}.`);
      }
      const next: Expected | JsonFault = this.#step(expected);
      if (typeof next !== 'string') return next;
      expected = next;
    }
  }

  #step(expected: Expected): Expected | JsonFault {
    if (expected === 'end of value') return this.#afterValue();
    const char = this.#text.charAt(this.#index);
    if (expected === 'first value' && char === ']') return this.#close();
    if (expected === 'first key' && char === '}') return this.#close();
    return expected === 'key' || expected === 'first key' ? this.#key(char) : this.#value(char);
  }

  #afterValue(): Expected | JsonFault {
    const char = this.#text.charAt(this.#index);
    const open = this.#open[this.#open.length - 1];
    if (char === (open === '{' ? '}' : ']')) return this.#close();
    const closing = open === '{' ? '"}"' : '"]"';
    if (this.#atEnd()) return this.#fault(`The JSON ends too early: ${closing} is missing.`);
    if (char !== ',') return this.#fault(`Expected a comma or ${closing} before ${this.#found()}.`);
    const comma = this.#index++;
    this.#skipSpace();
    const after = this.#text.charAt(this.#index);
    if (after === '}' || after === ']') {
      this.#index = comma;
      return this.#fault(`Remove the comma before the closing "${after}".`);
    }
    return open === '{' ? 'key' : 'value';
  }

  #close(): Expected {
    this.#open.pop();
    this.#index++;
    return 'end of value';
  }

  #key(char: string): Expected | JsonFault {
    if (this.#atEnd()) return this.#fault('The JSON ends too early: "}" is missing.');
    if (char === "'") return this.#fault('Put field names in double quotes, not single quotes.');
    if (char !== '"') return this.#fault(`Expected a field name in double quotes, but found ${this.#found()}.`);
    const fault = this.#string();
    if (fault !== undefined) return fault;
    this.#skipSpace();
    if (this.#text.charAt(this.#index) !== ':') {
      return this.#fault(
        this.#atEnd() ? 'The JSON ends too early: ":" and a value are missing.' : `Expected ":" before ${this.#found()}.`,
      );
    }
    this.#index++;
    return 'value';
  }

  #value(char: string): Expected | JsonFault {
    if (char === '{' || char === '[') {
      this.#open.push(char);
      this.#index++;
      return char === '{' ? 'first key' : 'first value';
    }
    if (char === '"') return this.#string() ?? 'end of value';
    if (/[-\d]/.test(char)) return this.#number() ?? 'end of value';
    for (const word of ['true', 'false', 'null']) {
      if (this.#text.startsWith(word, this.#index) && !/^[\w$]/.test(this.#text.charAt(this.#index + word.length))) {
        this.#index += word.length;
        return 'end of value';
      }
    }
    if (this.#atEnd()) {
      return this.#fault(
        this.#open.length === 0
          ? 'Expected a JSON value, but the text is empty.'
          : 'The JSON ends too early: a value is missing.',
      );
    }
    if (char === "'") return this.#fault('Put text in double quotes, not single quotes.');
    if (char === '/') return this.#fault('JSON does not allow comments.');
    return this.#fault(`Expected a value, but found ${this.#found()}.`);
  }

  #number(): JsonFault | undefined {
    const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y;
    number.lastIndex = this.#index;
    if (!number.test(this.#text)) return this.#fault('Expected a digit after "-".');
    const start = this.#index;
    this.#index = number.lastIndex;
    const next = this.#text.charAt(this.#index);
    if (/\d/.test(next)) return { offset: start, message: 'A number must not have leading zeros.' };
    return /[.eE]/.test(next)
      ? this.#fault(`Expected a digit after the ${next === '.' ? 'decimal point' : 'exponent'} of a number.`)
      : undefined;
  }

  #string(): JsonFault | undefined {
    const open = this.#index++;
    for (; !this.#atEnd(); this.#index++) {
      const unit = this.#text.charCodeAt(this.#index);
      if (unit === 0x22) {
        this.#index++;
        return undefined;
      }
      if (unit === 0x0a || unit === 0x0d)
        return this.#fault('Text must end on the line where it starts. Write a line break as \\n.');
      if (unit < 0x20) return this.#fault(`Text must not contain ${this.#found()} directly. Write it as an escape.`);
      if (unit === 0x5c) {
        const known = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
        known.lastIndex = this.#index;
        if (!known.test(this.#text))
          return this.#fault('This backslash starts no known escape. Write a literal backslash as \\\\.');
        this.#index = known.lastIndex - 1;
      }
    }
    this.#index = open;
    return this.#fault('The text that starts here has no closing quote.');
  }

  #skipSpace(): void {
    while (/[ \t\r\n]/.test(this.#text.charAt(this.#index))) this.#index++;
  }

  #atEnd(): boolean {
    return this.#index >= this.#text.length;
  }

  /** The token here, as a message shows it: a short word or one character, or a code if it is invisible. */
  #found(): string {
    const char = String.fromCodePoint(this.#text.codePointAt(this.#index) ?? 0);
    const word = /[\p{L}\p{N}_$.+-]{1,20}/uy;
    word.lastIndex = this.#index;
    const run = word.exec(this.#text)?.[0];
    if (run !== undefined) return `"${run}"`;
    if (char === '"') return 'another quoted text';
    return /[\p{C}\p{Z}]/u.test(char)
      ? `the character U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
      : `"${char}"`;
  }

  #fault(message: string): JsonFault {
    return { offset: this.#index, message };
  }
}

/**
 * Maximum characters of text that leaves a run: outputs, a request, a log line, a recording. The JavaScript engine could store
 * more, but not all the copies made along the way, and not without minutes of silence.
 */
export const mostText = 64 * 1024 * 1024;

/** Characters of the value's JSON, or some number above `most` if there are more, because counting stops early. */
export function jsonSize(value: Value, most: number = mostText): number {
  if (typeof value === 'string') return stringSize(value, most);
  if (typeof value === 'number') return String(value).length;
  if (typeof value !== 'object' || value === null) return 5;
  let size = 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && size <= most; index++) size += jsonSize(value[index], most - size) + 1;
  } else {
    for (const key of Object.keys(value)) {
      if (size > most) break;
      size += stringSize(key, most - size) + 2;
      if (size <= most) size += jsonSize(value[key], most - size);
    }
  }
  return size;
}

/** Includes the quotes. Half a surrogate pair, a quote, a backslash and a control character are longer in JSON. */
function stringSize(text: string, most: number): number {
  let size = text.length + 2;
  if (size > most) return size;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x22 || unit === 0x5c) size++;
    else if (unit < 0x20 || (unit >= 0xd800 && unit <= 0xdfff)) size += 5;
  }
  return size;
}
