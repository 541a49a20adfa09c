// Reads the JSON body of a request for workflows and the runs API: a record, or the refusal that says what is wrong with it.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { besideOthers } from '../../../runtime/in-turns.js';
import type { Value, WfRecord } from '../../../runtime/types.js';
import { decodeUtf8, type ParsedJson, parseJsonBytes } from '../../../runtime/values/json.js';
import { parseLongJson } from '../../../runtime/values/long-json.js';
import { isOwnOrigin } from '../../access/foreign-pages.js';
import { type HttpExchange, hasBody } from './exchange.js';
import { type BodyRoom, endTurn, readBody } from './read-body.js';
import {
  badBody,
  bodyTooLarge,
  foreignForm,
  type Refusal,
  tooMuchAtOnce,
  wrongCoding,
  wrongEncoding,
  wrongType,
} from './refusal.js';

export type ReadRecord =
  /** `untyped`: from a form, where every value is text. */
  | {
      readonly ok: true;
      readonly record: WfRecord;
      readonly untyped?: true;
      /** Bytes that it takes up in memory, unless they are few. */
      readonly memory?: number;
    }
  | { readonly ok: false; readonly refusal: Refusal }
  /** The client has disconnected. */
  | 'gone';

interface ReadOptions {
  /** In bytes. */
  readonly maxBody: number;
  /** Shared by all bodies that are being read. */
  readonly room: BodyRoom;
  /** Whether forms are read, too. */
  readonly takesForms?: boolean;
  /** Whether a list becomes the record `{ rows, count }`. */
  readonly takesLists?: boolean;
  /** Checks the bytes of the body before anything else looks at them. */
  readonly verify?: ((body: Buffer) => Refusal | undefined) | undefined;
}

const NOTHING = Buffer.alloc(0);
const TOO_LARGE = 413;

/**
 * Calls back once; immediately, with an empty record, if there is no body. Not a promise, which would take longer than the reading itself.
 */
export function readRecord(exchange: HttpExchange, options: ReadOptions, callback: (body: ReadRecord) => void): void {
  const { request } = exchange;
  const { maxBody, room, verify } = options;
  const refused = (refusal: Refusal): void => callback({ ok: false, refusal });
  const refusal = refuseHeaders(exchange, options);
  const take = (bytes: Buffer): void => {
    const unsigned = verify?.(bytes) ?? refusal;
    if (unsigned !== undefined) refused(unsigned);
    else if (bytes.length < FEW) callback(parseRequest(bytes, request.headers, options));
    else if (bytes.length <= MANY || isForm(request.headers['content-type'] ?? '')) callback(weighed(bytes, request, options));
    else void parsedInTurns(bytes, request, options).then(callback);
  };
  if (refusal !== undefined && (verify === undefined || refusal.status === TOO_LARGE)) refused(refusal);
  else if (!hasBody(request)) take(NOTHING);
  else if (request.readableEnded) {
    const bytes = bytesBefore(request);
    if (bytes === undefined) callback(parsedBefore(request, options));
    else if (bytes.length > maxBody) refused(bodyTooLarge(maxBody));
    else take(bytes);
  } else {
    if (exchange.mustContinue) {
      exchange.mustContinue = false;
      exchange.response.writeContinue();
    }
    readBody(request, maxBody, room, (body) => {
      if (body === 'gone') callback('gone');
      else if (body === 'too large') refused(bodyTooLarge(maxBody));
      else if (body === 'no room') refused(tooMuchAtOnce);
      else take(body);
    });
  }
}

/** The bytes of a body that `express.raw()` or `express.text()` has read in front; `undefined` if it was parsed. */
function bytesBefore(request: IncomingMessage): Buffer | undefined {
  const body: unknown = 'body' in request ? request.body : undefined;
  return Buffer.isBuffer(body) ? body : typeof body === 'string' ? Buffer.from(body) : undefined;
}

/** The body of a request that a parser in front, such as `express.json()`, has read. */
function parsedBefore(request: IncomingMessage, { verify, takesLists }: ReadOptions): ReadRecord {
  const body: unknown = 'body' in request ? request.body : undefined;
  const isSigned = verify !== undefined;
  if (isSigned || typeof body !== 'object' || body === null)
    return {
      ok: false,
      refusal: badBody(
        isSigned
          ? 'The signature cannot be checked, because the body was parsed before wf saw it.'
          : 'The body was read before wf saw it, and is not a JSON object.',
        'Mount wf in front of the parser of bodies.',
      ),
    };
  // A parser in front makes plain data of JSON; a copy keeps it so, whatever else it did.
  return parseRequest(Buffer.from(JSON.stringify(body)), {}, takesLists === undefined ? {} : { takesLists });
}

/** Maximum nesting of lists and objects in a body. */
const LIMITS = { maxDepth: 200 };
const JSON_MEDIA_TYPE = /^\s*(?:application\/json|[\w!#$&^.-]+\/[\w!#$&^.+-]+\+json)\s*(?:;(.*))?$/i;
const FORM_MEDIA_TYPE = /^\s*application\/x-www-form-urlencoded\s*(?:;(.*))?$/i;
const CHARSET = /(?:^|;)\s*charset\s*=\s*"?([^\s;"]*)/i;
/** JSON is UTF-8 (RFC 8259, 8.1), and ASCII is a subset of it. */
const READABLE: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii']);

