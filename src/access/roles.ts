// Who sent a request: an operator, a caller, or someone with an unknown token.
import type { IncomingMessage } from 'node:http';
import { createAuthentication } from './authentication.js';
import { isLocalRequest } from './local-request.js';

export interface RoleOptions {
  /** Callers send it to start runs. Without one, everyone is a caller. */
  readonly callerToken: string | undefined;
  /** Operators send it. Without one, requests from this machine are an operator's. */
  readonly operatorToken: string | undefined;
  /** Whether the server listens on a loopback address. */
  readonly isLoopback: boolean;
}

export type Role =
  | 'operator'
  | 'caller'
  /** The request needs a token and has none. */
  | 'anonymous'
  /** The token is neither of the two. */
  | 'unknown';

export interface Roles {
  of(request: IncomingMessage): Role;
  /** Whose token the request carries, if it is one of this server's. */
  tokenOf(request: IncomingMessage): 'operator' | 'caller' | undefined;
  /** Whether the sender may start runs. */
  mayStart(request: IncomingMessage): boolean;
  /** Whether operators sign in with a token; otherwise only requests from this machine are an operator's. */
  readonly hasOperatorToken: boolean;
}

export function createRoles({ callerToken, operatorToken, isLoopback }: RoleOptions): Roles {
  const isCaller = callerToken === undefined ? undefined : createAuthentication(callerToken);
  const isOperator = operatorToken === undefined ? undefined : createAuthentication(operatorToken);
  const isLocal = (request: IncomingMessage): boolean => isOperator === undefined && isLoopback && isLocalRequest(request);
  const isOpen = isCaller === undefined && isOperator === undefined;
  const roleOf = (request: IncomingMessage): Role => {
    if (isOperator?.(request) === true) return 'operator';
    if (isCaller?.(request) === true) return isLocal(request) ? 'operator' : 'caller';
    if (request.headers.authorization !== undefined && !isOpen) return 'unknown';
    if (isCaller !== undefined) return 'anonymous';
    return isLocal(request) ? 'operator' : 'caller';
  };
  return {
    of: roleOf,
    tokenOf(request) {
      if (request.headers.authorization === undefined) return undefined;
      if (isOperator?.(request) === true) return 'operator';
      return isCaller?.(request) === true ? 'caller' : undefined;
    },
    mayStart: (request) => isOpen || ['operator', 'caller'].includes(roleOf(request)),
    hasOperatorToken: operatorToken !== undefined,
  };
}
