// Reads the form that a page of the console sends.
import type { ConsoleExchange, ConsoleOptions, ConsoleReply } from '../console-options.js';
import { messagePage } from '../pages/sign-in-page.js';
import { pageReply } from './console-reply.js';

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
