// Derives signed session cookies and their form tokens from the token. Stores nothing: any process that knows the token can verify a
// session, and changing the token invalidates them all.
import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Session {
  /** Random; the form token of this session is derived from it. */
  readonly nonce: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface Sessions {
  create(): Session;
  /** The value of the cookie. */
  sign(session: Session): Promise<string>;
  /** `undefined` if it was signed with another token, was altered, or has expired. */
  read(cookie: string): Promise<Session | undefined>;
  /** Sent with every form of this session. Another site can make a browser send the cookie, but can't read this. */
  formToken(session: Session): Promise<string>;
  isFormToken(session: Session, given: string): Promise<boolean>;
}

export const SESSION_SECONDS = 12 * 60 * 60;

/** @param token what operators sign in with. If it is empty, no one has to, and a session only ties forms to a browser */
export function createSessions(token: string, now: () => number = Date.now): Sessions {
  let key: Promise<Buffer> | undefined;
  const mac = async (purpose: string, text: string): Promise<string> => {
    // Derived slowly, so that a stolen cookie is no help in guessing passwords.
    key ??= deriveKey(token);
    return createHmac('sha256', await key)
      .update(`${purpose}:${text}`)
      .digest('base64url');
  };
  const textOf = ({ nonce, expiresAt }: Session): string => `${expiresAt.toString(36)}.${nonce}`;
  const formToken = (session: Session): Promise<string> => mac('form', textOf(session));
  return {
    create: () => ({ nonce: randomBytes(16).toString('base64url'), expiresAt: now() + SESSION_SECONDS * 1000 }),
    sign: async (session) => `${textOf(session)}.${await mac('session', textOf(session))}`,
    async read(cookie) {
      const [, expires = '', nonce = '', given = ''] = /^([0-9a-z]{1,11})\.([\w-]{22})\.([\w-]{43})$/.exec(cookie) ?? [];
      const session = { nonce, expiresAt: Number.parseInt(expires, 36) };
      if (!(session.expiresAt > now())) return undefined;
      return isSame(given, await mac('session', textOf(session))) ? session : undefined;
    },
    formToken,
    isFormToken: async (session, given) => isSame(given, await formToken(session)),
  };
}

const deriveKey = (token: string): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(token, 'wf console session', 32, { cost: 4096 }, (error, key) => (error === null ? resolve(key) : reject(error)));
  });

function isSame(given: string, expected: string): boolean {
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

/** The value of `Set-Cookie`; `maxAgeSeconds` 0 deletes the cookie. Scripts and other sites can't access it. */
export function setCookie(request: IncomingMessage, name: string, value: string, maxAgeSeconds: number): string {
  const secure = isBehindTls(request) ? '; Secure' : '';
  return `${name}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Strict${secure}`;
}

/** Whether the browser uses TLS, either to this process or to a proxy in front of it. */
function isBehindTls({ socket, headers }: IncomingMessage): boolean {
  const forwarded = headers['x-forwarded-proto'];
  return 'encrypted' in socket || (typeof forwarded === 'string' && forwarded.split(',')[0]?.trim().toLowerCase() === 'https');
}
