// Reads and writes long JSON in parts, so that others have their turn between them: an object of 600,000 keys takes the engine half a second.
import type { Steps } from '../in-turns.js';
import {
  decodeUtf8,
  deepestJson,
  isOrdinary,
  longestExplained,
  type ParsedJson,
  parseJson,
  parseJsonBytes,
  unexplained,
} from './json.js';
import { setOwn } from './record.js';
import type { Value, WfRecord } from './value-types.js';

/** Characters that are read or written at once, which takes a few milliseconds. */
const part = 64 * 1024;

/** Bytes that are worth it. */
export const longJson = 2 * part;

/** Characters that are scanned at once. */
const mostScanned = 256 * 1024;

/** A long list or object. */
interface Container {
  /** Of its last bracket. */
  readonly end: number;
  /** Commas at which it is divided: what is long inside of it is alone between two of them. */
  readonly cuts: readonly number[];
}

/** A container whose end has not been found. */
interface OpenContainer {
  readonly start: number;
  readonly closes: number;
  cut: number;
  comma: number;
  cuts?: number[];
}

/** The text is no JSON, or too deep. */
class Faulty {
  /** UTF-16 units from the start of the text. */
  readonly offset: number;

  constructor(offset: number) {
    this.offset = offset;
  }
}

/**
 * Parses like `parseJsonBytes`, except that it names only the place of a fault in more than `longestExplained` characters.
 * @param keepsText whether `knownJson` gives the text back
 */
export function* parseLongJson(bytes: Buffer, keepsText = false): Steps<ParsedJson | undefined> {
  const decoded = bytes.length > longJson ? decodeUtf8(bytes) : undefined;
  if (decoded?.ok !== true) return parseJsonBytes(bytes);
  const { text } = decoded;
  yield;
  try {
    const containers = yield* longContainers(text);
    const start = afterSpace(text, 0);
    const whole = containers.get(start);
    if (whole === undefined || afterSpace(text, whole.end + 1) < text.length) return parseJson(text);
    const value = yield* containerAt(text, start, whole, containers);
    if (keepsText && isOrdinary(text)) texts.set(value, text);
    return { ok: true, value };
  } catch (error) {
    if (!(error instanceof Faulty)) throw error;
    return text.length > longestExplained ? unexplained(text, error.offset) : parseJson(text);
  }
}

/** By where they begin. @throws Faulty */
function* longContainers(text: string): Steps<Map<number, Container>> {
  const found = new Map<number, Container>();
  const open: OpenContainer[] = [];
  for (let at = 0; at < text.length; ) {
    at = scan(text, at, Math.min(text.length, at + mostScanned), open, found);
    yield;
  }
  if (open.length > 0) throw new Faulty(text.length);
  return found;
}

/** Returns where to continue. @throws Faulty */
function scan(text: string, from: number, until: number, open: OpenContainer[], found: Map<number, Container>): number {
  let at = from;
  for (; at < until; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) at = endOfText(text, at);
    else if (unit === 0x7b || unit === 0x5b) {
      if (open.length === deepestJson) throw new Faulty(at);
      open.push({ start: at, closes: unit + 2, cut: at, comma: at });
    } else if (unit === 0x2c) {
      const container = open.at(-1);
      if (container === undefined) throw new Faulty(at);
      cutAt(container, at);
      if (at - container.cut >= part) addCut(container, at);
      container.comma = at;
    } else if (unit === 0x7d || unit === 0x5d) {
      const container = open.pop();
      if (container?.closes !== unit) throw new Faulty(at);
      cutAt(container, at);
      if (at - container.start >= part) found.set(container.start, { end: at, cuts: container.cuts ?? [] });
    }
  }
  return at;
}

/** A comma or the end comes after a long value: it is divided from those before it. */
function cutAt(container: OpenContainer, at: number): void {
  if (at - container.comma >= part && container.comma > container.cut) addCut(container, container.comma);
}

function addCut(container: OpenContainer, at: number): void {
  container.cuts ??= [];
  container.cuts.push(at);
  container.cut = at;
}

/** The closing quote, or the end of the text. */
function endOfText(text: string, open: number): number {
  let at = open + 1;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) break;
    if (unit === 0x5c) at++;
  }
  return at;
}

function afterSpace(text: string, from: number): number {
  let at = from;
  for (let unit = text.charCodeAt(at); unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09; at++)
    unit = text.charCodeAt(at + 1);
  return at;
}

/** @throws Faulty */
function* containerAt(
  text: string,
  start: number,
  whole: Container,
  containers: Map<number, Container>,
): Steps<Value[] | WfRecord> {
  const list: Value[] = [];
  const record: WfRecord = {};
  const isList = text.charCodeAt(start) === 0x5b;
  let begin = start + 1;
  for (const end of [...whole.cuts, whole.end]) {
    const first = afterSpace(text, begin);
    const key = isList ? undefined : endOfText(text, first);
    const at = key === undefined ? first : afterSpace(text, afterSpace(text, key + 1) + 1);
    const inner = containers.get(at);
    if (inner === undefined || afterSpace(text, inner.end + 1) < end) {
      // An empty part stands before or after a comma too many.
      if (first === end && whole.cuts.length > 0) throw new Faulty(end);
      const parsed = parsedPart(isList ? `[${text.slice(begin, end)}]` : `{${text.slice(begin, end)}}`, begin);
      if (Array.isArray(parsed)) for (const item of parsed) list.push(item);
      else for (const name of Object.keys(parsed)) setOwn(record, name, parsed[name]);
    } else {
      const value = yield* containerAt(text, at, inner, containers);
      if (key === undefined) list.push(value);
      else for (const name of Object.keys(parsedPart(`{${text.slice(first, at)}0}`, first))) setOwn(record, name, value);
    }
    begin = end + 1;
    yield;
  }
  return isList ? list : record;
}

/** @throws Faulty */
function parsedPart(part: string, begin: number): Value[] | WfRecord {
  const parsed = parseJson(part);
  // After the bracket that was added.
  if (!parsed.ok) throw new Faulty(begin + parsed.offset - 1);
  return parsed.value as Value[] | WfRecord; // in brackets
}

/** The bytes from which long values were read. Nothing changes a value. */
const texts = new WeakMap<object, string>();

/** The JSON of long outputs, as `JSON.stringify` writes it. */
const written = new WeakMap<object, string>();

/** The outputs of a run that `longOutput` has written. */
export function rememberJson(outputs: WfRecord, json: string): WfRecord {
  written.set(outputs, json);
  return outputs;
}

/** The JSON of the outputs of a run, which takes no time if they are long. */
export const jsonOfOutputs = (outputs: WfRecord): string => written.get(outputs) ?? JSON.stringify(outputs);

/** The JSON of a value, without the time that writing it takes, if it was long and is known. */
export const knownJson = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null ? texts.get(value) : undefined;
