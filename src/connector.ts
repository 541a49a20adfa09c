// Types for plugin authors, in TypeScript or in JavaScript with an editor that reads types: `defineConnector` and its arguments. Part of
// the public library.

/** A value that a workflow passes in or gets back: anything that JSON can represent. */
export type ConnectorValue =
  | null
  | boolean
  | number
  | string
  | readonly ConnectorValue[]
  | { readonly [key: string]: ConnectorValue | undefined };

/** One attempt of one call. Everything in it is a copy, so changing it does not affect the workflow. */
export interface ConnectorCall {
  /** First word of the call: `record` in `record entry using Ledger`. */
  readonly verb: string;
  /** The rest of the phrase: `entry`. */
  readonly description: string;
  /** The text after `at`, with values percent-encoded. Absent if the call has none. */
  readonly path?: string;
  /** The `with` pairs in order. `empty` becomes `null`. */
  readonly parameters: { readonly [key: string]: ConnectorValue };
  /** The headers declared for the service, with variables filled in. */
  readonly headers: { readonly [name: string]: string };
  /** Aborts when the attempt times out or the run ends. The result is ignored after that. */
  readonly signal: AbortSignal;
}

/** The answer of a plugin. To fail without a status, throw: the error message becomes the cause of the failure. */
export interface ConnectorResult {
  /** Dates become ISO text; functions and `undefined` become `empty`. */
  readonly value?: unknown;
  /** The call fails unless this is in 200–299. 408, 425, 429 and 5xx are retried. */
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
}

export interface Connector {
  call(call: ConnectorCall): ConnectorResult | undefined | Promise<ConnectorResult | undefined>;
}

/**
 * Type-checks a connector and returns it unchanged: `export default defineConnector({ async call({ parameters }) { … } })`. A thrown error
 * is retried, unless its `status` says otherwise.
 */
export function defineConnector(connector: Connector): Connector {
  return connector;
}
