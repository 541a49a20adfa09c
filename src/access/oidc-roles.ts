// The file of `--oidc-roles`: which claims of an OpenID provider say who someone is and which groups they belong to, and what these groups
// may do.
import { readFileSync } from 'node:fs';
import { parseJson } from '../../runtime/values/json.js';
import { fileFault } from '../engine/files/file-fault.js';
import { UsageError } from '../engine/usage-error.js';
import type { TokenRole } from './token-file.js';

/** What a provider says about someone. */
export type Claims = Readonly<Record<string, unknown>>;

export interface OidcRoles {
  /** Scopes to ask for; `undefined` for the usual ones. */
  readonly scope: string | undefined;
  /** Whether the claim with the groups is there. */
  readonly hasGroups: (claims: Claims) => boolean;
  /** The name that goes on record; `undefined` if the provider tells none. */
  readonly nameOf: (claims: Claims) => string | undefined;
  /** The role of someone with these claims that may do the most. */
  readonly roleOf: (claims: Claims) => TokenRole | undefined;
}

/** From the one that may do the most. */
const roles = ['operator', 'viewer', 'caller'] as const;

/** Stands for everyone who can sign in. */
const EVERYONE = '*';
const FIELDS = ['claim', 'name', 'scope', ...roles];
const example = 'For example: {"claim": "groups", "operator": ["wf-operators"], "viewer": ["staff"], "caller": ["*"]}';
/** Names stand in cookies, logs and pages. */
const MOST_OF_A_NAME = 100;

/** @param shown the file, as it was named @throws UsageError */
export function readOidcRolesFile(file: string, shown: string): OidcRoles {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${shown} cannot be read: ${fileFault(error)}.`, example);
  }
  return readOidcRoles(text, shown);
}

/** @throws UsageError that names the field */
export function readOidcRoles(text: string, shown: string): OidcRoles {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new UsageError(`${shown} is not valid JSON: line ${parsed.line}, column ${parsed.column}.`, example);
  const given: unknown = parsed.value;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new UsageError(`${shown} must be a JSON object.`, example);
  const fields = given as Claims; // any object is one
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`${shown}: the field ${JSON.stringify(unknown)} is unknown; it takes ${FIELDS.join(', ')}.`, example);
  const textOf = (name: string): string | undefined => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (value === undefined || (typeof value === 'string' && value.trim() !== '')) return value;
    throw new UsageError(`${shown}: ${name} must be a text that is not empty.`, example);
  };
  const groups = roles.map((role) => ({ role, groups: groupsOf(fields, role, shown) }));
  if (groups.every(({ groups: { size } }) => size === 0))
    throw new UsageError(`${shown} gives no group a role, so nobody could sign in.`, example);
  const claim = textOf('claim') ?? 'groups';
  const name = textOf('name');
  return {
    scope: textOf('scope'),
    hasGroups: (claims) => claimAt(claims, claim) !== undefined,
    nameOf: (claims) => nameIn(name === undefined ? usualName(claims) : claimAt(claims, name)),
    roleOf(claims) {
      const own = [claimAt(claims, claim)].flat();
      return groups.find(({ groups }) => groups.has(EVERYONE) || own.some((one) => typeof one === 'string' && groups.has(one)))
        ?.role;
    },
  };
}

function groupsOf(fields: Claims, role: TokenRole, shown: string): ReadonlySet<string> {
  const given = Object.hasOwn(fields, role) ? fields[role] : [];
  if (Array.isArray(given) && given.every((one): one is string => typeof one === 'string' && one !== '')) return new Set(given);
  throw new UsageError(`${shown}: ${role} must be a list of groups.`, example);
}

/** A claim by its name, or by the way to it: `realm_access.roles`. Names may contain dots themselves. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Claims)[part]; // any object is one
  }
  return value;
}

/** The mail address, unless the provider says that it may be someone else's: questions are addressed to it. */
const usualName = ({ email, email_verified: isVerified, preferred_username: user, sub }: Claims): unknown =>
  (isVerified === false ? undefined : nameIn(email)) ?? nameIn(user) ?? sub;

const nameIn = (value: unknown): string | undefined => {
  const name = typeof value === 'string' ? value.trim() : '';
  return name !== '' && name.length <= MOST_OF_A_NAME && !/\p{C}/u.test(name) ? name : undefined;
};
