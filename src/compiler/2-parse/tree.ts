// The syntax tree: our own node types, each with the span of text that it was read from. Plain data; no phase changes it.
import type { Span } from '../diagnostics/diagnostic.js';

/** A name as written. */
export interface Name {
  readonly text: string;
  readonly span: Span;
}

/** `request.items.0`: the variable and the fields read from it. */
export interface Reference {
  readonly kind: 'reference';
  readonly root: string;
  readonly fields: readonly string[];
  readonly span: Span;
}

/** Quoted text, or an instruction: literal parts and references in turn. */
export interface Text {
  readonly kind: 'text';
  readonly parts: readonly (string | Reference)[];
  readonly span: Span;
}

export interface NumberLiteral {
  readonly kind: 'number';
  readonly value: number;
  readonly written: string;
  readonly span: Span;
}

export interface Constant {
  readonly kind: 'constant';
  readonly value: true | false | null;
  readonly span: Span;
}

export interface List {
  readonly kind: 'list';
  readonly items: readonly Expression[];
  readonly span: Span;
}

/** An expression in parentheses. */
export interface Group {
  readonly kind: 'group';
  readonly inner: Expression;
  readonly span: Span;
}

export type ReadyMadeName = 'count of' | 'sum of' | 'first of' | 'last of' | 'uppercase of' | 'lowercase of' | 'number of' | 'text of' | 'trimmed';

export interface ReadyMade {
  readonly kind: 'ready-made';
  readonly name: ReadyMadeName;
  readonly argument: Expression;
  readonly span: Span;
}

export type Operator = 'plus' | 'minus' | 'times' | 'divided by' | 'rounded to';

export interface Operation {
  readonly operator: Operator;
  readonly operand: Expression;
  readonly span: Span;
}

/** Read from left to right; flat, so that a long chain is no deep tree. */
export interface Arithmetic {
  readonly kind: 'arithmetic';
  readonly first: Expression;
  readonly operations: readonly Operation[];
  readonly span: Span;
}

export type Comparator =
  | 'is'
  | 'is not'
  | 'is above'
  | 'is below'
  | 'is at least'
  | 'is at most'
  | 'is one of'
  | 'is not one of'
  | 'contains'
  | 'does not contain'
  | 'starts with'
  | 'ends with';

export interface Comparison {
  readonly kind: 'comparison';
  readonly comparator: Comparator;
  readonly left: Expression;
  readonly right: Expression;
  readonly span: Span;
}

export interface Between {
  readonly kind: 'between';
  readonly value: Expression;
  readonly low: Expression;
  readonly high: Expression;
  readonly span: Span;
}

export interface StateTest {
  readonly kind: 'state';
  readonly state: 'is empty' | 'is not empty' | 'exists' | 'does not exist';
  readonly value: Expression;
  readonly span: Span;
}

export interface Logic {
  readonly kind: 'logic';
  readonly operator: 'and' | 'or';
  readonly operands: readonly Expression[];
  readonly span: Span;
}

export interface Not {
  readonly kind: 'not';
  readonly operand: Expression;
  readonly span: Span;
}

export type Expression = Text | NumberLiteral | Constant | List | Group | ReadyMade | Arithmetic | Comparison | Between | StateTest | Logic | Not | Reference;

export interface Pair {
  readonly key: Name;
  readonly value: Expression;
}

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

interface CallBase extends StatementBase {
  readonly service: Name;
  readonly pairs: readonly Pair[];
  readonly saves: readonly { readonly what: Saved; readonly name: Name; readonly span: Span }[];
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

/** A line that could not be read. Its error is reported; what it would have set counts as set, and its block is kept. */
export interface Broken extends StatementBase {
  readonly kind: 'broken';
  readonly defines: readonly string[];
  /** The item, where the line was meant to open a loop. */
  readonly item: string | undefined;
  /** Every name on the line, so that what it uses counts as used. */
  readonly names: readonly string[];
  readonly body: Block;
}

export type Statement = Step | SetVariable | Add | Log | If | ForEach | Skip | Stop | Wait | Call | Ask | Complete | Reject | Broken;

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
