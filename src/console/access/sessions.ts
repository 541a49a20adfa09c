// Derives signed session cookies and their form tokens from a key of the store: any process over the store can verify a session. It
// stores only those that somebody ended. Changing the operator token invalidates all, and changing a token of the file those of its owner.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Session {
  /** Random; the form token of this session is derived from it. */
  readonly nonce: string;
  /** Whose it is: empty for the operator token, otherwise the mark of a token, or the person whom a provider named. */
  readonly who: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface Sessions {
  create(who?: string): Session;
  /** The value of the cookie. */
  sign(session: Session): Promise<string>;
  /** `undefined` if it was signed with another token, was altered, or has expired. */
  read(cookie: string): Promise<Session | undefined>;
  /** Sent with every form of this session. Another site can make a browser send the cookie, but can't read this. */
  formToken(session: Session): Promise<string>;
  isFormToken(session: Session, given: string): Promise<boolean>;
  /** Stands for a token in a cookie, and does not help to guess it. */
  markOf(sha256: string): Promise<string>;
  /** 43 letters, digits, hyphens and underscores that only processes over the store can derive from this text. */
  derive(purpose: string, text: string): Promise<string>;
  /** The session is over in every process, whoever still has its cookie. */
  end(session: Session): Promise<void>;
}

export const SESSION_SECONDS = 12 * 60 * 60;

/** Session data that the processes over a store share. */
export interface SessionStore {
  /** Only these processes know it, so that a stolen cookie is no help in guessing tokens. */
  readonly secret: () => Promise<string>;
  readonly isEnded: (session: Session) => Promise<boolean>;
  readonly end: (session: Session) => Promise<void>;
}

/** @param token the operator token. If it is empty, and there are no others, a session only ties forms to a browser */
export function createSessions(token: string, store: SessionStore, now: () => number = Date.now): Sessions {
  let key: Promise<Buffer> | undefined;
  const mac = async (purpose: string, text: string): Promise<string> => {
    key ??= store.secret().then((known) => createHmac('sha256', known).update(`console:${token}`).digest());
    return createHmac('sha256', await key.catch(forget))
      .update(`${purpose}:${text}`)
      .digest('base64url');
  };
  /** The store could not be read: the next request tries again. */
  const forget = (error: unknown): never => {
    key = undefined;
    throw error;
  };
  const textOf = ({ nonce, who, expiresAt }: Session): string =>
    `${expiresAt.toString(36)}.${nonce}${who === '' ? '' : `.${who}`}`;
  const formToken = (session: Session): Promise<string> => mac('form', textOf(session));
  return {
    create: (who = '') => ({
      nonce: randomBytes(16).toString('base64url'),
      who,
      expiresAt: now() + SESSION_SECONDS * 1000,
    }),
    sign: async (session) => `${textOf(session)}.${await mac('session', textOf(session))}`,
    async read(cookie) {
      const [, expires = '', nonce = '', who = '', given = ''] =
        /^([0-9a-z]{1,11})\.([\w-]{22})(?:\.([\w-]{1,1000}))?\.([\w-]{43})$/.exec(cookie) ?? [];
      const session = { nonce, who, expiresAt: Number.parseInt(expires, 36) };
      if (!(session.expiresAt > now()) || !isSame(given, await mac('session', textOf(session)))) return undefined;
      return (await store.isEnded(session)) ? undefined : session;
    },
    formToken,
    end: store.end,
    isFormToken: async (session, given) => isSame(given, await formToken(session)),
    markOf: (sha256) => mac('token', sha256),
    derive: mac,
  };
}

export function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The value of a cookie; the first one if a browser sends several of that name. */
export function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/**
 * The value of `Set-Cookie`; `maxAgeSeconds` 0 deletes the cookie. Scripts and other sites can't access it.
 * @param sameSite `Lax` for a cookie that the browser must also send when another site leads here
 */
export function setCookie(
  request: IncomingMessage,
  name: string,
  value: string,
  maxAgeSeconds: number,
  sameSite: 'Strict' | 'Lax' = 'Strict',
): string {
  const secure = isBehindTls(request) ? '; Secure' : '';
  return `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=${sameSite}${secure}`;
}

/** Whether the browser uses TLS, either to this process or to a proxy in front of it. */
function isBehindTls({ socket, headers }: IncomingMessage): boolean {
  const forwarded = headers['x-forwarded-proto'];
  return 'encrypted' in socket || (typeof forwarded === 'string' && forwarded.split(',')[0]?.trim().toLowerCase() === 'https');
}
