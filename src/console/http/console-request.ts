// The parts of a request that the console's handlers need, read once.
import type { Actor } from '../../durable/model/changes.js';
import type { Session } from '../access/sessions.js';
import type { ConsoleExchange, ConsoleOptions, ConsoleReply } from '../console-options.js';
import { messagePage } from '../pages/sign-in-page.js';
import { pageReply } from './console-reply.js';

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
  /** Who makes a change with it. */
  readonly actor: Actor;
  /** The request is for part of a page that is already open. */
  readonly isPart: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The decoded segments of a path, or `undefined` if its encoding, or that of the query after it, is invalid. */
export function segmentsOf(path: string, target: string): string[] | undefined {
  // Raw bytes above ASCII belong to no encoding. No page has a control character in its address, and no database keeps NUL.
  if (/[^\x21-\x7e]|%(?:[01][\da-f]|7f)/i.test(target.replace(/%(?:09|0a|0d)/gi, ''))) return undefined;
  try {
    decodeURIComponent(target);
    return path
      .split('/')
      .filter((segment, index) => segment !== '' || index > 1)
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** Maximum bytes of a form, which may contain a whole request to try. */
const MOST_OF_A_FORM = 2 * 1024 * 1024;

/** The fields of the form, or the answer to anything else. `gone`: the browser hung up. */
export async function readForm<Exchange extends ConsoleExchange>(
  exchange: Exchange,
  readBody: ConsoleOptions<Exchange>['readBody'],
): Promise<URLSearchParams | ConsoleReply | 'gone'> {
  const type = exchange.request.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\b/i.test(type))
    return pageReply(415, messagePage('Not a form', 'Send the fields as a form does.'));
  const body = await readBody(exchange, MOST_OF_A_FORM);
  if (body === 'gone') return 'gone';
  if (body === 'too large')
    return pageReply(413, messagePage('Too large', `A form may have up to ${MOST_OF_A_FORM / 1024 / 1024} MB.`));
  return new URLSearchParams(new TextDecoder().decode(body));
}
