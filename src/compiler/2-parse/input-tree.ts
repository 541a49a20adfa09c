// The declared inputs in the syntax tree: fields with their kinds, limits and defaults, as written. The check decides whether they make sense.
import type { Span } from '../diagnostics/diagnostic.js';
import type { Constant, Name, NumberLiteral, Text } from './value-tree.js';

/** A fixed value. */
export type Literal = Text | NumberLiteral | Constant | LiteralList;

export interface LiteralList {
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
