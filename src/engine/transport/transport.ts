// The transport of the command line: HTTP/1.1 over undici, with a pool of connections per origin. undici takes longer to load
// than most commands take to run, so it is loaded at the first request.
import type { Dispatcher, Pool, ProxyAgent } from 'undici';
import { nextTurn } from '../../../runtime/run/yield-queue.js';
import { ByteCollector } from '../../../runtime/services/body.js';
import type { Environment, Transport, TransportRequest, TransportResponse, WfRecord } from '../../../runtime/types.js';
import { setOwn } from '../../../runtime/values/record.js';
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

// Collects one answer of undici: status, headers and body, decompressed if necessary.

/** Pieces of an answer to accept before others get their turn. */
const mostPieces = 8_192;

/**
 * Collects one answer. Uses the lowest level of undici, because streams and promises would cost more than the rest of a small
 * call.
 */
class AnswerCollector implements Dispatcher.DispatchHandlers {
  readonly #request: TransportRequest;
  readonly #resolve: (response: TransportResponse | Promise<TransportResponse>) => void;
  readonly #reject: (error: Error) => void;
  #aborted = false;
  #abort: ((error?: Error) => void) | undefined;
  #status = 0;
  #headers: TransportResponse['headers'] = {};
  #resume: (() => void) | undefined;
  readonly #bytes: ByteCollector;
  #pieces = 0;

  constructor(
    request: TransportRequest,
    resolve: (response: TransportResponse | Promise<TransportResponse>) => void,
    reject: (error: Error) => void,
  ) {
    this.#request = request;
    this.#bytes = new ByteCollector(request.maxBytes);
    this.#resolve = resolve;
    this.#reject = reject;
    request.onAbort(() => {
      this.#aborted = true;
      this.#abort?.();
    });
  }

  /** undici writes the request as soon as this returns. */
  onConnect(abort: (error?: Error) => void): void {
    if (this.#aborted || this.#request.mayBegin?.() === false) abort();
    else this.#abort = abort;
  }

  onHeaders(status: number, headers: Buffer[], resume: () => void): boolean {
    this.#resume = resume;
    // undici would take it for the start of an answer, and later for a failure of its own.
    if (status < 100) throw Object.assign(new Error('no status of HTTP'), { code: 'HPE_INVALID_STATUS' });
    // 1xx: the actual answer is still to come.
    if (status >= 200) {
      this.#status = status;
      this.#headers = headersOf(headers);
    }
    return true;
  }

  onData(part: Buffer): boolean {
    this.#bytes.add(part);
    if (this.#bytes.length <= this.#request.maxBytes) return this.#countPiece();
    // The receiver sees from its length that it was cut off. The connection is no longer usable.
    this.#finish();
    this.#abort?.();
    return false;
  }

  onComplete(): void {
    this.#finish();
  }

  onError(error: Error): void {
    // The status has arrived, so report it before the rest turns out to be missing.
    if (this.#status !== 0) this.#resolve(this.#response(broken([this.#bytes.take()], error)));
    else this.#reject(error);
  }

  /** False if the connection should wait: a service may send each byte as a separate piece, a million at once. */
  #countPiece(): boolean {
    if (++this.#pieces < mostPieces) return true;
    this.#pieces = 0;
    void nextTurn().then(() => this.#resume?.());
    return false;
  }

  #finish(): void {
    const body = this.#bytes.take();
    const encoding = this.#headers['content-encoding'];
    if (encoding === undefined || body.length === 0) this.#resolve(this.#response(body));
    else
      this.#resolve(
        inflated(body, String(encoding), this.#request.maxBytes).then(
          (whole) => this.#response(whole),
          (error) => this.#response(broken([], error)),
        ),
      );
  }

  #response(body: TransportResponse['body']): TransportResponse {
    return { status: this.#status, headers: this.#headers, body };
  }
}

/** The part of a body that arrived before it broke off. */
async function* broken(parts: readonly Uint8Array[], error: unknown): AsyncGenerator<Uint8Array> {
  yield* parts;
  throw error;
}

/** Names in lower case. A repeated header becomes one text, joined by commas, except for cookies, which commas would break. */
function headersOf(raw: readonly Buffer[]): Record<string, string | string[]> {
  const headers: WfRecord = {};
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = String(raw[index]).toLowerCase();
    const value = textOf(raw[index + 1]);
    const before = Object.hasOwn(headers, name) ? headers[name] : undefined;
    if (name === 'set-cookie') headers[name] = Array.isArray(before) ? [...before, value] : [value];
    else setOwn(headers, name, typeof before === 'string' ? `${before}, ${value}` : value);
  }
  return headers as Record<string, string | string[]>; // Only strings and lists of strings were set above.
}

/** The text of a header value: UTF-8, or else Latin-1, the original encoding of HTTP. */
function textOf(bytes: Buffer | undefined): string {
  const text = bytes?.toString() ?? '';
  return text.includes('\ufffd') ? (bytes?.toString('latin1') ?? '') : text;
}

/**
 * wf never asks for compression, but understands answers of services that compress anyway or were asked to by a declared
 * header. An unknown encoding is left alone, because some services name the character set there.
 */
async function inflated(body: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  const zlib = await import('node:zlib');
  const options = { maxOutputLength: maxBytes + 1 };
  let whole = body;
  // The last encoding was applied last.
  for (const name of encoding.toLowerCase().split(',', mostEncodings).reverse()) {
    const inflate = inflaterOf(name.trim(), whole, zlib);
    if (inflate === undefined) return whole;
    const packed = whole;
    whole = await new Promise((resolve, reject) => {
      inflate(packed, options, (error, unpacked) => (error === null ? resolve(unpacked) : reject(error)));
    });
  }
  return whole;
}

const mostEncodings = 5;

type Zlib = typeof import('node:zlib');
type Inflate = (packed: Buffer, options: { maxOutputLength: number }, done: (error: Error | null, whole: Buffer) => void) => void;

function inflaterOf(name: string, packed: Buffer, { brotliDecompress, unzip, inflateRaw }: Zlib): Inflate | undefined {
  if (name === 'br') return brotliDecompress;
  // Services send `deflate` both with and without the zlib header (RFC 9110, 8.4.1.2), whose first byte always ends in 8.
  if (name === 'deflate' && ((packed[0] ?? 0) & 0x0f) !== 8) return inflateRaw;
  return ['gzip', 'x-gzip', 'deflate'].includes(name) ? unzip : undefined;
}