/** Refuses a request by its headers, before reading its body. */
function refuseHeaders(
  { request: { headers } }: HttpExchange,
  { maxBody, takesForms, verify }: ReadOptions,
): Refusal | undefined {
  const type = headers['content-type'];
  if (type !== undefined && type !== 'application/json' && !isJson(type) && !isNotification(headers)) {
    if (takesForms !== true || !isForm(type)) return wrongType(type);
    // Any page can make a browser send a form, and needs no permission for it.
    const isForeign = headers.origin !== undefined && !isOwnOrigin(headers.origin, headers.host ?? '');
    if (verify === undefined && isForeign) return foreignForm;
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') return wrongEncoding(encoding);
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding !== 'chunked' && coding.trim().toLowerCase() !== 'chunked') return wrongCoding(coding);
  const length = headers['content-length'];
  return length !== undefined && Number(length) > maxBody ? bodyTooLarge(maxBody) : undefined;
}

/** Amazon SNS sends JSON as plain text. No page can set this header without asking the server first. */
const isNotification = (headers: IncomingHttpHeaders): boolean =>
  headers['x-amz-sns-message-type'] !== undefined && /^\s*text\/plain\s*(?:;|$)/i.test(headers['content-type'] ?? '');

const isForm = (type: string): boolean => isReadable(FORM_MEDIA_TYPE.exec(type));
const isJson = (type: string): boolean => isReadable(JSON_MEDIA_TYPE.exec(type));

/** @param match with the parameters of a media type */
const isReadable = (match: RegExpExecArray | null): boolean =>
  match !== null && READABLE.has((CHARSET.exec(match[1] ?? '')?.[1] ?? 'utf-8').toLowerCase());

type ParsedRequest = Exclude<ReadRecord, 'gone'>;

/** Bytes of a body whose values take up little memory, whatever they are. */
const FEW = 2048;
/** Bytes that take milliseconds to parse. */
const MANY = 128 * 1024;

const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;
/** Bytes of memory, at a guess, for an item of a list or a record, and for an empty list or record. */
const ITEM = 12;
const CONTAINER = 48;

/** An empty object of two bytes takes up fifty in memory, so the length of a body says little. */
function memoryOf(body: Buffer): number {
  let memory = body.length;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index];
    if (byte === COMMA) memory += ITEM;
    else if (byte === BRACE || byte === BRACKET) memory += CONTAINER;
  }
  return memory;
}

function weighed(body: Buffer, { headers, socket }: IncomingMessage, options: ReadOptions): ParsedRequest {
  if (body.length > MANY) endTurn(socket);
  const parsed = parseRequest(body, headers, options);
  return parsed.ok ? { ...parsed, memory: memoryOf(body) } : parsed;
}

/** One after the other: values count against the room only once they are parsed. */
let lastParsed: Promise<unknown> = Promise.resolve();

/** Parses JSON while others have their turns. */
function parsedInTurns(body: Buffer, { socket }: IncomingMessage, { room, takesLists }: ReadOptions): Promise<ReadRecord> {
  // It took up this room until now, unless it was read in front.
  const hasRoom = room.grow(0, body.length);
  const parsed = lastParsed
    .then(async (): Promise<ReadRecord> => {
      if (socket.destroyed) return 'gone';
      const record = recordOf(await besideOthers(parseLongJson(body)), body, 'The body', takesLists);
      return record.ok ? { ...record, memory: memoryOf(body) } : record;
    })
    .finally(() => hasRoom && room.leave(body.length));
  lastParsed = parsed.catch(() => undefined);
  return parsed;
}

/** A request without a body gives an empty record. */
function parseRequest(
  body: Buffer,
  headers: IncomingHttpHeaders,
  { takesForms, takesLists }: Pick<ReadOptions, 'takesForms' | 'takesLists'>,
): ParsedRequest {
  if (body.length === 0) return { ok: true, record: {} };
  if (takesForms === true && isForm(headers['content-type'] ?? '')) return parseForm(body);
  return parseJsonRequest(body, 'The body', takesLists);
}

/** @param what names the text in refusals */
export function parseJsonRequest(body: Buffer, what: string, takesLists = false): ParsedRequest {
  return recordOf(parseJsonBytes(body, LIMITS), body, what, takesLists);
}

function recordOf(parsed: ParsedJson | undefined, body: Buffer, what: string, takesLists = false): ParsedRequest {
  if (parsed === undefined) return notUtf8(body);
  if (!parsed.ok) return refused(`${what} is not valid JSON.`, `Line ${parsed.line}, column ${parsed.column}: ${parsed.message}`);
  const { value } = parsed;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ok: true, record: value };
  if (Array.isArray(value) && takesLists) return { ok: true, record: { rows: value, count: value.length } };
  return refused(
    `${what} is not a JSON object.`,
    `Line 1, column 1: expected an object such as {"id": 1}, but found ${kindOf(value)}.`,
  );
}

function parseForm(body: Buffer): ParsedRequest {
  const decoded = decodeUtf8(body);
  return decoded.ok ? { ok: true, record: formFields(decoded.text), untyped: true } : notUtf8(body);
}

/** The fields of a form, or the parameters of an address. One that occurs several times has a list. */
export function formFields(encoded: string): WfRecord {
  const fields = new Map<string, Value>();
  for (const [name, value] of new URLSearchParams(encoded)) {
    const known = fields.get(name);
    if (Array.isArray(known)) known.push(value);
    else fields.set(name, known === undefined ? value : [known, value]);
  }
  return Object.fromEntries(fields);
}

function notUtf8(body: Buffer): ParsedRequest {
  const decoded = decodeUtf8(body);
  return refused('The body is not valid UTF-8.', `Line ${decoded.ok ? 1 : decoded.line} contains invalid bytes.`);
}

const refused = (error: string, place: string): ParsedRequest => ({ ok: false, refusal: badBody(error, place) });

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}
