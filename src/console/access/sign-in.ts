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
  providerAddress,
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
  const { ways } = gate;
  const token = (form.get('token') ?? '').trim();
  const session =
    token === '' && ways.provider !== undefined ? await sessionOf(gate, request) : await gate.signIn(request, token);
  if (session === undefined)
    return pageReply(401, signInPage({ ways, to, problem: `You are not signed in with ${ways.provider} yet.`, pending }));
  if (session === 'busy') return tooManyGuesses();
  if (session === 'of a caller') return ofCaller();
  if (session === 'wrong token')
    return pageReply(401, signInPage({ ways, to, problem: 'This is not a token for the console.', pending }));
  if (pending !== undefined)
    return pageReply(
      200,
      pendingPage(pending, await gate.sessions.formToken(session)),
      await sessionHeader(gate, request, session),
    );
  return seeOther(to, await sessionHeader(gate, request, session));
}

/** Of someone who has signed in with the provider since, in another tab. */
async function sessionOf(gate: OperatorGate, request: IncomingMessage): Promise<Session | undefined> {
  const admission = await gate.admit(request);
  return admission.kind === 'admitted' || admission.kind === 'of a caller' ? admission.session : undefined;
}

/** The form that waits for the sign-in. */
function pendingIn(form: URLSearchParams): PendingForm | undefined {
  const to = form.get('again');
  if (to === null || safeTarget(to) !== to) return undefined;
  return { to, fields: new URLSearchParams(form.get('fields') ?? ''), isOwn: form.get('own') === '1' };
}

/** Keeps a form that came after the end of its session. One of another site is dropped. */
export function keptForm({ ways }: OperatorGate, { request, target }: ConsoleExchange, form: URLSearchParams): ConsoleReply {
  if (!isSameSite(request) || safeTarget(target) !== target || target.startsWith('/console/sign-out'))
    return pageReply(401, signInPage({ ways }));
  const fields = new URLSearchParams([...form].filter(([name]) => name !== FORM_TOKEN));
  const { headers } = request;
  const isOwn = headers['sec-fetch-site'] !== undefined || headers.origin !== undefined;
  return pageReply(401, signInPage({ ways, pending: { to: target, fields, isOwn } }));
}

/** The answer to a request that does not come from an operator. */
export function refusalOf(
  { ways }: OperatorGate,
  refused: Exclude<Admission, { kind: 'admitted' }>,
  { request, path, target }: ConsoleExchange,
): ConsoleReply {
  const { kind } = refused;
  if (kind === 'closed') return pageReply(403, closedPage);
  if (kind === 'busy') return tooManyGuesses();
  if (kind === 'of a caller') return ofCaller(refused.name);
  if (kind === 'wrong token')
    return pageReply(401, signInPage({ ways, problem: 'This is not a token for the console.' }), ['WWW-Authenticate', 'Bearer']);
  if (request.headers['sec-fetch-site'] === 'cross-site' && request.method === 'GET') return pageReply(200, onwardPage(path));
  return pageReply(401, signInPage({ ways, to: safeTarget(target) }));
}

/** The answer to someone who opens the link of a question where people sign in with a provider, and has not done so. */
export function refusedLink(
  gate: OperatorGate,
  refused: Exclude<Admission, { kind: 'admitted' }>,
  exchange: ConsoleExchange,
  form: URLSearchParams,
): ConsoleReply {
  const { request, target } = exchange;
  if (refused.kind !== 'sign in') return refusalOf(gate, refused, exchange);
  if (request.method === 'POST') return keptForm(gate, exchange, form);
  if (request.headers['sec-fetch-site'] === 'cross-site') return pageReply(200, onwardPage(target));
  return safeTarget(target) === target ? seeOther(providerAddress(target)) : pageReply(401, signInPage({ ways: gate.ways }));
}

export const forged = (): ConsoleReply =>
  pageReply(
    403,
    messagePage(
      'Nothing was changed',
      'This form did not come from the console, or it is too old. Go back, reload the page, and send it again.',
    ),
  );

/** @param name of a person whom the provider signed in */
const ofCaller = (name?: string): ConsoleReply =>
  pageReply(
    403,
    name === undefined
      ? messagePage('Not for this token', 'This token starts runs. The console needs the token of an operator or of a viewer.')
      : messagePage(
          'Not for you',
          `You are signed in as ${name}. You can answer questions; the console is for operators and viewers.`,
        ),
  );

export const changesNothing = (): ConsoleReply =>
  pageReply(403, messagePage('Nothing was changed', 'You are signed in as a viewer, who sees everything and changes nothing.'));

const tooManyGuesses = (): ConsoleReply =>
  pageReply(429, messagePage('One moment', 'Too many wrong tokens came from your address. The right one works at any time.'), [
    'Retry-After',
    '8',
  ]);
