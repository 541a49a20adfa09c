// The syntax tree: our own node types, each with the span of text that it was read from. Plain data; no phase changes it.
import type { Span } from '../diagnostics/diagnostic.js';
import type { Expression, Name, NumberLiteral, Pair, Text } from './value-tree.js';

export type * from './value-tree.js';

interface StatementBase {
  /** The line that the statement begins on, without its indentation and without its block. */
  readonly span: Span;
  /** 1-based. */
  readonly line: number;
}

export type Block = readonly Statement[];

export interface Step extends StatementBase {
  readonly kind: 'step';
  readonly name: Name;
  readonly body: Block;
}

export interface SetVariable extends StatementBase {
  readonly kind: 'set';
  readonly target: Name;
  /** Empty where the variable itself is set. */
  readonly fields: readonly string[];
  readonly value: Expression;
}

export interface Add extends StatementBase {
  readonly kind: 'add';
  readonly value: Expression;
  readonly target: Name;
}

export interface Log extends StatementBase {
  readonly kind: 'log';
  readonly value: Expression;
}

export interface Branch {
  readonly condition: Expression;
  readonly body: Block;
  readonly span: Span;
  readonly line: number;
}

export interface If extends StatementBase {
  readonly kind: 'if';
  readonly branches: readonly Branch[];
  readonly otherwise: { readonly body: Block; readonly span: Span; readonly line: number } | undefined;
}

export interface ForEach extends StatementBase {
  readonly kind: 'for each';
  readonly item: Name;
  readonly list: Expression;
  readonly body: Block;
}

export interface Skip extends StatementBase {
  readonly kind: 'skip';
}

export interface Stop extends StatementBase {
  readonly kind: 'stop';
}

export type TimeUnit = 'seconds' | 'minutes' | 'hours';

export interface Duration {
  readonly amount: number;
  readonly unit: TimeUnit;
  readonly span: Span;
}

export interface Wait extends StatementBase {
  readonly kind: 'wait';
  readonly duration: Duration;
}

export interface Retry {
  readonly times: number;
  readonly waiting: Duration | undefined;
  readonly doubling: boolean;
  readonly span: Span;
  readonly line: number;
}

export interface OnFailure {
  readonly span: Span;
  readonly line: number;
  readonly retry: Retry | undefined;
  /** The statements that run once the retries are used up; `undefined` where there are none, and the failure ends the run. */
  readonly body: Block | undefined;
  /** Where `if still failing:` stands. */
  readonly stillFailing: { readonly span: Span; readonly line: number } | undefined;
}

export type Saved = 'result' | 'status' | 'response headers' | 'confidence';

/** Names that stand on lines which could not be read; `nameless` where the one that matters is left out. */
export interface Unread {
  readonly names: readonly string[];
  readonly nameless: boolean;
}

interface CallBase extends StatementBase {
  readonly service: Name;
  readonly pairs: readonly Pair[];
  readonly saves: readonly { readonly what: Saved; readonly name: Name; readonly span: Span }[];
  /** What the lines under it that could not be read may have saved. */
  readonly unread?: Unread;
  readonly onFailure: OnFailure | undefined;
}

export interface Call extends CallBase {
  readonly kind: 'call';
  /** The words before `using`; at least one. */
  readonly phrase: readonly string[];
  readonly at: Text | undefined;
}

export interface Ask extends CallBase {
  readonly kind: 'ask';
  readonly instruction: Text;
}

export interface Complete extends StatementBase {
  readonly kind: 'complete';
  readonly pairs: readonly Pair[];
}

export interface Reject extends StatementBase {
  readonly kind: 'reject';
  readonly message: Expression;
}

/** A line that could not be read. Its error is reported; what it may have set counts as set, and its block is kept. */
export interface Broken extends StatementBase {
  readonly kind: 'broken';
  readonly defines: readonly string[];
  /** True where the name that it was to set is left out: it may be any. */
  readonly nameless: boolean;
  /** Every name on the line, so that what it uses counts as used. */
  readonly names: readonly string[];
  readonly body: Block;
}

export type Statement =
  | Step
  | SetVariable
  | Add
  | Log
  | If
  | ForEach
  | Skip
  | Stop
  | Wait
  | Call
  | Ask
  | Complete
  | Reject
  | Broken;

export interface Header {
  readonly name: Name;
  readonly value: Text;
}

export interface ServiceOptions {
  readonly headers: readonly Header[];
  readonly headersSpan: Span | undefined;
  readonly timeout: Duration | undefined;
}

interface ServiceBase extends ServiceOptions {
  readonly name: Name;
  readonly target: Text;
  readonly span: Span;
  readonly line: number;
}

export interface Service extends ServiceBase {
  readonly kind: 'api' | 'webhook' | 'ai' | 'plugin';
}

/** A declaration that could not be read; its name counts as declared, of a kind that is not known. */
export interface BrokenService {
  readonly kind: 'broken';
  readonly name: Name;
  /** The name may be another one, or is left out. */
  readonly nameless: boolean;
}

export interface Config {
  readonly span: Span;
  readonly name: Text | undefined;
  readonly version: NumberLiteral | undefined;
  readonly description: Text | undefined;
  readonly timeout: Duration | undefined;
}

export interface Workflow {
  readonly config: Config | undefined;
  readonly services: readonly (Service | BrokenService)[];
  /** The text after `trigger:`; empty where there is none. */
  readonly trigger: string;
  readonly body: Block;
}
