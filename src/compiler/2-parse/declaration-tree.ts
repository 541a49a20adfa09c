// The declarations in the syntax tree: inputs, services and tables. Plain data, re-exported by `tree.ts`.
import type { CellTest, CellValue, HeadingTest } from '../../../runtime/tables/table-types.js';
import type { Span } from '../diagnostics/diagnostic.js';
import type { AmountOfTime, Constant, Expression, Name, NumberLiteral, Reference, Text } from './value-tree.js';

/** A fixed value. */
export type Literal = Text | NumberLiteral | Constant | LiteralList;

interface LiteralList {
  readonly kind: 'literals';
  readonly items: readonly Literal[];
  readonly span: Span;
}

/** Items of a list that take no limits, and have no plural. */
export type OpenItem = 'yes or no' | 'anything';

export type ScalarName = 'text' | 'number' | 'whole number' | 'date' | 'time' | 'email address' | 'record';

/** `1 to 5`, `at least 1`, `at most 5`, `5`. */
export interface CountRange {
  readonly least: NumberLiteral | undefined;
  readonly most: NumberLiteral | undefined;
  readonly span: Span;
}

export type InputLimit =
  | { readonly kind: 'range'; readonly low: Literal; readonly high: Literal; readonly span: Span }
  | { readonly kind: 'bound'; readonly word: BoundWord; readonly value: Literal; readonly span: Span }
  | { readonly kind: 'characters'; readonly count: CountRange; readonly span: Span }
  | { readonly kind: 'like'; readonly pattern: Text; readonly span: Span };

export type BoundWord = 'at least' | 'at most' | 'above' | 'below';

export type InputKind =
  | { readonly is: 'choice'; readonly values: readonly Literal[] }
  | { readonly is: 'yes or no' }
  | { readonly is: 'anything' }
  | { readonly is: 'scalar'; readonly name: ScalarName; readonly limits: readonly InputLimit[] }
  | {
      readonly is: 'list';
      readonly of: ScalarName | OpenItem;
      readonly count: CountRange | undefined;
      readonly limits: readonly InputLimit[];
    };

/** Whether the field is optional, and its default. */
export type Presence = { readonly is: 'optional' } | { readonly is: 'otherwise'; readonly value: Literal };

/** A line of `inputs:`, without the lines below it. */
export interface InputLine {
  readonly name: Name;
  /** With the span of its words. */
  readonly kind: InputKind & { readonly span: Span };
  readonly presence: Presence | undefined;
}

export interface DeclaredInput extends InputLine {
  /** The fields of a record, or of each record in a list; `undefined` if there are no lines below. */
  readonly fields: Inputs | undefined;
  readonly span: Span;
  readonly line: number;
}

/** A line that could not be parsed: its field counts as declared, of any kind. */
export interface BrokenInput {
  readonly kind: 'broken';
  readonly name: Name;
}

export interface Inputs {
  readonly fields: readonly (DeclaredInput | BrokenInput)[];
  /** False if a lost line declared a field of unknown name: then any field may be declared. */
  readonly isWhole: boolean;
  readonly span: Span;
}

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
  readonly timeout: AmountOfTime | undefined;
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
  /** Person: the mail server of the file that sends the questions. */
  readonly notifiedBy?: Name;
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
  /** When time counts as working hours: `monday to friday 9:00 to 17:00`. */
  readonly workingHours: Text | undefined;
  /** Of the names of months and weekdays: `de`. */
  readonly language: Text | undefined;
  readonly once: Once | undefined;
  /** `find by: request.customer, request.order`: values by which runs are found in an encrypted store. */
  readonly findBy: readonly Reference[];
  /** The time for which finished runs are kept; absent if the store decides. */
  readonly keepFor: Duration | undefined;
  /** HTTP settings of the workflow; absent without any. */
  readonly serving?: Serving;
}

/** `once for each: request.invoice-number for 90 days`: two requests with an equal value are one run. */
export interface Once {
  readonly value: Expression;
  /** The value is kept at least this long, even if its run is deleted earlier. */
  readonly keptFor: Duration | undefined;
}

/** The settings of a workflow for requests over HTTP. */
export interface Serving {
  /** The provider whose signature requests must carry. */
  readonly signature: Text | undefined;
  /** The secrets that the sender signs with: environment variables, several during a rotation. */
  readonly secret: Text | undefined;
  /** Answer as soon as the run is recorded. */
  readonly isAccepted: boolean;
  readonly statusWhenRejected: NumberLiteral | undefined;
  readonly runsAtOnce: NumberLiteral | undefined;
}

/** For a condition, a test; for a result, a value. `unread`: invalid, and reported. */
export type DecisionCell =
  | { readonly is: 'test'; readonly test: CellTest; readonly span: Span }
  /** `0 and 50`, allowed only for `is between`. */
  | { readonly is: 'limits'; readonly low: CellValue; readonly high: CellValue; readonly span: Span }
  | { readonly is: 'unread'; readonly span: Span };

export interface Heading {
  readonly name: string;
  /** `undefined` for a result. */
  readonly test: HeadingTest | undefined;
  readonly span: Span;
}

export interface DecisionRow {
  readonly cells: readonly DecisionCell[];
  /** Line of the workflow, or row of the file. */
  readonly line: number;
  readonly span: Span;
}

export interface DecisionTable {
  readonly kind: 'table';
  readonly name: Name;
  readonly headings: readonly Heading[];
  readonly rows: readonly DecisionRow[];
  /** Rows could not be read, and are reported. */
  readonly hasUnread?: true;
  /** The file that contains it, as named in the workflow. */
  readonly file: string | undefined;
  readonly span: Span;
  readonly line: number;
}

/** A table in a file, before the file is read. */
export interface TableFileLine {
  readonly kind: 'file';
  readonly name: Name;
  readonly at: Text;
  readonly span: Span;
  readonly line: number;
}

/** A table with invalid headings, or an unreadable file. Its name counts as declared; without one, it may be any table. */
export interface BrokenTable {
  readonly kind: 'broken';
  readonly name: Name;
}

export type DeclaredTable = DecisionTable | TableFileLine | BrokenTable;
