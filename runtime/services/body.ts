// Reads the body of an answer as bytes, text or a value, with its limits and encodings. Memory stays proportional to the bytes, however
// many pieces there are: kept separately, each piece would hold on to hundreds of bytes, and often to the whole block that it was read
// into.
import type { Steps } from '../in-turns.js';
import type { Redactor, TransportResponse, Value } from '../types.js';
import { parseLongJson } from '../values/long-json.js';

/** Maximum bytes of an answer, counted after decompression. */
export const mostBytes = 10 * 1024 * 1024;
/** Bytes of a failing answer to read: more than are shown, because `[redacted]` may replace much longer text. */
const mostRead = 16_000;
/** Characters of a failing answer that a workflow and its log see. */
const mostFailureCharacters = 1_000;

/** The whole body, or `undefined` if it is larger than `most`, leaving the rest unread. */
export async function readBytes(body: TransportResponse['body'], most: number): Promise<Buffer | undefined> {
  if (body instanceof Uint8Array) return body.length > most ? undefined : asBuffer(body);
  const bytes = new ByteCollector(most);
  for await (const part of body) {
    if (bytes.length + part.length > most) return undefined;
    bytes.add(part);
  }
  return bytes.take();
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * The beginning of a failing answer's text, without secrets, without half a character at its end, reading no more than
 * necessary. Removes a secret that is cut off where the reading ends.
 */
export async function beginningOf(body: TransportResponse['body'], redactor: Redactor): Promise<string> {
  const most = Math.min(mostBytes, mostRead + redactor.longest);
  const bytes = new ByteCollector(most);
  let isWhole = true;
  try {
    for await (const part of body instanceof Uint8Array ? [body] : body) {
      isWhole = bytes.length + part.length <= most;
      bytes.add(part.subarray(0, most - bytes.length));
      if (!isWhole) break;
    }
  } catch {
    // The status has arrived; that the rest did not adds nothing.
    isWhole = false;
  }
  const text = bytes.take().toString();
  return firstCharacters(isWhole ? redactor.text(text) : redactor.beginning(text), mostFailureCharacters);
}

/** The first characters of text, never cutting a surrogate pair in half. */
export function firstCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

type ReadValue = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string };

/** JSON becomes a value, other text becomes text, nothing becomes `empty`. @param type the `Content-Type` header */
export function* readValue(bytes: Buffer, type: string | undefined): Steps<ReadValue> {
  if (bytes.length === 0) return { ok: true, value: null };
  if (type === undefined) return { ok: true, value: yield* unclaimed(bytes) };
  if (!isJson(type)) return { ok: true, value: textOf(bytes, type) };
  const parsed = yield* parseLongJson(bytes, true);
  if (parsed === undefined) return { ok: false, problem: 'the answer claims to be JSON, but is not valid UTF-8' };
  if (parsed.ok) return parsed;
  if (bytes.toString().trim() === '') return { ok: true, value: null };
  if (parsed.tooDeep) return { ok: false, problem: 'the answer is nested more than 200 levels deep' };
  return {
    ok: false,
    problem: `the answer claims to be JSON, but is not (line ${parsed.line}, column ${parsed.column} of the answer)`,
  };
}

/** A comma also ends the type, because a header sent twice arrives as one text. */
const isJson = (type: string): boolean => /^\s*(application|text)\/([\w.!#$&^-]+\+)?json\s*([;,]|$)/i.test(type);

/** Without a content type, an object or a list is JSON if it can be read; anything else is text. */
function* unclaimed(bytes: Buffer): Steps<Value> {
  const parsed = /^\s*[[{]/.test(bytes.toString('latin1', 0, 100)) ? yield* parseLongJson(bytes, true) : undefined;
  return parsed?.ok ? parsed.value : textOf(bytes, undefined);
}

/** Decodes text in the encoding that the header names, or as UTF-8 if it names none that is known. */
function textOf(bytes: Buffer, type: string | undefined): string {
  const [, charset] = /;\s*charset="?([\w-]+)/i.exec(type ?? '') ?? [];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    try {
      return new TextDecoder(charset).decode(bytes);
    } catch {
      // Unknown encoding: UTF-8 is the best guess.
    }
  }
  const text = bytes.toString();
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

/** A smaller piece may be a sliver of a large block of memory, so it is copied. */
const smallPiece = 32 * 1024;
/** With a second piece, more are likely. */
const firstSize = 4 * 1024;

export class ByteCollector {
  /** Bytes so far. */
  length = 0;
  /** The only piece so far: as it came, or a copy. */
  #only: Uint8Array | undefined;
  #store: Buffer | undefined;
  readonly #most: number;

  /** @param most bytes to expect at most; the memory is not reserved */
  constructor(most: number) {
    this.#most = most;
  }

  add(piece: Uint8Array): void {
    if (this.length === 0) {
      // Most bodies are small and come in one piece. Node.js hands out small buffers as parts of a larger one, which costs far less.
      this.#only = piece.length >= smallPiece ? piece : Buffer.from(piece);
    } else {
      const store = this.#storeFor(this.length + piece.length);
      store.set(piece, this.length);
    }
    this.length += piece.length;
  }

  /** Returns all bytes. Don't use the collector after this. */
  take(): Buffer {
    const only = this.#only;
    const store = this.#store;
    this.#only = undefined;
    this.#store = undefined;
    if (only !== undefined) return Buffer.isBuffer(only) ? only : Buffer.from(only.buffer, only.byteOffset, only.byteLength);
    return store?.subarray(0, this.length) ?? Buffer.alloc(0);
  }

  /** A store with room for this many bytes, including everything collected so far. */
  #storeFor(length: number): Buffer {
    if (this.#store !== undefined && this.#store.length >= length) return this.#store;
    // Doubles each time, so each byte is copied once or twice in total, but never goes far beyond what may come.
    const size = Math.max(length, Math.min(this.#most, Math.max(firstSize, length * 2)));
    const store = Buffer.allocUnsafeSlow(size);
    const before = this.#only ?? this.#store;
    if (before !== undefined) store.set(before.subarray(0, this.length));
    this.#only = undefined;
    this.#store = store;
    return store;
  }
}
