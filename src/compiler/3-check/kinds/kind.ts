// The facts that the check knows about a value before the workflow runs: its kind, and more if that is certain. `unknown` is always
// correct.
import type { FieldKind, InputField, ValueLimits } from '../../../../runtime/inputs/input-types.js';
import type { Expression } from '../../2-parse/tree.js';

/** Kinds in everyday terms. Dates and times are text in ISO 8601; `form` says so if it is certain. */
export type Kind =
  | { readonly is: 'unknown' }
  | { readonly is: 'empty' }
  | ({
      readonly is: 'number';
      readonly value?: number;
      /** Limits of a declared input. */
      readonly limits?: ValueLimits<number>;
      /** All numbers that it can be. */
      readonly oneOf?: readonly number[];
      readonly isWhole?: true;
      /** The confidence of an AI, from 0 to 1. */
      readonly isShare?: true;
    } & MaybeEmpty)
  | ({
      readonly is: 'text';
      readonly value?: string;
      readonly form?: 'date' | 'time';
      /** All texts that it can be. */
      readonly oneOf?: readonly string[];
      /** These are declared as choices, of an input, a person or an AI. */
      readonly isChoice?: true;
    } & MaybeEmpty)
  | ({ readonly is: 'boolean' } & MaybeEmpty)
  | ({ readonly is: 'list'; readonly item?: Kind } & MaybeEmpty)
  | ({
      readonly is: 'record';
      readonly fields?: ReadonlyMap<string, Kind>;
      /** It has no other fields. */
      readonly isWhole?: boolean;
      /** The fields of declared inputs: reading any other is a mistake. */
      readonly isDeclared?: boolean;
      /** The service whose outputs these are: a called workflow, which has no others. */
      readonly outputsOf?: string;
      /** A row that `get` has found: the call that lists all rows. */
      readonly rowOf?: string;
    } & MaybeEmpty);

interface MaybeEmpty {
  /** The value may be missing: it has this kind, or is `empty`. */
  readonly orEmpty?: boolean;
}

export const unknownKind: Kind = { is: 'unknown' };
export const emptyKind: Kind = { is: 'empty' };
export const numberKind: Kind = { is: 'number' };
export const wholeKind: Kind = { is: 'number', isWhole: true };
export const textKind: Kind = { is: 'text' };
export const dateKind: Kind = { is: 'text', form: 'date' };
export const timeKind: Kind = { is: 'text', form: 'time' };
export const booleanKind: Kind = { is: 'boolean' };
export const listKind: Kind = { is: 'list' };
export const recordKind: Kind = { is: 'record' };

export const listOfKind = (item: Kind): Kind => (item.is === 'unknown' ? listKind : { is: 'list', item });

/** The kind of the items of a list. */
export const itemKind = (kind: Kind): Kind => (kind.is === 'list' ? kind.item : undefined) ?? unknownKind;

/** Adds `empty` to a kind. */
export const orEmpty = (kind: Kind): Kind => (kind.is === 'unknown' || kind.is === 'empty' ? kind : { ...kind, orEmpty: true });

/** Removes what is known of this particular value, which may have changed afterwards. */
export function withoutValue(kind: Kind): Kind {
  switch (kind.is) {
    case 'number':
    case 'text': {
      const { value: _value, ...rest } = kind;
      return rest;
    }
    case 'unknown':
    case 'empty':
    case 'boolean':
    case 'list':
    case 'record':
      return kind;
  }
}

/** More values than this are not followed. */
const MOST_VALUES = 50;

/** All texts that a value can be, if they are known. */
export const textsOf = (kind: Kind): readonly string[] | undefined =>
  kind.is !== 'text' ? undefined : kind.value === undefined ? kind.oneOf : [kind.value];

/** All numbers that a value can be, if they are known. */
export const numbersOf = (kind: Kind): readonly number[] | undefined =>
  kind.is !== 'number' ? undefined : kind.value === undefined ? kind.oneOf : [kind.value];

export const isWholeNumber = (kind: Kind): boolean =>
  kind.is === 'number' && (kind.isWhole === true || numbersOf(kind)?.every(Number.isInteger) === true);

function union<T>(ones: readonly T[] | undefined, others: readonly T[] | undefined): { readonly oneOf?: readonly T[] } {
  if (ones === undefined || others === undefined) return {};
  const oneOf = [...new Set([...ones, ...others])];
  return oneOf.length > MOST_VALUES ? {} : { oneOf };
}

/** The facts that are certain of a value that has one of two kinds. */
export function joinKinds(one: Kind, other: Kind): Kind {
  if (one === other) return one;
  if (one.is === 'empty') return orEmpty(other);
  if (other.is === 'empty') return orEmpty(one);
  if (one.is === 'unknown' || other.is === 'unknown' || one.is !== other.is) return unknownKind;
  const joined = joinSame(one, other);
  return one.orEmpty === true || ('orEmpty' in other && other.orEmpty === true) ? orEmpty(joined) : joined;
}

