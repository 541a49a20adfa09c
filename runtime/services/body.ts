// The body of an answer → its bytes, its text, its value. Its own file, because limits and encodings are settled here, before anybody
// looks at what an answer says.
import { parseJsonBytes } from '../json.js';
import type { TransportResponse, Value } from '../types.js';

/** Bytes of an answer that are read at most (language.md 6), counted after decompression. */
export const mostBytes = 10 * 1024 * 1024;
/** Characters of a failing answer that a workflow and its log get to see. */
const mostFailureCharacters = 1_000;

/** The whole body, or `undefined` where it is larger than `most`: the rest of it is then left unread. */
export async function readBody(body: TransportResponse['body'], most: number): Promise<Buffer | undefined> {
  if (body instanceof Uint8Array) return body.length > most ? undefined : asBuffer(body);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > most) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The beginning of a failing answer's text, read no further than needed, without half a character at its end. */
export async function beginningOf(body: TransportResponse['body'], clean: (text: string) => string): Promise<string> {
  // More than is shown, so that a secret that begins before the end is seen whole by the redaction.
  const most = mostFailureCharacters * 16;
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of body instanceof Uint8Array ? [body] : body) {
      parts.push(part.subarray(0, most - length));
      length += part.length;
      if (length >= most) break;
    }
  } catch {
    // A status has arrived: that the rest did not is no news.
  }
  return firstCharacters(clean(Buffer.concat(parts).toString()), mostFailureCharacters);
}

/** The first characters of a text; a pair of surrogates is never cut in half. */
export function firstCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

export type ReadValue = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string };

/** JSON becomes a value, other text a text, nothing `empty` (language.md 6). @param type the `Content-Type` header. */
export function readValue(bytes: Buffer, type: string | undefined): ReadValue {
  if (bytes.length === 0) return { ok: true, value: null };
  if (type === undefined) return { ok: true, value: unclaimed(bytes) };
  if (!isJson(type)) return { ok: true, value: textOf(bytes, type) };
  const parsed = parseJsonBytes(bytes);
  if (parsed === undefined) return { ok: false, problem: 'the answer claims to be JSON and is not valid UTF-8' };
  if (parsed.ok) return parsed;
  if (bytes.toString().trim() === '') return { ok: true, value: null };
  if (parsed.tooDeep) return { ok: false, problem: 'the answer is nested too deep: more than 200 levels' };
  return { ok: false, problem: `the answer claims to be JSON and is not (line ${parsed.line}, column ${parsed.column} of it)` };
}

/** A comma ends the type as well: a header that was sent twice arrives as one text. */
const isJson = (type: string): boolean => /^\s*(application|text)\/([\w.!#$&^-]+\+)?json\s*([;,]|$)/i.test(type);

/** A service that says nothing of its answer: an object or a list is JSON, where it can be read, anything else text. */
function unclaimed(bytes: Buffer): Value {
  const parsed = /^\s*[[{]/.test(bytes.toString('latin1', 0, 100)) ? parseJsonBytes(bytes) : undefined;
  return parsed?.ok ? parsed.value : textOf(bytes, undefined);
}

/** Text in the encoding that it names, UTF-8 where it names none that is known. */
function textOf(bytes: Buffer, type: string | undefined): string {
  const [, charset] = /;\s*charset="?([\w-]+)/i.exec(type ?? '') ?? [];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    try {
      return new TextDecoder(charset).decode(bytes);
    } catch {
      // An encoding that nobody knows: UTF-8 is the best guess.
    }
  }
  const text = bytes.toString();
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
