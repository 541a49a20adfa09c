// Changes of one value of a request that may turn a decision: what lies on the other side of a number, a date or a length of time, another
// text, another row of a table. Whoever uses them runs them to be sure.
import type { Calendar } from '../../runtime/dates/calendar.js';
import { dateDifference } from '../../runtime/dates/compare-dates.js';
import { parseMoment } from '../../runtime/dates/moment.js';
import { shiftDate } from '../../runtime/dates/shift-date.js';
import type { Value, WfRecord } from '../../runtime/types.js';
import { isRecord } from '../../runtime/values/record.js';
import { Evaluation } from '../analysis/evaluate.js';
import { startState, withVariable } from '../analysis/state.js';
import { exact, known } from '../analysis/symbolic.js';
import { shifted } from '../analysis/witness.js';
import type { Between, Comparison, Difference, Expression, LookUp, Reference } from '../compiler/2-parse/tree.js';
import { assignedBy, statementsIn } from '../compiler/2-parse/walk.js';
import { normalTest } from '../compiler/3-check/tables/cells.js';
import type { Checked } from '../compiler/compile.js';
import { pathAsWritten } from '../compiler/vocabulary/field-names.js';

export interface Alternative {
  readonly path: readonly string[];
  readonly value: Value;
  /** `request.amount at most 500`. */
  readonly words: string;
  /** From the value in the request: half for twice as much, for a year, and for what can't be compared. */
  readonly distance: number;
}

/** The values that a decision saw. */
interface Seen {
  readonly text: string;
  readonly values: ReadonlyMap<string, Value>;
  readonly days: { readonly calendar: Calendar } | undefined;
  readonly definitions: ReadonlyMap<string, Expression>;
}

