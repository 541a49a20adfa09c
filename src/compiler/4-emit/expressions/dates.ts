// Emits `today plus 30 days` and `days from a to b` as runtime calls with the calendar of the run.
import type { Difference, Shift } from '../../2-parse/tree.js';
import { type EmittedCode, operandCode } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import { jsText } from '../javascript-text.js';

export function emitShift(emitter: Emitter, { operator, date, amount, unit, span }: Shift): EmittedCode {
  const [from, by] = [emitter.expression(date), emitter.expression(amount)];
  const location = emitter.location(span, date.span, amount.span);
  const sign = operator === 'plus' ? '1' : '-1';
  return operandCode(
    `${emitter.use('shiftDate')}(run.days.calendar, ${from.code}, ${sign}, ${by.code}, ${jsText(unit)}, ${location})`,
    'text',
  );
}

export function emitDifference(emitter: Emitter, { unit, from, to, span }: Difference): EmittedCode {
  const [start, end] = [emitter.expression(from), emitter.expression(to)];
  const location = emitter.location(span, from.span, to.span);
  return operandCode(
    `${emitter.use('dateDifference')}(run.days.calendar, ${jsText(unit)}, ${start.code}, ${end.code}, ${location})`,
    'number',
  );
}
