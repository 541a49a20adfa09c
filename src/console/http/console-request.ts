// The parts of a request that the console's handlers need, read once.
import type { IncomingMessage } from 'node:http';
import type { Session } from '../access/sessions.js';
import type { ConsoleExchange } from '../console-options.js';

export interface ConsoleRequest {
  readonly exchange: ConsoleExchange;
  readonly isPost: boolean;
  /** The path's segments, decoded: `/console/runs/a%20b` → `['console', 'runs', 'a b']`. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  /** Fields of the form; empty for anything but a POST. */
  readonly form: URLSearchParams;
  /** `undefined` for a program that sends the token. */
  readonly session: Session | undefined;
  /** Value of the hidden field of each form. */
  readonly formToken: string;
  /** The signed-in user, according to the trusted proxy. */
  readonly user: string | undefined;
  /** The request is for part of a page that is already open. */
  readonly isPart: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The decoded segments of a path, or `undefined` if its encoding is invalid. */
export function segmentsOf(path: string): string[] | undefined {
  try {
    return path
      .split('/')
      .filter((segment, index) => segment !== '' || index > 1)
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** The address for commands that reach the server: the one the browser used, if it is plain enough for a command line. */
export function baseAddress({ headers }: IncomingMessage): string {
  const forwarded = headers['x-forwarded-proto'];
  const host = /^[\w.-]+(?::\d+)?$|^\[[\da-f:]+\](?::\d+)?$/i.test(headers.host ?? '') ? headers.host : 'localhost:3000';
  return `${forwarded === 'https' ? 'https' : 'http'}://${host}`;
}

export const queryParameters = (url: string): URLSearchParams => {
  const at = url.indexOf('?');
  return new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
};
