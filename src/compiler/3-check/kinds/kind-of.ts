// The kind of an expression's value at this point of the workflow, as far as it is certain.
import type { Arithmetic, Expression, Iteration, Reference } from '../../2-parse/tree.js';
import type { BuiltinName } from '../../vocabulary/builtin-names.js';
import {
  booleanKind,
  dateKind,
  emptyKind,
  fieldKind,
  isWholeNumber,
  itemKind,
  joinKinds,
  type Kind,
  listKind,
  listOfKind,
  numberKind,
  orEmpty,
  recordKind,
  textKind,
  timeKind,
  unknownKind,
  wholeKind,
  withoutValue,
} from './kind.js';

/** Available in every run, unless the item of a loop has the name. */
const given: ReadonlyMap<string, Kind> = new Map([
  ['today', dateKind],
  ['now', timeKind],
  ['request', recordKind],
]);

/** The kind of a variable here; `undefined` if nothing is certain. */
export type Variables = (name: string) => Kind | undefined;

type KindOf = {
  readonly [K in Expression['kind']]: (expression: Extract<Expression, { kind: K }>, variables: Variables) => Kind;
};

const isBoolean = (): Kind => booleanKind;

const kinds: KindOf = {
  reference: ofReference,
  number: ({ value }) => ({ is: 'number', value }),
  constant: ({ value }) => (value === null ? emptyKind : booleanKind),
  text: ({ parts, isFaulty }) => {
    const [first = ''] = parts;
    return isFaulty !== true && parts.length <= 1 && typeof first === 'string' ? { is: 'text', value: first } : textKind;
  },
  list: ({ items }, variables) => {
    const [first, ...rest] = items.map((item) => kindOf(item, variables));
    return first === undefined ? listKind : listOfKind(rest.reduce(joinKinds, first));
  },
  group: ({ inner }, variables) => kindOf(inner, variables),
  builtin: ({ name, operands }, variables) =>
    builtinKind(
      name,
      operands.map((operand) => kindOf(operand, variables)),
    ),
  arithmetic: ofArithmetic,
  shift: ({ date }, variables) => dateFormOf(kindOf(date, variables)),
  difference: ({ unit }) => (unit === 'working hours' ? numberKind : wholeKind),
  arranged: ({ how, list }, variables) =>
    how === 'sorted' ? listOfKind(itemKind(kindOf(list, variables))) : groupsKind(itemKind(kindOf(list, variables))),
  iteration: ofIteration,
  record: ({ pairs }, variables) => ({
    is: 'record',
    fields: new Map(pairs.map(({ key, value }) => [key.text, kindOf(value, variables)])),
    isWhole: true,
  }),
  field: () => unknownKind,
  comparison: isBoolean,
  between: isBoolean,
  state: isBoolean,
  logic: isBoolean,
  not: isBoolean,
};

export function kindOf<K extends Expression['kind']>(expression: Extract<Expression, { kind: K }>, variables: Variables): Kind {
  const of = kinds[expression.kind] as (expression: Extract<Expression, { kind: K }>, variables: Variables) => Kind; // looked up by its own kind
  return of(expression, variables);
}

function ofReference({ root, fields }: Reference, variables: Variables): Kind {
  // Environment variables are text, or missing.
  if (root === 'env') return orEmpty(textKind);
  return fields.reduce<Kind>(fieldKind, variables(root) ?? given.get(root) ?? unknownKind);
}

/** A date or time keeps its form when it is moved. */
const dateFormOf = (kind: Kind): Kind =>
  kind.is === 'text' && kind.form !== undefined ? { is: 'text', form: kind.form } : textKind;

const groupsKind = (item: Kind): Kind =>
  listOfKind({
    is: 'record',
    fields: new Map([
      ['key', unknownKind],
      ['items', listOfKind(item)],
    ]),
    isWhole: true,
  });

function ofIteration({ form, item, list, value }: Iteration, variables: Variables): Kind {
  if (form === 'some' || form === 'every') return booleanKind;
  const items = itemKind(kindOf(list, variables));
  if (value === undefined) return listOfKind(items);
  return listOfKind(withoutValue(kindOf(value, (name) => (name === item.text ? items : variables(name)))));
}

