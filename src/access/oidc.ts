// Signs people in with an OpenID provider, for `--oidc`: the authorization code flow with PKCE, state and nonce. Loaded only with that option;
// the provider is asked for its addresses when someone first signs in, so that a server starts without it.
import type { Configuration } from 'openid-client';
import { withoutEnd } from '../../runtime/values/without-end.js';
import { isLoopbackHost } from './foreign-pages.js';
import type { Claims, OidcRoles } from './oidc-roles.js';
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

/** What ties the answer of the provider to the browser that went there. */
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

/** Why no one is signed in, for the person in front of the browser. The operator has been told more. */
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

export function createOidc({ issuer, clientId, clientSecret, rolesOf, onNews }: OidcOptions): Oidc {
  const { host, hostname } = new URL(issuer);
  const load = (): Promise<typeof import('openid-client')> => import('openid-client');
  let discovered: Promise<Configuration> | undefined;

  const discover = async (): Promise<Configuration> => {
    const client = await load();
    return client.discovery(new URL(issuer), clientId, undefined, await clientAuthentication(clientSecret), {
      timeout: TIMEOUT_SECONDS,
      execute: [client.enableNonRepudiationChecks, ...(isLoopbackHost(hostname) ? [client.allowInsecureRequests] : [])],
    });
  };
  /** Asks the provider again after a failure. */
  const configuration = (): Promise<Configuration> => {
    discovered ??= discover().catch((error: unknown) => {
      discovered = undefined;
      throw error;
    });
    return discovered;
  };
  /** @throws OidcProblem */
  const ready = (): Promise<Configuration> =>
    configuration().catch((error: unknown) => {
      onNews(`Nobody can sign in with ${issuer} now: ${reasonOf(error)}. It is asked again with the next sign-in.`);
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
        ...{ redirect_uri: redirectUri, scope: rolesOf.scope ?? usualScope(config), state, nonce },
        ...{ code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      });
    },
    async finish(query, { redirectUri, state, nonce, verifier }) {
      const config = await ready();
      let claims: Claims;
      try {
        claims = await claimsOf(config, new URL(`${redirectUri}?${query}`), {
          ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier },
        });
      } catch (error) {
        const reason = reasonOf(error);
        // Its keys may have changed, which are otherwise read once a minute at most.
        discovered = undefined;
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

/** The end of a sentence, on one line. Providers explain a refusal with a code such as `access_denied`; no message has a secret. */
function reasonOf(error: unknown): string {
  const causes: string[] = [];
  for (let at: unknown = error; at instanceof Error && causes.length < 4; at = at.cause) {
    const { error: code, error_description: words } = at as { error?: unknown; error_description?: unknown }; // errors of OAuth have these
    causes.push(typeof code === 'string' ? `${code}${typeof words === 'string' ? ` (${words})` : ''}` : at.message);
  }
  const text = causes.length === 0 ? String(error) : [...new Set(causes)].join(': ');
  return withoutEnd(text.replace(/[\s\p{C}]+/gu, ' '), '. ').slice(0, 300);
}
