// A token in, signed session cookies and the form tokens that belong to them out. Nothing is stored: any process that knows the token can
// check a session, and another token makes all of them void.
import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

export interface Session {
  /** Random; what the form token of this session is made of. */
  readonly nonce: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface Sessions {
  create(): Session;
  /** The value of the cookie. */
  sign(session: Session): Promise<string>;
  /** `undefined` where it was signed with another token, was altered, or has expired. */
  read(cookie: string): Promise<Session | undefined>;
  /** What every form of this session sends along: another site can make a browser send the cookie, but cannot read this. */
  formToken(session: Session): Promise<string>;
  isFormToken(session: Session, given: string): Promise<boolean>;
}

export const SESSION_SECONDS = 12 * 60 * 60;

/** @param token what operators sign in with; empty where nobody has to, and a session only ties forms to a browser */
export function createSessions(token: string, now: () => number = Date.now): Sessions {
  let key: Promise<Buffer> | undefined;
  const mac = async (purpose: string, text: string): Promise<string> => {
    // Made slowly, so that whoever finds a cookie cannot try passwords with it.
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
