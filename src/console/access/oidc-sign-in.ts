// Sends people to the OpenID provider and takes them back. What the way back is checked against is in a cookie, so any process over the
// store can finish what another one began.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Oidc, type OidcAttempt, OidcProblem } from '../../access/oidc.js';
import type { ConsoleExchange, ConsoleReply } from '../console-options.js';
import { pageReply, seeOther } from '../http/console-reply.js';
import { queryParameters } from '../http/query.js';
import { messagePage, onwardPage, safeTarget, signInPage } from '../pages/sign-in-page.js';
import type { OperatorGate } from './operator-gate.js';
import { cookieOf, isSame, setCookie } from './sessions.js';
import { sessionHeader } from './sign-in.js';

interface OidcSignInOptions {
  readonly oidc: Oidc;
  readonly gate: OperatorGate;
  readonly baseOf: (request: IncomingMessage) => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface OidcSignIn {
  /** Sends the browser to the provider. */
  begin(exchange: ConsoleExchange): Promise<ConsoleReply>;
  /** Where the provider sends it back to. */
  finish(exchange: ConsoleExchange): Promise<ConsoleReply>;
}

/** Time to sign in with the provider. */
const MOST_SECONDS = 15 * 60;
/** Longer addresses don't fit into a cookie. */
const MOST_OF_A_TARGET = 1_000;

/** A way to the provider and back, in the cookie of the browser that went. */
interface Trip {
  readonly text: string;
  readonly to: string;
}

export function createOidcSignIn({ oidc, gate, baseOf, now }: OidcSignInOptions): OidcSignIn {
  const { sessions, ways } = gate;
  const derive = (purpose: string, { text }: Trip): Promise<string> => sessions.derive(`oidc ${purpose}`, text);
  const attemptOf = async (trip: Trip, request: IncomingMessage): Promise<OidcAttempt> => ({
    redirectUri: `${baseOf(request)}/console/oidc/callback`,
    state: await derive('state', trip),
    nonce: await derive('nonce', trip),
    verifier: await derive('verifier', trip),
  });
  /** Several tabs may be on their way at once, each with a cookie of its own. */
  const cookieName = (state: string): string => `wf-oidc-${state.slice(0, 16)}`;

  const tripOf = async (request: IncomingMessage, state: string): Promise<Trip | undefined> => {
    const cookie = /^[\w-]{43}$/.test(state) ? (cookieOf(request, cookieName(state)) ?? '') : '';
    const [, text = '', expires = '', to = ''] = /^(([0-9a-z]{1,11})\.[\w-]{22}\.([\w-]{1,4000}))$/.exec(cookie) ?? [];
    const trip = { text, to: Buffer.from(to, 'base64url').toString() };
    // The state is a code over the text, and so proves it.
    return Number.parseInt(expires, 36) > now() && isSame(state, await derive('state', trip)) ? trip : undefined;
  };

  return {
    async begin({ request, target }) {
      // Pages of other sites could fill the browser with cookies by naming this address as that of a picture.
      if (!['document', undefined].includes(request.headers['sec-fetch-dest'])) return pageReply(401, signInPage({ ways }));
      const given = safeTarget(queryParameters(target).get('to'));
      const to = given.length > MOST_OF_A_TARGET ? '/console' : given;
      const expires = (now() + MOST_SECONDS * 1000).toString(36);
      const text = `${expires}.${randomBytes(16).toString('base64url')}.${Buffer.from(to).toString('base64url')}`;
      const attempt = await attemptOf({ text, to }, request);
      const address = await oidc.begin(attempt).catch(problemOf);
      if (address instanceof OidcProblem) return problemPage(address, to);
      return seeOther(address.href, ['Set-Cookie', setCookie(request, cookieName(attempt.state), text, MOST_SECONDS, 'Lax')]);
    },
    async finish({ request, target }) {
      const query = queryParameters(target);
      const state = query.get('state') ?? '';
      const trip = await tripOf(request, state);
      if (trip === undefined) return tooOld;
      const forget = ['Set-Cookie', setCookie(request, cookieName(state), '', 0, 'Lax')];
      const person = await oidc.finish(query.toString(), await attemptOf(trip, request)).catch(problemOf);
      if (person instanceof OidcProblem) return withHeaders(problemPage(person, trip.to), forget);
      const { name, role } = person;
      if (role === undefined) return withHeaders(withoutRole(name, oidc.host), forget);
      // The browser comes from another site, and would withhold the session from a redirect.
      const onward = pageReply(200, onwardPage(trip.to, `../..${trip.to}`), forget);
      return withHeaders(onward, await sessionHeader(gate, request, gate.welcome({ name, role })));
    },
  };
}

const withHeaders = (reply: ConsoleReply, headers: readonly string[]): ConsoleReply => ({
  ...reply,
  headers: [...reply.headers, ...headers],
});

const problemOf = (error: unknown): OidcProblem => {
  if (error instanceof OidcProblem) return error;
  throw error;
};

const problemPage = ({ kind, message }: OidcProblem, to: string): ConsoleReply =>
  kind === 'unavailable'
    ? pageReply(503, messagePage('Nobody can sign in now', message), ['Retry-After', '5'])
    : pageReply(403, messagePage('You are not signed in', message, to));

const tooOld = pageReply(
  400,
  messagePage('You are not signed in', 'This sign-in is too old, or it began in another browser. Sign in again.'),
);

const withoutRole = (name: string, host: string): ConsoleReply =>
  pageReply(
    403,
    messagePage(
      'You have no access',
      `${host} signed you in as ${name}, but none of your groups has a role on this server. Ask whoever runs it.`,
    ),
  );
