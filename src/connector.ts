// Types for people who write plugins in TypeScript, or in JavaScript with an editor that reads types: `defineConnector` and what goes
// through it. Its own file, because it is part of the public library and needs nothing else of it.

/** A value as a workflow gives and takes it: what JSON can say. */
export type ConnectorValue =
  | null
  | boolean
  | number
  | string
  | readonly ConnectorValue[]
  | { readonly [key: string]: ConnectorValue | undefined };

/** What a plugin is told of one attempt of one call. All of it is a copy: changing it changes nothing in the workflow. */
export interface ConnectorCall {
  /** First word of the call: `record` in `record entry using Ledger`. */
  readonly verb: string;
  /** The rest of the phrase: `entry`. */
  readonly description: string;
  /** The text after `at`, its values percent-encoded; absent without one. */
  readonly path?: string;
  /** The `with` pairs in their order; `empty` is `null`. */
  readonly parameters: { readonly [key: string]: ConnectorValue };
  /** Headers that the service declares, their variables filled in. */
  readonly headers: { readonly [name: string]: string };
  /** Aborts when the attempt's time is over or the run ends: nobody waits for the result then. */
  readonly signal: AbortSignal;
}

/** What a plugin answers. Instead of failing with a status it may throw: the message becomes the cause of the failure. */
export interface ConnectorResult {
  /** Dates become ISO texts, functions and `undefined` become `empty`. */
  readonly value?: unknown;
  /** Outside of 200–299 the call has failed; 408, 425, 429 and 5xx are worth a retry. */
  readonly status?: number;
  readonly headers?: { readonly [name: string]: string };
}

export interface Connector {
  call(call: ConnectorCall): ConnectorResult | undefined | Promise<ConnectorResult | undefined>;
}

/**
 * Gives the connector back as it is, with its types checked: `export default defineConnector({ async call({ parameters }) { … } })`.
 * A thrown error is worth a retry unless it has a `status` that is not.
 */
export function defineConnector(connector: Connector): Connector {
  return connector;
}
