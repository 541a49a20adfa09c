// The part of the syntax tree that stands for values: names, texts, expressions, conditions, pairs. Plain data, like all of it.
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
  /** Its braces are wrong, which is reported: what it says is not known. */
  readonly isFaulty?: true;
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

export type ReadyMadeName =
  | 'count of'
  | 'sum of'
  | 'first of'
  | 'last of'
  | 'uppercase of'
  | 'lowercase of'
  | 'number of'
  | 'text of'
  | 'trimmed';

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

export type Expression =
  | Text
  | NumberLiteral
  | Constant
  | List
  | Group
  | ReadyMade
  | Arithmetic
  | Comparison
  | Between
  | StateTest
  | Logic
  | Not
  | Reference;

export interface Pair {
  readonly key: Name;
  readonly value: Expression;
}