/** The values of variables that one line sets: `age`, with `years from request.born to today`. */
export function definitionsIn({ workflow }: Pick<Checked, 'workflow'>): ReadonlyMap<string, Expression> {
  const found = new Map<string, Expression | undefined>();
  for (const statement of statementsIn(workflow.body))
    for (const { name } of assignedBy(statement)) {
      const isWhole = statement.kind === 'set' && statement.fields.length === 0 && !found.has(name);
      found.set(name, isWhole ? statement.value : undefined);
    }
  return new Map([...found].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** A value, and the words for all that do the same. */
interface Other {
  readonly value: Value;
  readonly words: string;
}

/** The conditions that a condition consists of. */
export function comparisonsIn(condition: Expression): Expression[] {
  if (condition.kind === 'logic') return condition.operands.flatMap(comparisonsIn);
  if (condition.kind === 'not') return comparisonsIn(condition.operand);
  return condition.kind === 'group' ? comparisonsIn(condition.inner) : [condition];
}

/** @param answer that the decision got, of which the condition is a part */
export function otherAnswers(seen: Seen, condition: Expression, answer: boolean): Alternative[] {
  if (isOfRequest(condition)) return [alternative(seen, condition, { value: !answer, words: String(!answer) })];
  if (condition.kind === 'between' && isOfRequest(condition.value)) {
    const { value } = condition;
    return aroundLimits(seen, condition, nowOf(seen, value)).map((other) => alternative(seen, value, other));
  }
  if (condition.kind !== 'comparison') return [];
  const { right, comparator } = condition;
  const left = asWritten(seen, condition.left);
  if (left.kind === 'difference') return otherLengths(seen, left, condition);
  const order = dateOrders[comparator];
  if (order !== undefined && left.kind === 'shift' && isOfRequest(left.date)) {
    const operator = left.operator === 'plus' ? 'minus' : 'plus';
    return otherDates(seen, left.date, { ...left, operator, date: right }, order);
  }
  if (order !== undefined) {
    const [own, limit] = isOfRequest(left) ? [left, right] : [right, left];
    return isOfRequest(own) ? otherDates(seen, own, limit, own === left ? order : turned[order]) : [];
  }
  const other = mirrored[comparator];
  const [own, compared] =
    !isOfRequest(left) && isOfRequest(right) && other !== undefined
      ? [right, { ...condition, comparator: other, right: left }]
      : [left, condition];
  return isOfRequest(own) ? flipped(seen, compared, nowOf(seen, own)).map((each) => alternative(seen, own, each)) : [];
}

/** The same comparison, from the other side. */
const mirrored: Readonly<Partial<Record<Comparison['comparator'], Comparison['comparator']>>> = {
  'is above': 'is below',
  'is below': 'is above',
  'is at least': 'is at most',
  'is at most': 'is at least',
  is: 'is',
  'is not': 'is not',
};

/** Values with which a look-up may find another row. */
export function otherRows({ workflow }: Pick<Checked, 'workflow'>, { table, pairs }: LookUp, request: WfRecord): Alternative[] {
  const found = workflow.tables.find((one) => one.kind === 'table' && one.name.text === table.text);
  if (found?.kind !== 'table') return [];
  const { headings, rows } = found;
  return pairs.flatMap(({ key, value: reference }) => {
    if (!isOfRequest(reference)) return [];
    const now = fieldAt(request, reference.fields);
    const cells = rows.flatMap((row) => row.cells.filter((_, column) => isCondition(headings[column], key.text)));
    const mentioned = new Set(cells.flatMap((cell) => valuesIn(normalTest(cell))));
    return [...mentioned].flatMap((one) => besideCell(one, now)).map((other) => ofRequest(reference, now, other));
  });
}

/** A variable as the value that its line sets. */
const asWritten = ({ definitions }: Seen, value: Expression): Expression =>
  value.kind === 'reference' && value.fields.length === 0 ? (definitions.get(value.root) ?? value) : value;

type OfRequest = Reference & { readonly kind: 'reference' };

const isOfRequest = (expression: Expression): expression is OfRequest =>
  expression.kind === 'reference' && expression.root === 'request' && expression.fields.length > 0;

const nowOf = ({ values }: Seen, { fields }: Reference): Value | undefined => {
  const request = values.get('request');
  return request !== undefined && isRecord(request) ? fieldAt(request, fields) : undefined;
};

const fieldAt = (request: WfRecord, fields: readonly string[]): Value | undefined =>
  fields.reduce<Value | undefined>(
    (value, field) => (value !== undefined && isRecord(value) ? value[field] : undefined),
    request,
  );

const alternative = (seen: Seen, reference: OfRequest, other: Other): Alternative =>
  ofRequest(reference, nowOf(seen, reference), other);

const ofRequest = (reference: OfRequest, now: Value | undefined, { value, words }: Other): Alternative => ({
  path: reference.fields,
  value,
  words: `${pathAsWritten(reference)} ${words}`,
  distance: distanceOf(now, value),
});

const DAYS_OF_YEAR = 365;

const HALF = 0.5;

function distanceOf(now: Value | undefined, value: Value): number {
  if (typeof now === 'number' && typeof value === 'number')
    return Math.abs(now - value) / (Math.max(Math.abs(now), Math.abs(value)) || 1);
  const days = typeof now === 'string' && typeof value === 'string' ? daysBetween(now, value) : undefined;
  return days === undefined ? HALF : Math.abs(days) / (Math.abs(days) + DAYS_OF_YEAR);
}

function daysBetween(one: string, other: string): number | undefined {
  const [first, last] = [parseMoment(one)?.day, parseMoment(other)?.day];
  return first === undefined || last === undefined ? undefined : last - first;
}

type Order = 'before' | 'on or before' | 'after' | 'on or after';

const dateOrders: Readonly<Record<string, Order | undefined>> = {
  'is before': 'before',
  'is on or before': 'on or before',
  'is after': 'after',
  'is on or after': 'on or after',
};
const turned: Readonly<Record<Order, Order>> = {
  before: 'after',
  after: 'before',
  'on or before': 'on or after',
  'on or after': 'on or before',
};
const negated: Readonly<Record<Order, Order>> = {
  before: 'on or after',
  after: 'on or before',
  'on or before': 'after',
  'on or after': 'before',
};
/** The day that is nearest to the limit, and on this side of it. */
const nearestDay: Readonly<Record<Order, number>> = { before: -1, after: 1, 'on or before': 0, 'on or after': 0 };

function otherDates(seen: Seen, own: OfRequest, limit: Expression, order: Order): Alternative[] {
  const now = nowOf(seen, own);
  const to = seen.days === undefined ? undefined : dateKnown(seen.text, limit, seen.values, seen.days.calendar);
  if (typeof now !== 'string' || to === undefined) return [];
  const days = daysBetween(to, now);
  if (days === undefined) return [];
  const holds = { before: days < 0, after: days > 0, 'on or before': days <= 0, 'on or after': days >= 0 }[order];
  const wanted = holds ? negated[order] : order;
  const value = shifted(to, 'days', 0, nearestDay[wanted]).slice(0, 10) + now.slice(10);
  return [alternative(seen, own, { value, words: `${wanted} ${to.slice(0, 10)}` })];
}

/** Other ends of a length of time that is compared with a number. */
function otherLengths(seen: Seen, { unit, from, to }: Difference, { comparator, right }: Comparison): Alternative[] {
  const limit = valueKnown(seen.text, right, seen.values);
  const [own, other] = isOfRequest(from) ? [from, to] : [to, from];
  const { calendar } = seen.days ?? {};
  if (typeof limit !== 'number' || calendar === undefined || !isOfRequest(own)) return [];
  const now = nowOf(seen, own);
  const end = dateKnown(seen.text, other, seen.values, calendar);
  if (typeof now !== 'string' || end === undefined) return [];
  const away = own === from ? -1 : 1;
  const lengthTo = (date: string): number | undefined =>
    attempt(() => (own === from ? dateDifference(calendar, unit, date, end) : dateDifference(calendar, unit, end, date)));
  const length = lengthTo(now);
  if (length === undefined) return [];
  const isMet = holds(comparator, length, limit);
  const moved = (count: number, days: number): string => {
    const date = shifted(end, unit === 'working days' ? 'working' : unit, away * count, away * days);
    return now.length === 10 || date.length > 10 ? date : date + now.slice(10);
  };
  // Each length begins on its day, and lasts until the day before the next.
  const near = [Math.floor(limit), Math.ceil(limit), Math.floor(limit) + 1, Math.ceil(limit) - 1];
  const nearest = near
    .flatMap((count) => [moved(count, 0), moved(count + 1, -1)])
    .filter((date) => {
      const made = lengthTo(date);
      return made !== undefined && holds(comparator, made, limit) !== isMet;
    })
    .map((value) => ({ value, days: daysBetween(now, value) ?? 0 }))
    .sort((one, two) => Math.abs(one.days) - Math.abs(two.days))[0];
  if (nearest === undefined) return [];
  const { value, days } = nearest;
  return [alternative(seen, own, { value, words: `on or ${days < 0 ? 'before' : 'after'} ${value}` })];
}

const stepOf = (...numbers: readonly number[]): number => (numbers.every(Number.isInteger) ? 1 : 0.01);

function aroundLimits(seen: Seen, { low, high }: Between, now: Value | undefined): Other[] {
  const [least, most] = [valueKnown(seen.text, low, seen.values), valueKnown(seen.text, high, seen.values)];
  if (typeof least !== 'number' || typeof most !== 'number' || typeof now !== 'number') return [];
  const step = stepOf(least, most, now);
  if (now < least) return [{ value: least, words: `at least ${least}` }];
  if (now > most) return [{ value: most, words: `at most ${most}` }];
  return [
    { value: exact(least - step), words: `below ${least}` },
    { value: exact(most + step), words: `above ${most}` },
  ];
}

/** Values for which a comparison with a known value has the other answer. */
function flipped(seen: Seen, { comparator, right }: Comparison, now: Value | undefined): Other[] {
  const fixed = valueKnown(seen.text, right, seen.values);
  if (typeof fixed === 'number' && typeof now === 'number') {
    const step = stepOf(now, fixed);
    const ways = [
      { value: fixed, words: ['is above', 'is at most'].includes(comparator) ? `at most ${fixed}` : `at least ${fixed}` },
      { value: exact(fixed + step), words: `above ${fixed}` },
      { value: exact(fixed - step), words: `below ${fixed}` },
    ];
    return ways.filter(({ value }) => holds(comparator, value, fixed) !== holds(comparator, now, fixed));
  }
  if ((typeof fixed === 'number' || typeof fixed === 'string') && (comparator === 'is' || comparator === 'is not')) {
    const other = typeof fixed === 'number' ? fixed + 1 : 'other';
    return now === fixed
      ? [{ value: other, words: `other than ${JSON.stringify(fixed)}` }]
      : [{ value: fixed, words: JSON.stringify(fixed) }];
  }
  if (right.kind !== 'list' || !comparator.endsWith('one of')) return [];
  const texts = right.items.flatMap((item) =>
    item.kind === 'text' && item.parts.every((part) => typeof part === 'string') ? [item.parts.join('')] : [],
  );
  if (typeof now === 'string' && texts.includes(now))
    return [{ value: 'other', words: `other than ${texts.map((text) => JSON.stringify(text)).join(', ')}` }];
  return texts.map((text) => ({ value: text, words: JSON.stringify(text) }));
}

function holds(comparator: Comparison['comparator'], value: number, limit: number): boolean {
  if (comparator === 'is above') return value > limit;
  if (comparator === 'is below') return value < limit;
  if (comparator === 'is at least') return value >= limit;
  return comparator === 'is at most' ? value <= limit : comparator === 'is not' ? value !== limit : value === limit;
}

const isCondition = (heading: { readonly name: string; readonly test: unknown } | undefined, name: string): boolean =>
  heading?.name === name && heading.test !== undefined;

type Single = string | number | boolean;

/** The values that a cell compares with. */
function valuesIn(test: ReturnType<typeof normalTest>): Single[] {
  if (test === null) return [];
  if (typeof test !== 'object') return [test];
  const [word, ...values] = test;
  return word === 'same' ? [test[1]] : values;
}

function besideCell(value: Single, now: Value | undefined): Other[] {
  if (typeof value !== 'number' || typeof now !== 'number') return value === now ? [] : [{ value, words: JSON.stringify(value) }];
  const step = stepOf(value, now);
  return [
    { value, words: value > now ? `at least ${value}` : `at most ${value}` },
    { value: exact(value + step), words: `above ${value}` },
    { value: exact(value - step), words: `below ${value}` },
  ].filter((other) => other.value !== now);
}

type Values = ReadonlyMap<string, Value>;

/** `undefined` if the expression does more than read. */
export function valueKnown(text: string, expression: Expression | Reference, values: Values): Value | undefined {
  if (expression.kind === 'reference' && !values.has(expression.root)) return undefined;
  let state = startState();
  for (const [name, value] of values) state = withVariable(state, name, known(value));
  const evaluation = new Evaluation(state, text);
  const value = evaluation.value(expression);
  return value.is === 'known' && !evaluation.isOver ? value.value : undefined;
}

/** A date or time, also `today plus 7 days`. */
function dateKnown(text: string, expression: Expression, values: Values, calendar: Calendar): string | undefined {
  if (expression.kind === 'group') return dateKnown(text, expression.inner, values, calendar);
  if (expression.kind !== 'shift') {
    const value = valueKnown(text, expression, values);
    return typeof value === 'string' ? value : undefined;
  }
  const { date, operator, amount, unit } = expression;
  const [from, by] = [dateKnown(text, date, values, calendar), valueKnown(text, amount, values)];
  if (from === undefined || by === undefined) return undefined;
  return attempt(() => shiftDate(calendar, from, operator === 'plus' ? 1 : -1, by, unit));
}

/** `years from request.born to today`. */
export function lengthKnown(
  text: string,
  { unit, from, to }: Difference,
  values: Values,
  calendar: Calendar,
): number | undefined {
  const [start, end] = [dateKnown(text, from, values, calendar), dateKnown(text, to, values, calendar)];
  return start === undefined || end === undefined ? undefined : attempt(() => dateDifference(calendar, unit, start, end));
}

/** `undefined` where the run would have ended: its outcome says why. */
function attempt<T>(calculate: () => T): T | undefined {
  try {
    return calculate();
  } catch {
    return undefined;
  }
}
