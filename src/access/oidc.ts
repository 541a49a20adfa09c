// Signs people in with an OpenID provider, for `--oidc`: the authorization code flow with PKCE, state and nonce. The file of `--oidc-roles`
// says which claims name a person and their groups, and what these groups may do. Loaded only with that option; the provider is asked for
// its addresses when someone first signs in, so that a server starts without it.
import { readFileSync } from 'node:fs';
import type { Configuration } from 'openid-client';
import { redactorFor } from '../../runtime/run/redaction.js';
import { parseJson } from '../../runtime/values/json.js';
import { withoutEnd } from '../../runtime/values/without-end.js';
import { fileFault } from '../engine/files/file-fault.js';
import { UsageError } from '../engine/usage-error.js';
import { isLoopbackHost } from './foreign-pages.js';
import type { TokenRole } from './token-file.js';

export interface OidcSettings {
  /** The address of the provider. */
  readonly issuer: string;
  readonly clientId: string;
  /** `undefined` for a client that proves itself by PKCE alone. */
  readonly clientSecret: string | undefined;
  /** File with the roles of groups, as it was named. */
  readonly roles: string;
}

/** Someone whom the provider knows. */
export interface OidcPerson {
  readonly name: string;
  /** `undefined` if none of their groups has one. */
  readonly role: TokenRole | undefined;
}

/** Ties the answer of the provider to the browser that went there. */
export interface OidcAttempt {
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE: 43 to 128 letters, digits, hyphens and underscores. */
  readonly verifier: string;
}

export interface Oidc {
  /** Changes with the provider and the client, whose sessions end then. */
  readonly id: string;
  /** The host of the provider, for people. */
  readonly host: string;
  /** Says so if the provider can't be used now. Never throws. */
  readonly check: () => Promise<void>;
  /** Where to send the browser. @throws OidcProblem */
  readonly begin: (attempt: OidcAttempt) => Promise<URL>;
  /** Who came back. @param query of the address to which the browser came back @throws OidcProblem */
  readonly finish: (query: string, attempt: OidcAttempt) => Promise<OidcPerson>;
}

/** The reason why nobody is signed in, for the person at the browser. The operator's log says more. */
export class OidcProblem extends Error {
  constructor(
    readonly kind: 'unavailable' | 'refused',
    message: string,
  ) {
    super(message);
  }
}

interface OidcOptions extends OidcSettings {
  readonly rolesOf: OidcRoles;
  /** Tells the operator why someone could not sign in. */
  readonly onNews: (sentence: string) => void;
}

const TIMEOUT_SECONDS = 10;

const load = (): Promise<typeof import('openid-client')> => import('openid-client');

/** The configuration of a provider: asked for once, and again after a failure. */
function createDiscovery({ issuer, clientId, clientSecret }: Pick<OidcSettings, 'issuer' | 'clientId' | 'clientSecret'>) {
  let discovered: Promise<Configuration> | undefined;
  const forget = (): void => {
    discovered = undefined;
  };
  const discover = async (): Promise<Configuration> => {
    const client = await load();
    const insecure = isLoopbackHost(new URL(issuer).hostname) ? [client.allowInsecureRequests] : [];
    return client.discovery(new URL(issuer), clientId, undefined, await clientAuthentication(clientSecret), {
      timeout: TIMEOUT_SECONDS,
      execute: [client.enableNonRepudiationChecks, ...insecure],
    });
  };
  return {
    configuration(): Promise<Configuration> {
      discovered ??= discover().catch((error: unknown) => {
        forget();
        throw error;
      });
      return discovered;
    },
    forget,
  };
}

