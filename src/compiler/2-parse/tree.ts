// The syntax tree: our own node types, each with its source span. Plain data; no phase changes it.
import type { DateUnit } from '../../../runtime/dates/date-unit.js';
import type { Span } from '../diagnostics/diagnostic.js';
import type { BrokenService, Config, DeclaredTable, Inputs, Service } from './declaration-tree.js';
import type { AmountOfTime, Expression, Name, NumberLiteral, Pair, Reference, Text } from './value-tree.js';

export type * from './declaration-tree.js';
export type * from './value-tree.js';

interface StatementBase {
  /** The first line of the statement, without its indentation and its block. */
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

/** Each statement of the block is a branch; all of them run concurrently. */
export interface AtTheSameTime extends StatementBase {
  readonly kind: 'at the same time';
  /** The number of branches that have to end for the block to end; `undefined` for all. */
  readonly until: Expression | undefined;
  readonly body: Block;
}

export interface SetVariable extends StatementBase {
  readonly kind: 'set';
  readonly target: Name;
  /** Empty if the variable itself is set. A reference names the field by its value. */
  readonly fields: readonly (string | Reference)[];
  /** The variable with its fields. */
  readonly pathSpan: Span;
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
  /** Number of concurrent rounds; `undefined` for one at a time. */
  readonly atATime: NumberLiteral | 'all' | undefined;
  /** The number of concurrent rounds that have to end for the loop to end; `undefined` for all. */
  readonly until: Expression | undefined;
  readonly body: Block;
}

/** A loop with concurrent rounds. */
export type TogetherLoop = ForEach & { readonly atATime: NumberLiteral | 'all' };

/** Loops over the fields of a record. */
export interface ForEachField extends StatementBase {
  readonly kind: 'for each field';
  readonly name: Name;
  readonly value: Name;
  readonly record: Expression;
  readonly body: Block;
}

/** A loop without a list. */
export interface Repeat extends StatementBase {
  readonly kind: 'repeat';
  /** Checked before each round. */
  readonly until: Expression | undefined;
  readonly most: Expression;
  readonly body: Block;
}

/** The statements that `skip` and `stop the loop` apply to. */
export type Loop = ForEach | ForEachField | Repeat;

export interface Skip extends StatementBase {
  readonly kind: 'skip';
}

export interface Stop extends StatementBase {
  readonly kind: 'stop';
}

export interface Wait extends StatementBase {
  readonly kind: 'wait';
  readonly amount: Expression;
  readonly unit: DateUnit;
}

export interface WaitUntil extends StatementBase {
  readonly kind: 'wait until';
  /** A date, or a date and time; `undefined` for the next time that clocks show `at`. */
  readonly moment: Expression | undefined;
  readonly at: ClockTime | undefined;
}

/** `8:00`, as written. */
export interface ClockTime {
  readonly hours: number;
  readonly minutes: number;
  readonly span: Span;
}

/** Lines that run under a condition of the statement above them. */
export interface OutcomeBlock {
  readonly body: Block;
  readonly span: Span;
  readonly line: number;
}

/** `wait for payment with order request.order at most 14 days`. */
export interface WaitFor extends StatementBase {
  readonly kind: 'wait for';
  readonly message: Name;
  /** Fields that the message must have. */
  readonly pairs: readonly Pair[];
  readonly atMost: AmountOfTime | undefined;
  readonly save: Name | undefined;
  /** Variables that invalid lines under it may have saved. */
  readonly unread?: Unread;
  /** `if nothing comes:` */
  readonly silence: OutcomeBlock | undefined;
  /** `on success:` */
  readonly onSuccess: OutcomeBlock | undefined;
}

export interface OnFailure {
  readonly span: Span;
  readonly line: number;
  readonly retry: Retry | undefined;
  /** The statements that run once the retries are used up; `undefined` if there are none, and the failure ends the run. */
  readonly body: Block | undefined;
  /** Position of `if still failing:`. */
  readonly stillFailing: { readonly span: Span; readonly line: number } | undefined;
}

export type Saved = 'comment' | 'person' | 'result' | 'status' | 'response headers' | 'confidence';

interface CallBase extends StatementBase, SendOptions {
  readonly service: Name;
  readonly pairs: readonly Pair[];
  readonly saves: readonly { readonly what: Saved; readonly name: Name; readonly span: Span }[];
  /** Variables that invalid lines under it may have saved. */
  readonly unread?: Unread;
  readonly onFailure: OnFailure | undefined;
  readonly onSuccess: OutcomeBlock | undefined;
}

export interface Call extends CallBase {
  readonly kind: 'call';
  /** The words before `using`; at least one. */
  readonly phrase: readonly string[];
  readonly at: Text | undefined;
  /** `running "select …"`: SQL whose interpolations are bound. */
  readonly running: Text | undefined;
  /** The pairs after `where`. */
  readonly where: readonly Pair[];
}

export interface Ask extends CallBase {
  readonly kind: 'ask';
  readonly instruction: Text;
}

export interface Complete extends StatementBase {
  readonly kind: 'complete';
  readonly pairs: readonly Pair[];
  /** Of the answer over HTTP; 200 by default. */
  readonly status: { readonly value: number; readonly span: Span } | undefined;
  /** The answer over HTTP, in place of the outputs. */
  readonly answer: Expression | undefined;
}

export interface Reject extends StatementBase {
  readonly kind: 'reject';
  readonly message: Expression;
}

/** A line that could not be parsed and is already reported. What it may have set counts as set, and its block is kept. */
export interface Broken extends StatementBase {
  readonly kind: 'broken';
  readonly defines: readonly string[];
  /** True if the name to set is missing: it may be any. */
  readonly nameless: boolean;
  /** Every name on the line, so that what it uses counts as used. */
  readonly names: readonly string[];
  readonly body: Block;
}

/** `look up cost and carrier in Shipping cost with country request.country`. */
export interface LookUp extends StatementBase {
  readonly kind: 'look up';
  /** Columns of the table, which become variables. */
  readonly results: readonly Name[];
  readonly table: Name;
  /** A value for each condition of the table. */
  readonly pairs: readonly Pair[];
  /** `if nothing matches:` */
  readonly nothing: { readonly body: Block; readonly span: Span; readonly line: number } | undefined;
  /** Variables that invalid lines under it may have set. */
  readonly unread?: Unread;
}

export type Statement =
  | Step
  | AtTheSameTime
  | SetVariable
  | Add
  | Log
  | If
  | ForEach
  | ForEachField
  | Repeat
  | Skip
  | Stop
  | Wait
  | WaitUntil
  | WaitFor
  | LookUp
  | Call
  | Ask
  | Complete
  | Reject
  | Broken;

export interface Workflow {
  readonly config: Config | undefined;
  /** `undefined`: the request may have any fields. */
  readonly inputs: Inputs | undefined;
  readonly services: readonly (Service | BrokenService)[];
  readonly tables: readonly DeclaredTable[];
  /** The text after `trigger:`; empty if there is none. */
  readonly trigger: string;
  readonly body: Block;
}

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
  /** `addressed to request.manager-email`: the one person who is asked. */
  readonly addressed: { readonly value: Expression; readonly span: Span } | undefined;
  /** `choose from "approve", "decline"`: the possible answers of a person. */
  readonly choices: { readonly items: readonly Expression[]; readonly span: Span } | undefined;
  /** `within 3 days`: the time limit for a person. */
  readonly within: AmountOfTime | undefined;
  /** `remind every 1 day`. */
  readonly remind: AmountOfTime | undefined;
  /** `with timeout 5 seconds`, instead of that of the service. */
  readonly timeout: AmountOfTime | undefined;
}

export interface Retry {
  readonly times: number;
  readonly waiting: AmountOfTime | undefined;
  readonly doubling: boolean;
  readonly span: Span;
  readonly line: number;
}

/** Names on lines that could not be parsed; `nameless` if the one that matters is missing. */
export interface Unread {
  readonly names: readonly string[];
  readonly nameless: boolean;
}
