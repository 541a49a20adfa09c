// What the handlers of the console are given: the parts of a request that matter to them, read once.
import type { IncomingMessage } from 'node:http';
import type { Session } from '../access/sessions.js';
import type { ConsoleExchange } from '../console-options.js';

export interface ConsoleRequest {
  readonly exchange: ConsoleExchange;
  readonly isPost: boolean;
  /** The path's segments, decoded: `/console/runs/a%20b` → `['console', 'runs', 'a b']`. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  /** The fields of a form; empty for anything but a POST. */
  readonly form: URLSearchParams;
  /** `undefined` for a program that sends the token. */
  readonly session: Session | undefined;
  /** For the hidden field of each form. */
  readonly formToken: string;
  /** Who is signed in, as the trusted proxy says. */
  readonly user: string | undefined;
  /** A part of a page is wanted, for a page that is open. */
  readonly isPart: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The decoded segments of a path, or `undefined` where it is not encoded as paths are. */
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

/** How a program on this machine or elsewhere reaches the server: as the browser has, where that is plain enough to stand in a command. */
export function baseAddress({ headers }: IncomingMessage): string {
  const forwarded = headers['x-forwarded-proto'];
  const host = /^[\w.-]+(?::\d+)?$|^\[[\da-f:]+\](?::\d+)?$/i.test(headers.host ?? '') ? headers.host : 'localhost:3000';
  return `${forwarded === 'https' ? 'https' : 'http'}://${host}`;
}

export const queryParameters = (url: string): URLSearchParams => {
  const at = url.indexOf('?');
  return new URLSearchParams(at === -1 ? '' : url.slice(at + 1));
};
