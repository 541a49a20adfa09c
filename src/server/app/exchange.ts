// Describes one request, with its answer and id. Most parts of the server receive one of these.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  /** The request target, as sent. Express changes that of the request. */
  readonly target: string;
  /** As sent, without the query. */
  readonly path: string;
  /** From `performance.now()`, in milliseconds. */
  readonly started: number;
  /** The client is waiting for `100 Continue` before it sends the body. */
  mustContinue: boolean;
}

/** A request and its answer before Express sees them. */
export interface Arrival {
  readonly target: string;
  /** The client is waiting for `100 Continue` before it sends the body. */
  readonly mustContinue: boolean;
}

export function createExchange(request: IncomingMessage, response: ServerResponse, arrival: Arrival): HttpExchange {
  const { target, mustContinue } = arrival;
  return { request, response, id: requestId(request), target, path: pathOf(target), started: performance.now(), mustContinue };
}

/** The path for Express to match: as sent, without the query. Express does not answer a path without a slash, which `CONNECT` has. */
export function routedPath(target: string): string {
  const path = pathOf(target);
  return path.startsWith('/') ? path : `/${path}`;
}

/** Whether the request announces a body (RFC 9112, 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/** Whether the request has exactly one `Host`, as HTTP/1.1 requires (RFC 9112, 3.2). */
export function hasHost({ httpVersionMinor, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0);
}

/**
 * The path exactly as sent. It is not decoded, so each workflow has a single address. Accepts the absolute form, too (RFC 9112,
 * 3.2.2).
 */
function pathOf(target: string): string {
  const start = target.startsWith('/') ? 0 : pathStart(target);
  const query = target.indexOf('?', start);
  const path = query === -1 ? target.slice(start) : target.slice(start, query);
  return path === '' ? '/' : path;
}

/**
 * Whether the request target has one of the forms that HTTP allows (RFC 9112, 3.2). A fragment is not allowed: clients and
 * proxies would drop it.
 */
export function hasTarget({ request: { method }, target }: HttpExchange): boolean {
  if (target.includes('#')) return false;
  return target.startsWith('/') || pathStart(target) > 0 || method === 'CONNECT' || (method === 'OPTIONS' && target === '*');
}

/**
 * More than any program sends. Node.js would drop headers beyond this number, and one of them might be the length of the body.
 */
const mostHeaders = 2_000;

export const hasTooManyHeaders = ({ rawHeaders }: IncomingMessage): boolean => rawHeaders.length > 2 * mostHeaders;

const pathStart = (target: string): number => /^https?:\/\/[^/?]*/i.exec(target)?.[0].length ?? 0;

const USABLE = /^[\x21-\x7e]{1,128}$/;

/** A number of nine decimal digits, because writing a small integer in decimal is much faster than any number in hexadecimal. */
const [FIRST, MOST] = [10 ** 8, 10 ** 9];
/** Random, followed by a counter: unique, without the cost of fresh random bytes for each request. */
let prefix = newPrefix();
let count = FIRST + Math.floor(Math.random() * FIRST);

/** The request's own `X-Request-Id` if it consists of 1 to 128 visible ASCII characters; a new one otherwise. */
function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && USABLE.test(given) ? given : newRequestId();
}

/** The trace that the request belongs to; empty if it names none. */
export function traceparentOf({ request }: HttpExchange): string {
  const given = request.headers.traceparent;
  return typeof given === 'string' ? given : '';
}

/** In UUID format. */
export function newRequestId(): string {
  if (++count === MOST) {
    prefix = newPrefix();
    count = FIRST;
  }
  return prefix + count;
}

function newPrefix(): string {
  return randomUUID().slice(0, -9);
}
