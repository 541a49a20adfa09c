// Signs operators in, keeps them signed in with a cookie, and refuses requests that may not see or change anything.
import type { IncomingMessage } from 'node:http';
import type { ConsoleExchange, ConsoleReply } from '../console-options.js';
import { FORM_TOKEN } from '../html/html.js';
import { pageReply, seeOther } from '../http/console-reply.js';
import {
  closedPage,
  messagePage,
  onwardPage,
  type PendingForm,
  pendingPage,
  safeTarget,
  signInPage,
} from '../pages/sign-in-page.js';
import { type Admission, isSameSite, type OperatorGate, SESSION_COOKIE } from './operator-gate.js';
import { SESSION_SECONDS, type Session, setCookie } from './sessions.js';

/** The header that starts or renews a session. */
export const sessionHeader = async (gate: OperatorGate, request: IncomingMessage, session: Session): Promise<string[]> => [
  'Set-Cookie',
  setCookie(request, SESSION_COOKIE, await gate.sessions.sign(session), SESSION_SECONDS),
];

/** The header that ends a session. */
export const endOfSession = (request: IncomingMessage): string[] => ['Set-Cookie', setCookie(request, SESSION_COOKIE, '', 0)];

/** Handles the form of the sign-in page. */
export async function signIn(gate: OperatorGate, request: IncomingMessage, form: URLSearchParams): Promise<ConsoleReply> {
  const to = safeTarget(form.get('to'));
  if (!isSameSite(request)) return forged();
  const pending = pendingIn(form);
  const session = await gate.signIn(request, (form.get('token') ?? '').trim());
  if (session === 'busy') return tooManyGuesses();
  if (session === 'of a caller') return ofCaller();
  if (session === 'wrong token') return pageReply(401, signInPage(to, 'This is not a token for the console.', pending));
  if (pending !== undefined)
    return pageReply(
      200,
      pendingPage(pending, await gate.sessions.formToken(session)),
      await sessionHeader(gate, request, session),
    );
  return seeOther(to, await sessionHeader(gate, request, session));
}

/** The form that waits for the sign-in. */
function pendingIn(form: URLSearchParams): PendingForm | undefined {
  const to = form.get('again');
  if (to === null || safeTarget(to) !== to) return undefined;
  return { to, fields: new URLSearchParams(form.get('fields') ?? ''), isOwn: form.get('own') === '1' };
}

/** Keeps a form that came after the end of its session. One of another site is dropped. */
export function keptForm({ request, path }: ConsoleExchange, form: URLSearchParams): ConsoleReply {
  if (!isSameSite(request) || safeTarget(path) !== path || path === '/console/sign-out')
    return pageReply(401, signInPage('/console'));
  const fields = new URLSearchParams([...form].filter(([name]) => name !== FORM_TOKEN));
  const { headers } = request;
  const isOwn = headers['sec-fetch-site'] !== undefined || headers.origin !== undefined;
  return pageReply(401, signInPage('/console', undefined, { to: path, fields, isOwn }));
}

/** The answer to a request that does not come from an operator. */
export function refusalOf(
  { kind }: Exclude<Admission, { kind: 'admitted' }>,
  { request, path, target }: ConsoleExchange,
): ConsoleReply {
  if (kind === 'closed') return pageReply(403, closedPage);
  if (kind === 'busy') return tooManyGuesses();
  if (kind === 'of a caller') return ofCaller();
  if (kind === 'wrong token')
    return pageReply(401, signInPage('/console', 'This is not a token for the console.'), ['WWW-Authenticate', 'Bearer']);
  if (request.headers['sec-fetch-site'] === 'cross-site' && request.method === 'GET') return pageReply(200, onwardPage(path));
  return pageReply(401, signInPage(safeTarget(target)));
}

export const forged = (): ConsoleReply =>
  pageReply(
    403,
    messagePage(
      'Nothing was changed',
      'This form did not come from the console, or it is too old. Go back, reload the page, and send it again.',
    ),
  );

const ofCaller = (): ConsoleReply =>
  pageReply(
    403,
    messagePage('Not for this token', 'This token starts runs. The console needs the token of an operator or of a viewer.'),
  );

export const changesNothing = (): ConsoleReply =>
  pageReply(403, messagePage('Nothing was changed', 'You are signed in as a viewer, who sees everything and changes nothing.'));

const tooManyGuesses = (): ConsoleReply =>
  pageReply(429, messagePage('One moment', 'Too many wrong tokens came from your address. The right one works at any time.'), [
    'Retry-After',
    '8',
  ]);
