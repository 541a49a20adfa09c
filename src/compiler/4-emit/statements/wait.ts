// Emits `wait …` as a pause of the run. How long months and working days are depends on the calendar.
import type { Wait } from '../../2-parse/tree.js';
import type { Emitter } from '../emitter.js';
import { jsText } from '../javascript-text.js';

export function emitWait(emitter: Emitter, { amount, unit, line, span }: Wait): void {
  const rest = (amounts: number): string =>
    `${emitter.expression(amount).code}, ${jsText(unit)}, ${emitter.location(span, ...Array<typeof span>(amounts).fill(amount.span))}, ${emitter.site(line)}`;
  const isCalendar = unit === 'months' || unit === 'years' || unit === 'working days';
  emitter.line(isCalendar ? `await ${emitter.use('waitCalendar')}(run, ${rest(2)});` : `await run.wait(${rest(1)});`, span);
}
