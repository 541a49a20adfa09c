// One request and its answer, with what the server notes of them. Its own file: every other part is handed one.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestId } from './request-id.js';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  /** As sent, without the query. */
  readonly path: string;
  /** Milliseconds of `performance.now()`. */
  readonly started: number;
  /** The client waits for `100 Continue` before it sends the body; nobody has told it so yet. */
  mustContinue: boolean;
}

export function createExchange(request: IncomingMessage, response: ServerResponse, mustContinue: boolean): Exchange {
  return {
    request,
    response,
    id: requestId(request),
    path: pathOf(request.url ?? '/'),
    started: performance.now(),
    mustContinue,
  };
}

/** Whether a body was announced (RFC 9112, 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/** Whether it says once where it goes to, as HTTP/1.1 asks (RFC 9112, 3.2). */
export function hasHost({ httpVersionMinor, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0);
}

/** The path as the client wrote it: percent-encoding stays, so that a workflow has one address only. Also of the absolute form (RFC 9112, 3.2.2). */
export function pathOf(target: string): string {
  const start = target.startsWith('/') ? 0 : pathStart(target);
  const query = target.indexOf('?', start);
  const path = query === -1 ? target.slice(start) : target.slice(start, query);
  return path === '' ? '/' : path;
}

const pathStart = (target: string): number => /^https?:\/\/[^/?]*/i.exec(target)?.[0].length ?? 0;
