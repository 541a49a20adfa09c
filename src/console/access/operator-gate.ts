// Identifies who sent a request to the console: someone who may see it, and the session of their forms. Otherwise decides on the answer.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { parseJson } from '../../../runtime/values/json.js';
import { isLocalRequest, isOwnOrigin } from '../../access/foreign-pages.js';
import type { Oidc, OidcPerson } from '../../access/oidc.js';
import type { WrongTokens } from '../../access/rate-limit.js';
import { createAuthentication, createTokenTest, givenToken, onlyToken } from '../../access/roles.js';
import { type NamedTokens, type TokenEntry, type TokenRole, tokenRoles } from '../../access/token-file.js';
import type { SignInWays } from '../pages/sign-in-page.js';
import { cookieOf, createSessions, type Session, type SessionStore, type Sessions } from './sessions.js';

interface OperatorGateOptions {
  /** The token that operators sign in with; `undefined` if no one has to, which only a server on a loopback address may allow. */
  readonly token: string | undefined;
  /** More of them, with names, and of viewers. */
  readonly tokens?: Pick<NamedTokens, 'find' | 'all'> | undefined;
  /** Signs people in, with or without tokens beside it. */
  readonly oidc?: Pick<Oidc, 'id' | 'host'> | undefined;
  /** Whether the server listens on a loopback address. */
  readonly isLoopback: boolean;
  readonly wrongTokens: WrongTokens;
  readonly store: SessionStore;
  readonly now?: () => number;
}

/** Someone who may see the console. A viewer changes nothing. */
export interface Person {
  readonly role: 'operator' | 'viewer';
  /** Of the token, as its file says, or of the person, as the provider says. */
  readonly name?: string;
  /** The provider vouches for the name: it is a person's. */
  readonly isSignedIn?: true;
}

export type Admission =
  /** `session` is `undefined` for a program that sends the token with each request and needs no form token. */
  | { readonly kind: 'admitted'; readonly who: Person; readonly session: Session | undefined; readonly isNew?: true }
  | { readonly kind: 'sign in' }
  /** No one can sign in: the server has no operator token, and the request comes from another machine. */
  | { readonly kind: 'closed' }
  | { readonly kind: 'wrong token' }
  /** A right token that is for starting runs only, or a person who may only answer questions. */
  | { readonly kind: 'of a caller'; readonly name?: string; readonly session: Session | undefined }
  | { readonly kind: 'busy' };

type Refused = 'wrong token' | 'of a caller' | 'busy';

export interface OperatorGate {
  readonly sessions: Sessions;
  readonly needsSignIn: boolean;
  /** The ways in that the sign-in page offers. */
  readonly ways: SignInWays;
  admit(request: IncomingMessage): Promise<Admission>;
  /** The token of the sign-in form. The answer to a wrong one is delayed. */
  signIn(request: IncomingMessage, token: string): Promise<Session | Refused>;
  /** The session of someone whom the provider signed in. */
  welcome(person: OidcPerson & { readonly role: TokenRole }): Session;
  /** Whether a change comes from a page of the console and not from another site. */
  isOwnForm(request: IncomingMessage, session: Session, formToken: string): Promise<boolean>;
}

export const SESSION_COOKIE = 'wf-console';

const operator: Person = { role: 'operator' };

export function createOperatorGate(options: OperatorGateOptions): OperatorGate {
  const { token, tokens, oidc, isLoopback, wrongTokens, store, now } = options;
  const sessions = createSessions(token ?? '', store, now);
  const isOperator = token === undefined ? () => false : createAuthentication(token);
  const needsSignIn = token !== undefined || tokens !== undefined || oidc !== undefined;

  const wrong = async (request: IncomingMessage, given: string): Promise<'wrong token' | 'busy'> =>
    (await wrongTokens.slow(request, given)) === 'busy' ? 'busy' : 'wrong token';

  /** Whose session it is; `undefined` once the token is gone or has expired, or the provider is another one. */
  const personOf = async ({ who }: Session): Promise<Known | undefined> => {
    // Without a token, it is one of the time when nobody had to sign in.
    if (who === '') return token === undefined && needsSignIn ? undefined : operator;
    for (const entry of tokens?.all() ?? []) if ((await sessions.markOf(entry.sha256)) === who) return entry;
    return oidc === undefined ? undefined : personIn(who, oidc.id);
  };

  const admitToken = async (request: IncomingMessage, authorization: string): Promise<Admission> => {
    if (isOperator(request)) return { kind: 'admitted', who: operator, session: undefined };
    const entry = tokens?.find(onlyToken(request) ?? '');
    if (entry === undefined) return { kind: await wrong(request, givenToken(authorization)) };
    return admissionOf(entry, undefined);
  };

  return {
    sessions,
    needsSignIn,
    ways: { token: token !== undefined || tokens !== undefined, provider: oidc?.host },
    async admit(request) {
      if (!needsSignIn && !(isLoopback && isLocalRequest(request))) return { kind: 'closed' };
      const { authorization } = request.headers;
      if (needsSignIn && authorization !== undefined) return admitToken(request, authorization);
      const session = await sessions.read(cookieOf(request, SESSION_COOKIE) ?? '');
      const who = session === undefined ? undefined : await personOf(session);
      if (who !== undefined) return admissionOf(who, session);
      return needsSignIn ? { kind: 'sign in' } : { kind: 'admitted', who: operator, session: sessions.create(), isNew: true };
    },
    async signIn(request, given) {
      if (token !== undefined && createTokenTest(token)(given)) return sessions.create();
      const entry = tokens?.find(given);
      if (entry === undefined) return needsSignIn ? wrong(request, given) : 'wrong token';
      return entry.role === 'caller' ? 'of a caller' : sessions.create(await sessions.markOf(entry.sha256));
    },
    welcome: ({ name, role }) => sessions.create(whoIs({ name, role, of: digest(oidc?.id ?? '') })),
    isOwnForm: async (request, session, formToken) => isSameSite(request) && (await sessions.isFormToken(session, formToken)),
  };
}

/** The person to whom a session or a token belongs. */
type Known = Pick<Person, 'name' | 'isSignedIn'> & { readonly role: TokenEntry['role'] };

const admissionOf = ({ role, name, isSignedIn }: Known, session: Session | undefined): Admission => {
  const named = name === undefined ? {} : { name };
  if (role === 'caller') return { kind: 'of a caller', ...(isSignedIn && named), session };
  return { kind: 'admitted', who: { role, ...named, ...(isSignedIn && { isSignedIn }) }, session };
};

/** A person, in the cookie of their session. The cookie is signed. */
interface PersonInCookie {
  readonly name: string;
  readonly role: TokenRole;
  /** Stands for the provider and the client. */
  readonly of: string;
}

const whoIs = (person: PersonInCookie): string => Buffer.from(JSON.stringify(person)).toString('base64url');

function personIn(who: string, provider: string): Known | undefined {
  const parsed = parseJson(Buffer.from(who, 'base64url').toString());
  if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) return undefined;
  const { name, role, of } = parsed.value as Readonly<Record<string, unknown>>; // any object is one
  const known = tokenRoles.find((one) => one === role);
  return typeof name === 'string' && known !== undefined && of === digest(provider)
    ? { name, role: known, isSignedIn: true }
    : undefined;
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** Checks what the browser says about the page that a form was sent from. Old browsers say nothing; then only the form token counts. */
export function isSameSite({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin === undefined) return true;
  const forwarded = headers['x-forwarded-host'];
  return [headers.host, typeof forwarded === 'string' ? forwarded : undefined].some(
    (host) => host !== undefined && isOwnOrigin(headers.origin ?? '', host),
  );
}
