// Collects one answer of undici: status, headers and body, decompressed if necessary.
import type { Dispatcher } from 'undici';
import { nextTurn } from '../../../runtime/run/yield-queue.js';
import { ByteCollector } from '../../../runtime/services/byte-collector.js';
import type { TransportRequest, TransportResponse, WfRecord } from '../../../runtime/types.js';
import { setOwn } from '../../../runtime/values/record.js';

/** Pieces of an answer to accept before others get their turn. */
const mostPieces = 8_192;

/**
 * Collects one answer. Uses the lowest level of undici, because streams and promises would cost more than the rest of a small
 * call.
 */
export class AnswerCollector implements Dispatcher.DispatchHandlers {
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
