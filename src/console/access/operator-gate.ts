// Identifies who sent a request to the console: an operator and the session of their forms. Otherwise decides on the answer.
import type { IncomingMessage } from 'node:http';
import { createAuthentication, createTokenTest, givenToken } from '../../access/authentication.js';
import { isLocalRequest, isOwnOrigin } from '../../access/local-request.js';
import type { WrongTokens } from '../../access/wrong-tokens.js';
import { cookieOf, createSessions, type Session, type Sessions } from './sessions.js';

interface OperatorGateOptions {
  /** What operators sign in with; `undefined` if no one has to, which only a server on a loopback address may allow. */
  readonly token: string | undefined;
  /** Whether the server listens on a loopback address. */
  readonly isLoopback: boolean;
  readonly wrongTokens: WrongTokens;
  readonly now?: () => number;
}

export type Admission =
  /** `session` is `undefined` for a program that sends the token with each request and needs no form token. */
  | { readonly kind: 'operator'; readonly session: Session | undefined; readonly isNew?: true }
  | { readonly kind: 'sign in' }
  /** No one can sign in: the server has no operator token, and the request comes from another machine. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'wrong token' }
  | { readonly kind: 'busy' };

export interface OperatorGate {
  readonly sessions: Sessions;
  readonly needsToken: boolean;
  admit(request: IncomingMessage): Promise<Admission>;
  /** The token of the sign-in form. The answer to a wrong one is delayed. */
  signIn(request: IncomingMessage, token: string): Promise<Session | 'wrong token' | 'busy'>;
  /** Whether a change comes from a page of the console and not from another site. */
  isOwnForm(request: IncomingMessage, session: Session, formToken: string): Promise<boolean>;
}

export const SESSION_COOKIE = 'wf-console';

export function createOperatorGate({ token, isLoopback, wrongTokens, now }: OperatorGateOptions): OperatorGate {
  const sessions = createSessions(token ?? '', now);
  const isOperator = token === undefined ? () => false : createAuthentication(token);

  const wrong = async (request: IncomingMessage, given: string): Promise<'wrong token' | 'busy'> =>
    (await wrongTokens.slow(request, given)) === 'busy' ? 'busy' : 'wrong token';

  return {
    sessions,
    needsToken: token !== undefined,
    async admit(request) {
      if (token === undefined && !(isLoopback && isLocalRequest(request))) return { kind: 'closed' };
      const { authorization } = request.headers;
      if (token !== undefined && authorization !== undefined) {
        if (isOperator(request)) return { kind: 'operator', session: undefined };
        return { kind: await wrong(request, givenToken(authorization)) };
      }
      const session = await sessions.read(cookieOf(request, SESSION_COOKIE) ?? '');
      if (session !== undefined) return { kind: 'operator', session };
      return token === undefined ? { kind: 'operator', session: sessions.create(), isNew: true } : { kind: 'sign in' };
    },
    async signIn(request, given) {
      if (token === undefined) return 'wrong token';
      return createTokenTest(token)(given) ? sessions.create() : wrong(request, given);
    },
    isOwnForm: async (request, session, formToken) => isSameSite(request) && (await sessions.isFormToken(session, formToken)),
  };
}

/** What the browser says about the page that a form was sent from. Old browsers say nothing; then only the form token counts. */
export function isSameSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin === undefined) return true;
  const forwarded = headers['x-forwarded-host'];
  return [headers.host, typeof forwarded === 'string' ? forwarded : undefined].some(
    (host) => host !== undefined && isOwnOrigin(headers.origin ?? '', host),
  );
}
