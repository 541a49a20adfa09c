// Identifies who sent a request to the console: someone who may see it, and the session of their forms. Otherwise decides on the answer.
import type { IncomingMessage } from 'node:http';
import { createAuthentication, createTokenTest, givenToken, onlyToken } from '../../access/authentication.js';
import { isLocalRequest, isOwnOrigin } from '../../access/local-request.js';
import type { NamedTokens, TokenEntry } from '../../access/token-file.js';
import type { WrongTokens } from '../../access/wrong-tokens.js';
import { cookieOf, createSessions, type Session, type Sessions } from './sessions.js';

interface OperatorGateOptions {
  /** What operators sign in with; `undefined` if no one has to, which only a server on a loopback address may allow. */
  readonly token: string | undefined;
  /** More of them, with names, and of viewers. */
  readonly tokens?: Pick<NamedTokens, 'find' | 'all'> | undefined;
  /** Whether the server listens on a loopback address. */
  readonly isLoopback: boolean;
  readonly wrongTokens: WrongTokens;
  /** A secret of the store. */
  readonly secret: () => Promise<string>;
  readonly now?: () => number;
}

/** Someone who may see the console. A viewer changes nothing. */
export interface Person {
  readonly role: 'operator' | 'viewer';
  /** Of the token, as its file says. */
  readonly name?: string;
}

export type Admission =
  /** `session` is `undefined` for a program that sends the token with each request and needs no form token. */
  | { readonly kind: 'admitted'; readonly who: Person; readonly session: Session | undefined; readonly isNew?: true }
  | { readonly kind: 'sign in' }
  /** No one can sign in: the server has no operator token, and the request comes from another machine. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'wrong token' }
  /** A right token that is for starting runs only. */
  | { readonly kind: 'of a caller' }
  | { readonly kind: 'busy' };

type Refused = 'wrong token' | 'of a caller' | 'busy';

export interface OperatorGate {
  readonly sessions: Sessions;
  readonly needsToken: boolean;
  admit(request: IncomingMessage): Promise<Admission>;
  /** The token of the sign-in form. The answer to a wrong one is delayed. */
  signIn(request: IncomingMessage, token: string): Promise<Session | Refused>;
  /** Whether a change comes from a page of the console and not from another site. */
  isOwnForm(request: IncomingMessage, session: Session, formToken: string): Promise<boolean>;
}

export const SESSION_COOKIE = 'wf-console';

const operator: Person = { role: 'operator' };

export function createOperatorGate(options: OperatorGateOptions): OperatorGate {
  const { token, tokens, isLoopback, wrongTokens, secret, now } = options;
  const sessions = createSessions(token ?? '', secret, now);
  const isOperator = token === undefined ? () => false : createAuthentication(token);
  const needsToken = token !== undefined || tokens !== undefined;

  const wrong = async (request: IncomingMessage, given: string): Promise<'wrong token' | 'busy'> =>
    (await wrongTokens.slow(request, given)) === 'busy' ? 'busy' : 'wrong token';

  /** Whose session it is; `undefined` once the token is gone, or has expired. */
  const personOf = async ({ who }: Session): Promise<Person | undefined> => {
    if (who === '') return operator;
    for (const entry of tokens?.all() ?? []) if ((await sessions.markOf(entry.sha256)) === who) return personWith(entry);
    return undefined;
  };

  const admitToken = async (request: IncomingMessage, authorization: string): Promise<Admission> => {
    if (isOperator(request)) return { kind: 'admitted', who: operator, session: undefined };
    const entry = tokens?.find(onlyToken(request) ?? '');
    if (entry === undefined) return { kind: await wrong(request, givenToken(authorization)) };
    const who = personWith(entry);
    return who === undefined ? { kind: 'of a caller' } : { kind: 'admitted', who, session: undefined };
  };

  return {
    sessions,
    needsToken,
    async admit(request) {
      if (!needsToken && !(isLoopback && isLocalRequest(request))) return { kind: 'closed' };
      const { authorization } = request.headers;
      if (needsToken && authorization !== undefined) return admitToken(request, authorization);
      const session = await sessions.read(cookieOf(request, SESSION_COOKIE) ?? '');
      const who = session === undefined ? undefined : await personOf(session);
      if (who !== undefined) return { kind: 'admitted', who, session };
      return needsToken ? { kind: 'sign in' } : { kind: 'admitted', who: operator, session: sessions.create(), isNew: true };
    },
    async signIn(request, given) {
      if (token !== undefined && createTokenTest(token)(given)) return sessions.create();
      const entry = tokens?.find(given);
      if (entry === undefined) return needsToken ? wrong(request, given) : 'wrong token';
      return personWith(entry) === undefined ? 'of a caller' : sessions.create(await sessions.markOf(entry.sha256));
    },
    isOwnForm: async (request, session, formToken) => isSameSite(request) && (await sessions.isFormToken(session, formToken)),
  };
}

const personWith = ({ role, name }: TokenEntry): Person | undefined => (role === 'caller' ? undefined : { role, name });

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
