// The part of the syntax tree for lines under a call that say how it is sent, how a person answers, and what is retried. Plain data,
// re-exported by `tree.ts`.
import type { Span } from '../diagnostics/diagnostic.js';
import type { Duration } from './service-tree.js';
import type { Expression, Name } from './value-tree.js';

/** A header of one call: any value. */
export interface CallHeader {
  readonly name: Name;
  readonly value: Expression;
}

/** The lines under a call that say how it is sent. */
export interface SendOptions {
  readonly headers: readonly CallHeader[];
  /** Position of `with headers:`. */
  readonly headersSpan: Span | undefined;
  /** `send … as the body`. */
  readonly body: { readonly value: Expression; readonly span: Span } | undefined;
  /** `sent as PUT`, with the method as written. */
  readonly sentAs: Name | undefined;
  /** `at most once`: never sent again if it may have been received. */
  readonly atMostOnce: boolean;
  /** `choose from "approve", "decline"`: the possible answers of a person. */
  readonly choices: { readonly items: readonly Expression[]; readonly span: Span } | undefined;
  /** `within 3 days`: the time limit for a person. */
  readonly within: Duration | undefined;
  /** `remind every 1 day`. */
  readonly remind: Duration | undefined;
}

export interface Retry {
  readonly times: number;
  readonly waiting: Duration | undefined;
  readonly doubling: boolean;
  readonly span: Span;
  readonly line: number;
}

/** Names on lines that could not be parsed; `nameless` if the one that matters is missing. */
export interface Unread {
  readonly names: readonly string[];
  readonly nameless: boolean;
}
