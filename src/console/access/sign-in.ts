// Signs operators in, and keeps them signed in with a cookie.
import type { IncomingMessage } from 'node:http';
import type { ConsoleReply } from '../console-options.js';
import { pageReply, seeOther } from '../http/console-reply.js';
import { safeTarget, signInPage } from '../pages/sign-in-page.js';
import { setCookie } from './cookies.js';
import { isSameSite, type OperatorGate, SESSION_COOKIE } from './operator-gate.js';
import { forged, tooManyGuesses } from './refusals.js';
import { SESSION_SECONDS, type Session } from './sessions.js';

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
  const session = await gate.signIn(request, (form.get('token') ?? '').trim());
  if (session === 'busy') return tooManyGuesses();
  if (session === 'wrong token') return pageReply(401, signInPage(to, 'This is not the operator token.'));
  return seeOther(to, await sessionHeader(gate, request, session));
}
