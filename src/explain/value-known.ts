// Values of expressions that only read what is known at a place of a run.
import type { Calendar } from '../../runtime/dates/calendar.js';
import { dateDifference } from '../../runtime/dates/compare-dates.js';
import { shiftDate } from '../../runtime/dates/shift-date.js';
import type { Value } from '../../runtime/types.js';
import { Evaluation } from '../analysis/evaluate.js';
import { startState, withVariable } from '../analysis/state.js';
import { known } from '../analysis/symbolic.js';
import type { Difference, Expression, Reference } from '../compiler/2-parse/tree.js';

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
export function dateKnown(text: string, expression: Expression, values: Values, calendar: Calendar): string | undefined {
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
export function attempt<T>(calculate: () => T): T | undefined {
  try {
    return calculate();
  } catch {
    return undefined;
  }
}
