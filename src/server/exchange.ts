// One request with its answer and what the server knows about both. Most parts of the server receive one of these.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestId } from './request-id.js';

export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  /** As sent, without the query. */
  readonly path: string;
  /** From `performance.now()`, in milliseconds. */
  readonly started: number;
  /** The client is waiting for `100 Continue` before it sends the body. */
  mustContinue: boolean;
}

export function createExchange(request: IncomingMessage, response: ServerResponse, mustContinue: boolean): HttpExchange {
  return {
    request,
    response,
    id: requestId(request),
    path: pathOf(request.url ?? '/'),
    started: performance.now(),
    mustContinue,
  };
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
export function hasTarget({ method, url = '' }: IncomingMessage): boolean {
  if (url.includes('#')) return false;
  return url.startsWith('/') || pathStart(url) > 0 || method === 'CONNECT' || (method === 'OPTIONS' && url === '*');
}

/**
 * More than any program sends. Node.js would drop headers beyond this number, and one of them might be the length of the body.
 */
const mostHeaders = 2_000;

export const hasTooManyHeaders = ({ rawHeaders }: IncomingMessage): boolean => rawHeaders.length > 2 * mostHeaders;

const pathStart = (target: string): number => /^https?:\/\/[^/?]*/i.exec(target)?.[0].length ?? 0;
