// Finds the proxy for an address, from `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. Lower-case names mean the same and take precedence, as
// in other tools.
import { BlockList, isIP } from 'node:net';
import type { Environment } from '../../../runtime/types.js';

export interface Proxy {
  /** Without user and password. */
  readonly origin: string;
  /** The value of `Proxy-Authorization` if the address has a user and a password. */
  readonly authorization?: string;
}

export interface Proxies {
  /**
   * The proxy for this address; `undefined` for a direct connection.
   * @throws an error with the code `ERR_WF_PROXY` if the address of the proxy is invalid
   */
  of(url: URL): Proxy | undefined;
}

/** `undefined` if the environment names no proxy. */
export function readProxies(env: Environment): Proxies | undefined {
  const named = (name: string): string | undefined =>
    [env[name.toLowerCase()], env[name]].find((value) => value !== undefined && value !== '');
  const http = proxyOf(named('HTTP_PROXY'));
  const https = proxyOf(named('HTTPS_PROXY'));
  if (http === undefined && https === undefined) return undefined;
  const exceptions = (named('NO_PROXY') ?? '')
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(exceptionOf);
  return {
    of(url) {
      const isEncrypted = url.protocol === 'https:';
      const proxy = isEncrypted ? https : http;
      if (proxy === undefined || exceptions.some((isException) => isException(url))) return undefined;
      // A direct connection is the last thing that someone with a misspelled proxy wants.
      if (proxy === 'invalid') throw unusable(isEncrypted ? 'HTTPS_PROXY' : 'HTTP_PROXY');
      return proxy;
    },
  };
}

/** The code that `causeOf` of the runtime recognizes. */
const unusable = (variable: string): Error =>
  Object.assign(new Error(`the address of its proxy, from ${variable}, is not one that starts with http:// or https://`), {
    code: 'ERR_WF_PROXY',
  });

function proxyOf(value: string | undefined): Proxy | 'invalid' | undefined {
  if (value === undefined) return undefined;
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`);
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'invalid';
    const user = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    return { origin: url.origin, ...(user === ':' ? {} : { authorization: `Basic ${Buffer.from(user).toString('base64')}` }) };
  } catch {
    return 'invalid';
  }
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase();
const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

/** `*`, `example.com` (including its subdomains), `.example.com`, `10.0.0.0/8`, each with an optional port. */
function exceptionOf(entry: string): (url: URL) => boolean {
  if (entry === '*') return () => true;
  const [, network, bits] = /^([0-9a-f:.]+)\/(\d{1,3})$/i.exec(entry) ?? [];
  const version = network === undefined ? 0 : isIP(network);
  if (network !== undefined && version !== 0 && Number(bits) <= (version === 4 ? 32 : 128)) {
    const family = version === 4 ? 'ipv4' : 'ipv6';
    const list = new BlockList();
    list.addSubnet(network, Number(bits), family);
    return (url) => isIP(hostOf(url)) === version && list.check(hostOf(url), family);
  }
  const [, named = entry, port] = /^(.*[^:]):(\d+)$/.exec(entry) ?? [];
  const isPlainAddress = isIP(entry) !== 0;
  const host = (isPlainAddress ? entry : named)
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/^\*?\./, '')
    .toLowerCase();
  return (url) => {
    if (!isPlainAddress && port !== undefined && port !== portOf(url)) return false;
    const asked = hostOf(url);
    return asked === host || (isIP(asked) === 0 && asked.endsWith(`.${host}`));
  };
}
