// Answers to requests that may not see or change anything.
import type { ConsoleExchange, ConsoleReply } from '../console-options.js';
import { pageReply } from '../http/console-reply.js';
import { closedPage, messagePage, onwardPage, safeTarget, signInPage } from '../pages/sign-in-page.js';
import type { Admission } from './operator-gate.js';

/** The answer to a request that does not come from an operator. */
export function refusalOf({ kind }: Exclude<Admission, { kind: 'operator' }>, { request, path }: ConsoleExchange): ConsoleReply {
  if (kind === 'closed') return pageReply(403, closedPage);
  if (kind === 'busy') return tooManyGuesses();
  if (kind === 'wrong token')
    return pageReply(401, signInPage('/console', 'This is not the operator token.'), ['WWW-Authenticate', 'Bearer']);
  if (request.headers['sec-fetch-site'] === 'cross-site' && request.method === 'GET') return pageReply(200, onwardPage(path));
  return pageReply(401, signInPage(safeTarget(request.url ?? null)));
}

export const forged = (): ConsoleReply =>
  pageReply(
    403,
    messagePage(
      'Nothing was changed',
      'This form did not come from the console, or it is too old. Go back, reload the page, and send it again.',
    ),
  );

export const tooManyGuesses = (): ConsoleReply =>
  pageReply(429, messagePage('One moment', 'Too many wrong tokens came from your address. Try again in a few seconds.'), [
    'Retry-After',
    '8',
  ]);
