// The declarations in the syntax tree: settings, and services with the lines under them. Plain data, re-exported by `tree.ts`.
import type { Span } from '../diagnostics/diagnostic.js';
import type { Name, NumberLiteral, Text } from './value-tree.js';

export type TimeUnit = 'seconds' | 'minutes' | 'hours' | 'days' | 'weeks';

export interface Duration {
  readonly amount: number;
  readonly unit: TimeUnit;
  readonly span: Span;
}

export interface Header {
  readonly name: Name;
  readonly value: Text;
}

export interface ServiceOptions {
  readonly headers: readonly Header[];
  readonly headersSpan: Span | undefined;
  readonly timeout: Duration | undefined;
  readonly limits: readonly Limit[];
  readonly clientCertificate: { readonly certificate: Text; readonly key: Text; readonly span: Span } | undefined;
  readonly signIn: SignInOption | undefined;
  /** The sender of a mail server. */
  readonly from: Text | undefined;
  /** A line could not be parsed and is reported. It may have been any of the options. */
  readonly hasUnread?: true;
}

/** `with limit 100 calls a minute`. */
export interface Limit {
  readonly per: 'a minute' | 'at once';
  readonly count: NumberLiteral;
  readonly span: Span;
}

export interface SignInOption {
  readonly at: Text;
  readonly id: Text;
  readonly secret: Text;
  readonly scope: Text | undefined;
  readonly span: Span;
}

interface ServiceBase extends ServiceOptions {
  readonly name: Name;
  readonly target: Text;
  readonly span: Span;
  readonly line: number;
}

export interface Service extends ServiceBase {
  readonly kind: 'api' | 'webhook' | 'ai' | 'plugin' | 'database' | 'mail' | 'folder' | 'workflow' | 'person';
}

/** A declaration that could not be parsed. Its name counts as declared, of an unknown kind. */
export interface BrokenService {
  readonly kind: 'broken';
  readonly name: Name;
  /** The name may be a different one, or missing. */
  readonly nameless: boolean;
}

export interface Config {
  readonly span: Span;
  readonly name: Text | undefined;
  readonly version: NumberLiteral | undefined;
  readonly description: Text | undefined;
  readonly timeout: Duration | undefined;
  readonly timezone: Text | undefined;
  /** When the workflow runs without a request: words, or a cron expression. */
  readonly schedule: Text | undefined;
  readonly holidays: readonly Text[];
}
