// Reads the JSON body of a request for workflows and the runs API: a record, or the refusal that says what is wrong with it.

import type { IncomingHttpHeaders } from 'node:http';
import type { WfRecord } from '../../../runtime/types.js';
import { decodeUtf8, parseJsonBytes } from '../../../runtime/values/json.js';
import { type HttpExchange, hasBody } from './exchange.js';
import { type BodyRoom, readBody } from './read-body.js';
import { badBody, bodyTooLarge, type Refusal, tooMuchAtOnce, wrongCoding, wrongEncoding, wrongType } from './refusal.js';

export type ReadRecord =
  | { readonly ok: true; readonly record: WfRecord }
  | { readonly ok: false; readonly refusal: Refusal }
  /** The client has left. */
  | 'gone';

const noBody: ReadRecord = { ok: true, record: {} };

/**
 * Calls back once; immediately, with an empty record, if there is no body. Not a promise, which would take longer than the reading itself.
 * @param maxBody in bytes
 * @param room shared by all bodies that are being read
 */
export function readRecord(exchange: HttpExchange, maxBody: number, room: BodyRoom, callback: (body: ReadRecord) => void): void {
  const refusal = refuseHeaders(exchange.request.headers, maxBody);
  if (refusal !== undefined || !hasBody(exchange.request)) {
    callback(refusal === undefined ? noBody : { ok: false, refusal });
    return;
  }
  if (exchange.mustContinue) {
    exchange.mustContinue = false;
    exchange.response.writeContinue();
  }
  readBody(exchange.request, maxBody, room, (body) => {
    if (body === 'gone') callback('gone');
    else if (body === 'too large') callback({ ok: false, refusal: bodyTooLarge(maxBody) });
    else if (body === 'no room') callback({ ok: false, refusal: tooMuchAtOnce });
    else callback(parseRequest(body));
  });
}

/** Maximum nesting of lists and objects in a body. */
const LIMITS = { maxDepth: 200 };
const JSON_MEDIA_TYPE = /^\s*(?:application\/json|[\w!#$&^.-]+\/[\w!#$&^.+-]+\+json)\s*(?:;(.*))?$/i;
const CHARSET = /(?:^|;)\s*charset\s*=\s*"?([^\s;"]*)/i;
/** JSON is UTF-8 (RFC 8259, 8.1), and ASCII is a subset of it. */
const READABLE: ReadonlySet<string> = new Set(['utf-8', 'utf8', 'us-ascii']);

/** Refuses a request by its headers, before reading its body. */
function refuseHeaders(headers: IncomingHttpHeaders, maxBody: number): Refusal | undefined {
  const type = headers['content-type'];
  if (type !== undefined && type !== 'application/json' && !isJson(type)) return wrongType(type);
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') return wrongEncoding(encoding);
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding !== 'chunked' && coding.trim().toLowerCase() !== 'chunked') return wrongCoding(coding);
  const length = headers['content-length'];
  return length !== undefined && Number(length) > maxBody ? bodyTooLarge(maxBody) : undefined;
}

function isJson(type: string): boolean {
  const match = JSON_MEDIA_TYPE.exec(type);
  return match !== null && READABLE.has((CHARSET.exec(match[1] ?? '')?.[1] ?? 'utf-8').toLowerCase());
}

type ParsedRequest = { readonly ok: true; readonly record: WfRecord } | { readonly ok: false; readonly refusal: Refusal };

/** A request without a body gives an empty record. */
function parseRequest(body: Buffer): ParsedRequest {
  if (body.length === 0) return { ok: true, record: {} };
  const parsed = parseJsonBytes(body, LIMITS);
  if (parsed === undefined) return notUtf8(body);
  if (!parsed.ok)
    return refused('The body is not valid JSON.', `Line ${parsed.line}, column ${parsed.column}: ${parsed.message}`);
  const { value } = parsed;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ok: true, record: value };
  return refused(
    'The body is not a JSON object.',
    `Line 1, column 1: expected an object such as {"id": 1}, but found ${kindOf(value)}.`,
  );
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