function joinSame(one: Exclude<Kind, { is: 'unknown' | 'empty' }>, other: Kind): Kind {
  if (one.is === 'number' && other.is === 'number') {
    if (one.value !== undefined && one.value === other.value) return one;
    const [ones, others] = [numbersOf(one), numbersOf(other)];
    const isWhole = isWholeNumber(one) && isWholeNumber(other) ? ({ isWhole: true } as const) : {};
    return { is: 'number', ...union(ones, others), ...isWhole };
  }
  if (one.is === 'text' && other.is === 'text') {
    if (one.value !== undefined && one.value === other.value) return one;
    const form = one.form !== undefined && one.form === other.form ? { form: one.form } : {};
    const isChoice = one.isChoice === true && other.isChoice === true ? ({ isChoice: true } as const) : {};
    return { is: 'text', ...form, ...union(textsOf(one), textsOf(other)), ...isChoice };
  }
  if (one.is === 'list' && other.is === 'list') return listOfKind(joinKinds(one.item ?? unknownKind, other.item ?? unknownKind));
  return one.is === 'boolean' ? booleanKind : recordKind;
}

/** The kind of `value.field`; a list by position, `count`, or a field of a record. */
export function fieldKind(kind: Kind, field: string): Kind {
  switch (kind.is) {
    case 'record': {
      const known = kind.fields?.get(field);
      if (known !== undefined) return kind.orEmpty === true ? orEmpty(known) : known;
      return kind.isWhole === true ? emptyKind : unknownKind;
    }
    case 'list':
      if (field === 'count') return wholeKind;
      // Past the end of a list there is nothing.
      return /^\d+$/.test(field) && kind.item !== undefined ? orEmpty(kind.item) : unknownKind;
    case 'text':
      return field === 'count' && kind.orEmpty !== true ? wholeKind : unknownKind;
    case 'empty':
      return emptyKind;
    case 'number':
    case 'boolean':
    case 'unknown':
      return unknownKind;
  }
}

const LONGEST = 40;

const names: Readonly<Record<Kind['is'], string>> = {
  unknown: 'of some kind',
  empty: 'empty',
  number: 'a number',
  text: 'a text',
  boolean: 'true or false',
  list: 'a list',
  record: 'a record',
};

/** `a number`, `a date (a text)`. */
export function kindName(kind: Kind): string {
  if (kind.is === 'text' && kind.form !== undefined) return `a ${kind.form} (a text)`;
  return names[kind.is];
}

/** `"score" is a number`, `"abc" is a text`: source text and kind of an operand. */
export function operandWords(text: string, expression: Expression, kind: Kind): string {
  const written = text.slice(expression.span.start, expression.span.end);
  const short = written.length > LONGEST ? `${written.slice(0, LONGEST).trimEnd()}…` : written;
  const isLiteral = /^["[\d(-]/.test(short) || expression.kind === 'constant';
  const is = kind.is === 'empty' && short === 'empty' ? 'is no value' : `is ${kindName(kind)}`;
  return `${isLiteral ? short : `"${short}"`} ${is}`;
}

/** Of `received`. */
export const receivedKind: Kind = {
  is: 'record',
  fields: new Map<string, Kind>([
    ...['by', 'at', 'id', 'caller'].map((name) => [name, unknownKind] as const),
    ...['headers', 'query'].map((name) => [name, recordKind] as const),
  ]),
  isDeclared: true,
};

/** @param isWhole false if a line could not be parsed: other fields may be declared */
export const requestKind = (fields: readonly InputField[], isWhole: boolean): Kind => ({
  is: 'record',
  fields: new Map(fields.map((field) => [field.name, fieldKindOfInput(field)])),
  ...(isWhole ? { isDeclared: true } : {}),
});

const fieldKindOfInput = ({ kind, optional }: InputField): Kind =>
  optional === true ? orEmpty(kindOfInput(kind)) : kindOfInput(kind);

function kindOfInput(kind: FieldKind): Kind {
  switch (kind.is) {
    case 'text':
    case 'email address':
      return textKind;
    case 'number':
    case 'whole number': {
      const { is, ...limits } = kind;
      const whole = is === 'whole number' ? ({ isWhole: true } as const) : {};
      return { is: 'number', ...whole, ...(Object.keys(limits).length === 0 ? {} : { limits }) };
    }
    case 'date':
      return dateKind;
    case 'time':
      return timeKind;
    case 'yes or no':
      return booleanKind;
    case 'choice':
      return choiceKind(kind.values);
    case 'record':
      return requestKind(kind.fields, true);
    case 'list':
      return listOfKind(kindOfInput(kind.of));
    case 'anything':
      return unknownKind;
  }
}

function choiceKind(values: readonly (string | number)[]): Kind {
  if (values.every((value) => typeof value === 'string')) return { is: 'text', oneOf: values, isChoice: true };
  return values.every((value) => typeof value === 'number') ? { is: 'number', oneOf: values } : unknownKind;
}
