// A real OpenID provider in the test process, over HTTP on 127.0.0.1, and a browser that goes from the server to it and back.
import type { JsonWebKey } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { type JWK, Provider } from 'oidc-provider';

/** Someone whom the provider knows, with their claims. */
export interface Account {
  readonly sub: string;
  readonly [claim: string]: unknown;
}

export interface TestProvider {
  readonly issuer: string;
  /** Who signs in next, without being asked; nobody if it is empty. */
  user: string;
  /**
   * Until then, it hangs up on everyone. Again, it starts with other keys.
   * @param redirectUri the only address that it sends people back to
   */
  readonly start: (redirectUri: string, keys?: JsonWebKey[]) => void;
}

interface ProviderOptions {
  readonly accounts: readonly Account[];
  /** Whether the ID token has the claims; otherwise the user's profile alone. */
  readonly inToken?: boolean;
  /** `localhost` is another site to a browser. */
  readonly host?: '127.0.0.1' | 'localhost';
}

export const CLIENT = { clientId: 'wf', clientSecret: 'a secret of the client that is long' };

/** Its address is known before it starts, because it must know that of the server, which must know its address. */
export async function testProvider(
  t: TestContext,
  { accounts, inToken = true, host = '127.0.0.1' }: ProviderOptions,
): Promise<TestProvider> {
  const hangUp = (request: IncomingMessage): void => void request.socket.destroy();
  const server = createServer(hangUp);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  t.after(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`; // a server that listens on TCP has such an address
  const start: TestProvider['start'] = (redirectUri, keys) => {
    const provider = new Provider(issuer, {
      ...(keys === undefined ? {} : { jwks: { keys: keys as JWK[] } }), // `node:crypto` makes such keys
      clients: [{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [redirectUri] }],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username'], groups: ['groups'] },
      conformIdTokenClaims: !inToken,
      pkce: { required: () => true },
      cookies: { keys: ['only in tests'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, id) => {
        const account = accounts.find(({ sub }) => sub === id);
        return account === undefined ? undefined : { accountId: id, claims: () => account };
      },
      async loadExistingGrant({ oidc }) {
        const grant = new provider.Grant({ clientId: CLIENT.clientId, accountId: oidc.session?.accountId ?? '' });
        grant.addOIDCScope('openid email profile groups');
        await grant.save();
        return grant;
      },
    });
    const handle = provider.callback();
    server.removeAllListeners('request').on('request', (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return void handle(request, response);
      const refused = { error: 'access_denied', error_description: 'Not today' };
      void provider.interactionFinished(request, response, state.user === '' ? refused : { login: { accountId: state.user } });
    });
  };
  const state: TestProvider = { issuer, user: accounts[0]?.sub ?? '', start };
  return state;
}

export interface Visited {
  readonly url: string;
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Follows every redirect, and the refresh of a page, with cookies of its own for each server. */
export interface Browser {
  readonly open: (url: string) => Promise<Visited>;
  /** The next step alone. */
  readonly step: (url: string, form?: URLSearchParams) => Promise<Visited>;
  readonly cookies: (origin: string) => Map<string, string>;
  /** `Set-Cookie`, as received. */
  readonly set: string[];
}

export function browser(): Browser {
  const jars = new Map<string, Map<string, string>>();
  const set: string[] = [];
  const jarOf = (origin: string): Map<string, string> => {
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };
  const step: Browser['step'] = async (url, form) => {
    const jar = jarOf(new URL(url).origin);
    const response = await fetch(url, {
      redirect: 'manual',
      ...(form === undefined ? {} : { method: 'POST', body: form.toString() }),
      headers: {
        accept: 'text/html',
        connection: 'close',
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
    });
    for (const line of response.headers.getSetCookie()) {
      set.push(line);
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      if (value === '' || /max-age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return { url, status: response.status, text: await response.text(), headers: response.headers };
  };
  const open = async (url: string): Promise<Visited> => {
    let page = await step(url);
    for (let steps = 0; steps < 20; steps++) {
      const next = page.headers.get('location') ?? /http-equiv="refresh" content="0; url=([^"]+)"/.exec(page.text)?.[1];
      if (next === undefined || next === null) return page;
      page = await step(new URL(next.replaceAll('&amp;', '&'), page.url).href);
    }
    throw new Error(`There is no end of redirects at ${page.url}`);
  };
  return { open, step, cookies: jarOf, set };
}
