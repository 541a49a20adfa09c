// The transport of the command line: HTTP/1.1 over undici, with a pool of connections per origin. undici takes longer to load
// than most commands take to run, so it is loaded at the first request.
import type { Dispatcher, Pool, ProxyAgent } from 'undici';
import type { Environment, Transport, TransportRequest, TransportResponse } from '../../../runtime/types.js';
import { AnswerCollector } from './answer-collector.js';
import { readIdentity } from './client-identity.js';
import { type Proxies, readProxies } from './proxies.js';

/**
 * Maximum connections to one origin: twice what all runs of a server with the default limit need. Beyond that, calls queue for
 * a connection, so that ten thousand waiting runs don't use up the memory and sockets that the server itself needs.
 */
const mostConnections = 2_048;

/** Milliseconds to connect. Calls have their own limits; this one only ends connections that no one waits for. */
const connectTimeout = 120_000;

/** Calls have their own time limits, from start to last byte. */
const poolOptions = { connections: mostConnections, connectTimeout, headersTimeout: 0, bodyTimeout: 0 };

/**
 * Origins to keep connections to: those that a workflow calls, with room for redirects. Beyond that, the least recently used
 * ones are closed.
 */
const usualOrigins = 256;

export interface Connections {
  readonly transport: Transport;
  /** Loads what requests need, so that the first one need not wait for it. */
  load(): Promise<void>;
  /** Closes all connections, including those in use. */
  close(): Promise<void>;
}

/**
 * A transport with its own connections. They stay open between requests, but never keep the process alive.
 * @param mostOrigins number of origins to keep connections to
 * @param env names the proxies
 */
export function createTransport({
  mostOrigins = usualOrigins,
  env = {},
}: {
  readonly mostOrigins?: number;
  readonly env?: Environment;
} = {}): Connections {
  let proxies: Proxies | undefined;
  const pools = new ConnectionPools<Pool | ProxyAgent>(mostOrigins);
  let undici: typeof import('undici') | undefined;

  async function load(): Promise<typeof import('undici')> {
    undici = await import('undici');
    proxies = readProxies(env);
    return undici;
  }

  function send(request: TransportRequest, loaded: typeof import('undici')): Promise<TransportResponse> {
    const { url, method, headers, body = null } = request;
    const start = url.indexOf('/', url.indexOf('//') + 2);
    const origin = url.slice(0, start);
    const way =
      proxies === undefined && request.clientCertificate === undefined
        ? { dispatcher: pools.kept(origin, () => new loaded.Pool(origin, poolOptions)), path: url.slice(start), headers }
        : specialWay(request, origin, start, loaded);
    return new Promise((resolve, reject) => {
      // The type only knows the methods of browsers, which include the runtime's five.
      const options = { origin, path: way.path, method: method as Dispatcher.HttpMethod, headers: way.headers, body };
      way.dispatcher.dispatch(options, new AnswerCollector(request, resolve, reject));
    });
  }

  /** Through a proxy or with a client certificate. Such connections are not shared. */
  function specialWay(
    { url, headers, clientCertificate }: TransportRequest,
    origin: string,
    start: number,
    { Pool, ProxyAgent }: typeof import('undici'),
  ) {
    const identity = clientCertificate === undefined ? undefined : readIdentity(clientCertificate);
    const proxy = proxies?.of(new URL(url));
    const path = url.slice(start);
    if (proxy === undefined) {
      const connect = identity === undefined ? {} : { connect: { ...identity.tls, timeout: connectTimeout } };
      return {
        dispatcher: pools.kept(`${origin} ${identity?.key ?? ''}`, () => new Pool(origin, { ...poolOptions, ...connect })),
        path,
        headers,
      };
    }
    if (origin.startsWith('http:')) {
      // A proxy gets the full address of an unencrypted request.
      const authorized = proxy.authorization === undefined ? {} : { 'Proxy-Authorization': proxy.authorization };
      const host = origin.slice('http://'.length);
      const dispatcher = pools.kept(`proxy ${proxy.origin}`, () => new Pool(proxy.origin, poolOptions));
      return { dispatcher, path: url, headers: { Host: host, ...headers, ...authorized } };
    }
    const made = () =>
      new ProxyAgent({
        ...poolOptions,
        uri: proxy.origin,
        ...(proxy.authorization === undefined ? {} : { token: proxy.authorization }),
        ...(identity === undefined ? {} : { requestTls: identity.tls }),
      });
    return { dispatcher: pools.kept(`tunnel ${proxy.origin} ${origin} ${identity?.key ?? ''}`, made), path, headers };
  }

  return {
    transport(request) {
      return undici === undefined ? load().then((loaded) => send(request, loaded)) : send(request, undici);
    },
    async load() {
      if (undici === undefined) await load();
    },
    close: () => pools.destroy(),
  };
}

/** The methods that all pools of undici have. */
interface ClosablePool {
  /** Accepts no new requests, and resolves when the last one has ended. */
  close(): Promise<void>;
  /** Closes all connections, including those in use. */
  destroy(): Promise<void>;
}

class ConnectionPools<Pool extends ClosablePool> {
  readonly #most: number;
  /** Least recently used first. */
  readonly #pools = new Map<string, Pool>();
  /** These accept no new requests and close when their last one ends. */
  readonly #retired = new Set<Pool>();

  /** @param most number of pools to keep; beyond that, the least recently used ones are closed */
  constructor(most: number) {
    this.#most = most;
  }

  kept(key: string, make: () => Pool): Pool {
    const known = this.#pools.get(key);
    if (known !== undefined) {
      if (this.#pools.size > 1) {
        this.#pools.delete(key);
        this.#pools.set(key, known);
      }
      return known;
    }
    const pool = make();
    this.#pools.set(key, pool);
    if (this.#pools.size > this.#most) this.#retireOldest();
    return pool;
  }

  /** Closes all connections, including those in use. */
  async destroy(): Promise<void> {
    const closing = [...this.#pools.values(), ...this.#retired].map((pool) => pool.destroy());
    this.#pools.clear();
    await Promise.all(closing);
  }

  #retireOldest(): void {
    const [oldest] = this.#pools;
    if (oldest === undefined) return;
    const [key, pool] = oldest;
    this.#pools.delete(key);
    this.#retired.add(pool);
    void pool.close().then(() => this.#retired.delete(pool));
  }
}