/** The result for two whole numbers that are certain, such as 0 for `1 minus 1`. */
function wholeResult(left: Kind, operator: string, right: Kind): number | undefined {
  if (left.is !== 'number' || right.is !== 'number' || left.value === undefined || right.value === undefined) return undefined;
  const [one, other] = [left.value, right.value];
  const result =
    operator === 'plus' ? one + other : operator === 'minus' ? one - other : operator === 'times' ? one * other : Number.NaN;
  return [one, other, result].every(Number.isSafeInteger) ? result + 0 : undefined;
}

/** If it is not a number, the run fails, so everything after it can assume one. Two lists joined by `plus` are a list. */
function ofArithmetic({ first, operations }: Arithmetic, variables: Variables): Kind {
  let kind = kindOf(first, variables);
  for (const { operator, operand } of operations) {
    const right = kindOf(operand, variables);
    const value = wholeResult(kind, operator, right);
    if (value !== undefined) kind = { is: 'number', value };
    else if (isWholeNumber(kind) && isWholeNumber(right) && operator !== 'divided by') kind = wholeKind;
    else if (operator !== 'plus') kind = numberKind;
    else {
      const [one, other] = [kind.is, right.is];
      if (one === 'list' || other === 'list') kind = listKind;
      else kind = one === 'number' || other === 'number' ? numberKind : unknownKind;
    }
  }
  return kind;
}

type Gives = (operands: readonly Kind[]) => Kind;

const number: Gives = () => numberKind;
const whole: Gives = () => wholeKind;
const numberOrEmpty: Gives = () => orEmpty(numberKind);
const text: Gives = () => textKind;
const texts: Gives = () => listOfKind(textKind);
const date: Gives = () => dateKind;
/** A missing text stays missing. @param at index of the operand that is changed */
const changedText =
  (at = 0): Gives =>
  (operands) => {
    const of = operands[at];
    return of?.is === 'text' && of.orEmpty !== true ? textKind : orEmpty(textKind);
  };
/** One item of a list, if there is any. */
const anItem: Gives = ([list]) => (list === undefined ? unknownKind : orEmpty(withoutValue(itemKind(list))));
/** Some of the items of a list. @param at index of the list operand */
const someItems =
  (at = 0): Gives =>
  (operands) => {
    const list = operands[at];
    return listOfKind(list === undefined ? unknownKind : withoutValue(itemKind(list)));
  };

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const gives: Readonly<Record<BuiltinName, Gives>> = {
  'count of': whole,
  'sum of': number,
  'first of': anItem,
  'last of': anItem,
  'highest of': anItem,
  'lowest of': anItem,
  'average of': numberOrEmpty,
  'unique of': someItems(),
  'fields of': texts,
  'uppercase of': changedText(),
  'lowercase of': changedText(),
  trimmed: changedText(),
  reversed: someItems(),
  'absolute value of': number,
  'weekday of': () => ({ is: 'text', oneOf: WEEKDAYS }),
  'day of': whole,
  'week of': whole,
  'month of': whole,
  'year of': whole,
  'hour of': whole,
  'minute of': whole,
  'date of': date,
  'text of': text,
  'number of': number,
  'start of week': date,
  'start of month': date,
  'start of quarter': date,
  'start of year': date,
  'end of week': date,
  'end of month': date,
  'end of quarter': date,
  'end of year': date,
  'date of written as': date,
  'time of written as': () => timeKind,
  'text of written as': text,
  'number of written as': number,
  'first items of': someItems(1),
  'last items of': someItems(1),
  'first characters of': changedText(1),
  'last characters of': changedText(1),
  'characters of': changedText(2),
  'position of': numberOrEmpty,
  'remainder of': number,
  'percent of': number,
  'split by': ([of]) => (of?.is === 'text' && of.orEmpty !== true ? listOfKind(textKind) : orEmpty(listOfKind(textKind))),
  'joined with': text,
  'replaced by': changedText(),
  'padded to': ([of]) => (of?.is === 'number' || (of?.is === 'text' && of.orEmpty !== true) ? textKind : orEmpty(textKind)),
};

export const builtinKind = (name: BuiltinName, operands: readonly Kind[]): Kind => gives[name](operands);