export function createOidc({ issuer, clientId, clientSecret, rolesOf, onNews }: OidcOptions): Oidc {
  const { host } = new URL(issuer);
  const own = clientSecret === undefined ? [] : [clientSecret];
  const discovery = createDiscovery({ issuer, clientId, clientSecret });
  /** @throws OidcProblem */
  const ready = (): Promise<Configuration> =>
    discovery.configuration().catch((error: unknown) => {
      onNews(`Nobody can sign in with ${issuer} now: ${reasonOf(error, own)}. It is asked again with the next sign-in.`);
      throw new OidcProblem('unavailable', `${host}, which signs people in, cannot be used now. Try again in a moment.`);
    });

  return {
    id: `${issuer} ${clientId}`,
    host,
    async check() {
      await ready().catch(() => undefined);
    },
    async begin({ redirectUri, state, nonce, verifier }) {
      const config = await ready();
      const client = await load();
      return client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: rolesOf.scope ?? usualScope(config),
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },
    async finish(query, { redirectUri, state, nonce, verifier }) {
      const config = await ready();
      let claims: Claims;
      try {
        claims = await claimsOf(config, new URL(`${redirectUri}?${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
        });
      } catch (error) {
        const reason = reasonOf(error, [...own, verifier, new URLSearchParams(query).get('code') ?? '']);
        // Its keys may have changed, which are otherwise read once a minute at most.
        discovery.forget();
        onNews(`A sign-in with ${issuer} failed: ${reason}.`);
        throw new OidcProblem('refused', `${host} did not sign you in: ${reason}.`);
      }
      const name = rolesOf.nameOf(claims);
      if (name === undefined)
        throw new OidcProblem('refused', `${host} did not say who you are, in the claim that this server asks for.`);
      return { name, role: rolesOf.roleOf(claims) };
    },
  };

  /** From the ID token; from the user's profile, too, if the token doesn't name the groups. */
  async function claimsOf(config: Configuration, url: URL, checks: AuthorizationChecks): Promise<Claims> {
    const client = await load();
    const tokens = await client.authorizationCodeGrant(config, url, { ...checks, idTokenExpected: true });
    const claims = tokens.claims();
    if (claims === undefined) throw new Error('it sent no ID token');
    if (rolesOf.hasGroups(claims) || config.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...(await client.fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
  }
}

interface AuthorizationChecks {
  readonly expectedState: string;
  readonly expectedNonce: string;
  readonly pkceCodeVerifier: string;
}

/** In the way that the provider takes: in a header if it can, as the standard has it, otherwise in the body. */
async function clientAuthentication(secret: string | undefined): Promise<import('openid-client').ClientAuth> {
  const { ClientSecretBasic, ClientSecretPost, None } = await import('openid-client');
  if (secret === undefined) return None();
  const [inHeader, inBody] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: ways = ['client_secret_basic'] } = server;
    return (ways.includes('client_secret_basic') ? inHeader : inBody)(server, ...rest);
  };
}

/** Some providers tell groups only to those who ask for them, and others refuse scopes that they don't know. */
const usualScope = (config: Configuration): string =>
  ['openid', 'profile', 'email', ...(config.serverMetadata().scopes_supported?.includes('groups') ? ['groups'] : [])].join(' ');

/** The end of a sentence, on one line. Providers explain a refusal with a code such as `access_denied`, and may echo what they were sent. */
function reasonOf(error: unknown, secrets: readonly string[]): string {
  const causes: string[] = [];
  for (let at: unknown = error; at instanceof Error && causes.length < 4; at = at.cause) {
    const { error: code, error_description: words } = at as { error?: unknown; error_description?: unknown }; // errors of OAuth have these
    causes.push(typeof code === 'string' ? `${code}${typeof words === 'string' ? ` (${words})` : ''}` : at.message);
  }
  const text = redactorFor(secrets).text(causes.length === 0 ? String(error) : [...new Set(causes)].join(': '));
  return withoutEnd(text.replace(/[\s\p{C}]+/gu, ' '), '. ').slice(0, 300);
}

/** The claims of a provider about a person. */
type Claims = Readonly<Record<string, unknown>>;

interface OidcRoles {
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
