// Sends nothing while it is doubtful that this process still has its runs. A process can be stopped between the check before a call and its
// first byte.
import type { Transport, TransportRequest } from '../../../runtime/types.js';
import type { Fence } from '../store/port.js';

/** @param onRefused called if a request was not sent, before it is rejected */
export function fencedTransport(send: Transport, fence: Fence, onRefused: () => void): Transport {
  return (request) => send(new FencedRequest(request, fence, onRefused));
}

/** Copied by name: a spread would create the signal, which is expensive. */
class FencedRequest implements TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: TransportRequest['headers'];
  readonly maxBytes: number;
  declare readonly body?: string;
  declare readonly clientCertificate?: NonNullable<TransportRequest['clientCertificate']>;
  readonly #request: TransportRequest;
  readonly #fence: Fence;
  readonly #onRefused: () => void;

  constructor(request: TransportRequest, fence: Fence, onRefused: () => void) {
    const { method, url, headers, maxBytes, body, clientCertificate } = request;
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.maxBytes = maxBytes;
    if (body !== undefined) this.body = body;
    if (clientCertificate !== undefined) this.clientCertificate = clientCertificate;
    this.#request = request;
    this.#fence = fence;
    this.#onRefused = onRefused;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  onAbort(callback: () => void): void {
    this.#request.onAbort(callback);
  }

  mayBegin(): boolean {
    if (this.#fence.isGood) return true;
    this.#onRefused();
    return false;
  }
}
