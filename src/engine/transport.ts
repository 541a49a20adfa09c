// The transport of the command line: HTTP/1.1 over undici with a pool of connections for each origin. Its own file, because undici takes
// longer to load than most commands run; nothing here loads it before the first request.
import type { Dispatcher, Pool } from 'undici';
import { setOwn } from '../../runtime/record.js';
import type { Transport, TransportRequest, TransportResponse, WfRecord } from '../../runtime/types.js';

/**
 * Connections to one origin at most: twice what all runs of a server need that keeps its usual limit. Past it, calls queue for a
 * connection, so that ten thousand waiting runs use up neither the memory nor the sockets that the server itself needs.
 */
const mostConnections = 2_048;

/** Milliseconds for a connection to come about. The calls have limits of their own: this one only ends connections nobody waits for. */
const connectTimeout = 120_000;

export interface Connections {
  readonly transport: Transport;
  /** Closes all connections, those in use as well. */
  close(): Promise<void>;
}

/** A transport with its own connections; they are kept between requests, and never keep the process alive by themselves. */
export function createTransport(): Connections {
  const pools = new Map<string, Pool>();
  let undici: typeof import('undici') | undefined;

  function poolOf(origin: string, { Pool }: typeof import('undici')): Pool {
    let pool = pools.get(origin);
    if (pool === undefined) {
      // The limits of time are the calls' own, from their start to the last byte.
      pool = new Pool(origin, { connections: mostConnections, connectTimeout, headersTimeout: 0, bodyTimeout: 0 });
      pools.set(origin, pool);
    }
    return pool;
  }

  async function load(): Promise<typeof import('undici')> {
    undici = await import('undici');
    return undici;
  }

  function send(request: TransportRequest, loaded: typeof import('undici')): Promise<TransportResponse> {
    const { url, method, headers, body = null } = request;
    const start = url.indexOf('/', url.indexOf('//') + 2);
    const pool = poolOf(url.slice(0, start), loaded);
    return new Promise((resolve, reject) => {
      // The type knows only the methods of browsers; the runtime's five are among them.
      const options = { path: url.slice(start), method: method as Dispatcher.HttpMethod, headers, body };
      pool.dispatch(options, new Collector(request, resolve, reject));
    });
  }

  return {
    transport(request) {
      return undici === undefined ? load().then((loaded) => send(request, loaded)) : send(request, undici);
    },
    async close() {
      const closing = [...pools.values()].map((pool) => pool.destroy());
      pools.clear();
      await Promise.all(closing);
    },
  };
}

/** Gathers one answer. The lowest level of undici, because streams and promises for each part cost more than the rest of a small call. */
class Collector implements Dispatcher.DispatchHandlers {
  readonly #request: TransportRequest;
  readonly #resolve: (response: TransportResponse | Promise<TransportResponse>) => void;
  readonly #reject: (error: Error) => void;
  #aborted = false;
  #abort: ((error?: Error) => void) | undefined;
  #status = 0;
  #headers: TransportResponse['headers'] = {};
  #parts: Buffer[] = [];
  #length = 0;

  constructor(
    request: TransportRequest,
    resolve: (response: TransportResponse | Promise<TransportResponse>) => void,
    reject: (error: Error) => void,
  ) {
    this.#request = request;
    this.#resolve = resolve;
    this.#reject = reject;
    request.onAbort(() => {
      this.#aborted = true;
      this.#abort?.();
    });
  }

  onConnect(abort: (error?: Error) => void): void {
    if (this.#aborted) abort();
    else this.#abort = abort;
  }

  onHeaders(status: number, headers: Buffer[]): boolean {
    // 1xx: the answer itself is still to come.
    if (status >= 200) {
      this.#status = status;
      this.#headers = headersOf(headers);
    }
    return true;
  }

  onData(part: Buffer): boolean {
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#length <= this.#request.maxBytes) return true;
    // Whoever asked sees by its length that it was cut; the connection is of no more use.
    this.#finish();
    this.#abort?.();
    return false;
  }

  onComplete(): void {
    this.#finish();
  }

  onError(error: Error): void {
    // The status has arrived: whoever asked learns it before the rest turns out to be missing.
    if (this.#status !== 0) this.#resolve(this.#response(broken(this.#parts, error)));
    else this.#reject(error);
    this.#parts = [];
  }

  #finish(): void {
    const [only] = this.#parts;
    const body = this.#parts.length === 1 && only !== undefined ? only : Buffer.concat(this.#parts);
    this.#parts = [];
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

/** What came of a body before it broke. */
async function* broken(parts: readonly Uint8Array[], error: unknown): AsyncGenerator<Uint8Array> {
  yield* parts;
  throw error;
}

/** Names in lower case; a repeated header is one text, joined by commas, except for cookies, which commas would break. */
function headersOf(raw: readonly Buffer[]): Record<string, string | string[]> {
  const headers: WfRecord = {};
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = String(raw[index]).toLowerCase();
    const value = textOf(raw[index + 1]);
    const before = Object.hasOwn(headers, name) ? headers[name] : undefined;
    if (name === 'set-cookie') headers[name] = Array.isArray(before) ? [...before, value] : [value];
    else setOwn(headers, name, typeof before === 'string' ? `${before}, ${value}` : value);
  }
  return headers as Record<string, string | string[]>; // Only texts and lists of texts were set above.
}

/** The text of a header's value: UTF-8, or else the Latin-1 that HTTP comes from. */
function textOf(bytes: Buffer | undefined): string {
  const text = bytes?.toString() ?? '';
  return text.includes('\ufffd') ? (bytes?.toString('latin1') ?? '') : text;
}

/**
 * Compression is never asked for; a service that compresses nevertheless, or is asked by a declared header, is understood. An encoding that
 * nobody knows is left as it is: some services name the character set there.
 */
async function inflated(body: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  const zlib = await import('node:zlib');
  const options = { maxOutputLength: maxBytes + 1 };
  let whole = body;
  // The last one was applied last.
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
  // Services send `deflate` with and without the header of zlib (RFC 9110, 8.4.1.2), whose first byte always ends in 8.
  if (name === 'deflate' && ((packed[0] ?? 0) & 0x0f) !== 8) return inflateRaw;
  return ['gzip', 'x-gzip', 'deflate'].includes(name) ? unzip : undefined;
}
