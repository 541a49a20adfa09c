// `today plus 30 days`, `days from a to b` and comparisons of dates. Operations that can never work are errors.
import type { DateUnit } from '../../../../runtime/dates/date-unit.js';
import { isClockUnit } from '../../../../runtime/dates/date-unit.js';
import type { Difference, Expression, Shift } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import type { Kind } from '../kinds/kind.js';
import { requireDate } from '../kinds/require-date.js';
import { aNumber, requireKind } from '../kinds/require-kind.js';

export function checkShift(checker: Checker, { operator, date, amount, unit }: Shift): void {
  const kind = checker.expression(date);
  const wrong = requireDate(checker, date, kind, operator, isClockUnit(unit) ? `${operator} … ${unit}` : undefined);
  const count = checker.expression(amount);
  if (!wrong) requireAmount(checker, amount, count, unit);
}

function requireAmount(checker: Checker, amount: Expression, kind: Kind, unit: DateUnit): void {
  if (requireKind(checker, amount, kind, unit, aNumber)) return;
  if (!isClockUnit(unit) && kind.is === 'number' && kind.value !== undefined && !Number.isInteger(kind.value))
    checker.report(catalogue.wholeAmount(amount.span, unit));
}

export function checkDifference(checker: Checker, { unit, from, to }: Difference): void {
  const clock = isClockUnit(unit) ? `${unit} from … to` : undefined;
  for (const side of [from, to]) if (requireDate(checker, side, checker.expression(side), `${unit} from … to`, clock)) return;
}
