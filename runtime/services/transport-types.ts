// One HTTP exchange, as the runtime requests it from a transport. No code.

/** One HTTP exchange, as the runtime requests it. A transport never follows redirects. */
export interface TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborts at the attempt's time limit and when the run ends. Created on first use: `onAbort` costs less. */
  readonly signal: AbortSignal;
  /** Calls back when `signal` would abort, or immediately if it has. A transport uses one or the other. */
  onAbort(callback: () => void): void;
  /** Asked immediately before the first byte is sent: false refuses, and the request fails without having been sent. */
  readonly mayBegin?: () => boolean;
  /** Maximum decoded bytes of the body that the caller wants. A longer body may be cut anywhere beyond that. */
  readonly maxBytes: number;
  /** Absolute paths of a certificate and a key that identify this client. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Either the whole body, or its parts. If reading stops half-way, the transport closes the connection. */
  readonly body: AsyncIterable<Uint8Array> | Uint8Array;
}

/** Sends one request. Rejects if there is no answer. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>;
