// Tells who sent a request: an operator, a viewer, a caller, or someone with an unknown token. Compares tokens in constant time.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLocalRequest } from './foreign-pages.js';
import type { NamedTokens, TokenEntry } from './token-file.js';

interface RoleOptions {
  /** Callers send it to start runs. Without one, everyone is a caller. */
  readonly callerToken: string | undefined;
  /** Operators send it. Without one, requests from this machine are an operator's. */
  readonly operatorToken: string | undefined;
  /** Operators sign in with an OpenID provider, at the console. */
  readonly hasSignIn?: boolean;
  /** More tokens of both, and of viewers. */
  readonly tokens?: Pick<NamedTokens, 'find'> | undefined;
  /** Whether the server listens on a loopback address. */
  readonly isLoopback: boolean;
}

export type Role =
  | 'operator'
  /** Sees everything, and changes nothing. */
  | 'viewer'
  | 'caller'
  /** The request needs a token and has none. */
  | 'anonymous'
  /** The token is none of this server's. */
  | 'unknown';

export interface Sender {
  readonly role: Role;
  /** Of the token, as its file says. */
  readonly name?: string;
  /** The only workflows of a caller. */
  readonly workflows?: readonly string[];
}

export interface Roles {
  of(request: IncomingMessage): Sender;
  /** Whose token the request carries, if it is one of this server's. */
  tokenOf(request: IncomingMessage): string | undefined;
  /** Whether the sender may start runs of this workflow, or any if none is named. */
  mayStart(request: IncomingMessage, workflow: string | undefined): 'yes' | 'no' | 'without a token';
  /** Whether callers need a token. */
  readonly isClosed: boolean;
  /** Whether operators sign in with a token; otherwise only requests from this machine are an operator's. */
  readonly hasOperatorToken: boolean;
}

export function createRoles({ callerToken, operatorToken, hasSignIn = false, tokens, isLoopback }: RoleOptions): Roles {
  const isCaller = callerToken === undefined ? undefined : createAuthentication(callerToken);
  const isOperator = operatorToken === undefined ? undefined : createAuthentication(operatorToken);
  const hasOperatorToken = operatorToken !== undefined || tokens !== undefined || hasSignIn;
  const isClosed = callerToken !== undefined || tokens !== undefined;
  const isLocal = (request: IncomingMessage): boolean => !hasOperatorToken && isLoopback && isLocalRequest(request);
  const isOpen = !isClosed && !hasOperatorToken;
  const entryOf = (request: IncomingMessage): TokenEntry | undefined => {
    const token = tokens === undefined ? undefined : onlyToken(request);
    return token === undefined ? undefined : tokens?.find(token);
  };
  const senderOf = (request: IncomingMessage): Sender => {
    if (isOperator?.(request) === true) return { role: 'operator' };
    if (isCaller?.(request) === true) return { role: isLocal(request) ? 'operator' : 'caller' };
    const entry = entryOf(request);
    if (entry !== undefined) return entry;
    if (request.headers.authorization !== undefined && !isOpen) return { role: 'unknown' };
    if (isClosed) return { role: 'anonymous' };
    return { role: isLocal(request) ? 'operator' : 'caller' };
  };
  return {
    of: senderOf,
    tokenOf(request) {
      if (request.headers.authorization === undefined) return undefined;
      if (isOperator?.(request) === true) return 'operator';
      if (isCaller?.(request) === true) return 'caller';
      const entry = entryOf(request);
      // Two tokens of one name are one sender: one of them is being changed.
      return entry === undefined ? undefined : `named ${entry.name}`;
    },
    mayStart(request, workflow) {
      if (isOpen) return 'yes';
      const { role, workflows } = senderOf(request);
      if (role === 'anonymous' || role === 'unknown') return 'without a token';
      if (role === 'viewer') return 'no';
      return workflow === undefined || workflows === undefined || workflows.includes(workflow) ? 'yes' : 'no';
    },
    isClosed,
    hasOperatorToken,
  };
}

/** Whether a request may pass. */
type Authentication = (request: IncomingMessage) => boolean;

const CREDENTIALS = /^Bearer +(\S+)$/i;

/**
 * Compares digests in constant time, so the answer reveals neither the length nor a common prefix. A request with two
 * `Authorization` headers never passes, because two programs could each read a different one.
 */
export function createAuthentication(token: string): Authentication {
  const isToken = createTokenTest(token);
  return (request) => {
    const given = onlyToken(request);
    return given !== undefined && isToken(given);
  };
}

/** The Bearer token of a request with exactly one `Authorization` header. */
export const onlyToken = ({ rawHeaders }: IncomingMessage): string | undefined =>
  CREDENTIALS.exec(onlyAuthorization(rawHeaders) ?? '')?.[1];

/** Whether a text is the token. Compares in constant time, too. */
export function createTokenTest(token: string): (given: string) => boolean {
  const expected = digest(token);
  return (given) => timingSafeEqual(digest(given), expected);
}

/** The part of an `Authorization` header after its scheme, or all of it. */
export const givenToken = (authorization: string): string => CREDENTIALS.exec(authorization)?.[1] ?? authorization;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Reads the raw headers, because Node.js drops the second of two such headers. */
function onlyAuthorization(raw: readonly string[]): string | undefined {
  let found: string | undefined;
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] ?? '';
    if (name.length !== 13 || name.toLowerCase() !== 'authorization') continue;
    if (found !== undefined) return undefined;
    found = raw[index + 1];
  }
  return found;
}
