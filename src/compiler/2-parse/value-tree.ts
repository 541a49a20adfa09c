// The value half of the syntax tree: names, texts, expressions, conditions, pairs. Plain data.
import type { DateUnit } from '../../../runtime/dates/date-unit.js';
import type { Span } from '../diagnostics/diagnostic.js';
import type { BuiltinName } from '../vocabulary/builtin-names.js';

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
  /** Its braces are malformed and already reported: its value is unknown. */
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

export interface Builtin {
  readonly kind: 'builtin';
  readonly name: BuiltinName;
  /** In the order of the file. */
  readonly operands: readonly Expression[];
  readonly span: Span;
}

export type Operator = 'plus' | 'minus' | 'times' | 'divided by' | 'rounded to' | 'rounded up to' | 'rounded down to';

export interface Operation {
  readonly operator: Operator;
  readonly operand: Expression;
  readonly span: Span;
}

/** Evaluated from left to right; flat, so that a long chain does not become a deep tree. */
export interface Arithmetic {
  readonly kind: 'arithmetic';
  readonly first: Expression;
  readonly operations: readonly Operation[];
  readonly span: Span;
}

/** `today plus 30 days`. */
export interface Shift {
  readonly kind: 'shift';
  readonly operator: 'plus' | 'minus';
  readonly date: Expression;
  readonly amount: Expression;
  readonly unit: DateUnit;
  readonly span: Span;
}

/** `days from today to request.due`. */
export interface Difference {
  readonly kind: 'difference';
  readonly unit: DateUnit;
  readonly from: Expression;
  readonly to: Expression;
  readonly span: Span;
}

/** `rows sorted by price descending`, `rows grouped by customer.country`. */
export interface Arranged {
  readonly kind: 'arranged';
  readonly how: 'sorted' | 'grouped';
  readonly list: Expression;
  /** The field to compare; empty for the items themselves. */
  readonly path: readonly string[];
  /** Where the field is written. */
  readonly pathSpan: Span | undefined;
  readonly isDescending: boolean;
  readonly span: Span;
}

/** An expression that tests or maps each item of a list. */
export interface Iteration {
  readonly kind: 'iteration';
  /** `each … where`, `… for each`, `some … satisfies`, `every … satisfies`. */
  readonly form: 'filter' | 'map' | 'some' | 'every';
  readonly item: Name;
  readonly list: Expression;
  /** The value computed for each item; only for `map`. */
  readonly value: Expression | undefined;
  /** The condition for items; absent for all items. */
  readonly condition: Expression | undefined;
  readonly span: Span;
}

/** `record with sku line.sku and total 5`. */
export interface RecordValue {
  readonly kind: 'record';
  readonly pairs: readonly Pair[];
  readonly span: Span;
}

/** `prices.{country}.net`: a field whose name is a value. */
export interface FieldOf {
  readonly kind: 'field';
  readonly owner: Expression;
  /** A reference for the first, a name or a reference for the others. */
  readonly keys: readonly (string | Reference)[];
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
  | 'is like'
  | 'is before'
  | 'is after'
  | 'is on or before'
  | 'is on or after'
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
  | Builtin
  | Arithmetic
  | Shift
  | Difference
  | Arranged
  | Iteration
  | RecordValue
  | FieldOf
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

/** An amount of time: `5 minutes`, `request.days working days`. */
export interface AmountOfTime {
  readonly amount: Expression;
  readonly unit: DateUnit;
  readonly span: Span;
}
