// Emits amounts of time in milliseconds: fixed ones as numbers, all others as calls that count from the moment at which they are evaluated.
import type { AmountOfTime } from '../2-parse/tree.js';
import { inMilliseconds } from '../3-check/check-time-span.js';
import { jsText } from './emitted-code.js';
import type { Emitter } from './emitter.js';

const isCalendar = ({ unit }: AmountOfTime): boolean =>
  unit === 'months' || unit === 'years' || unit === 'working days' || unit === 'working hours';

/** Whether its length is known before the run. */
export const isFixedAmount = (span: AmountOfTime): boolean => span.amount.kind === 'number' && !isCalendar(span);

/** Of an amount in the calendar, also how it is written: reminders and retries count each from where it starts. */
export const emitCalendarSpan = (emitter: Emitter, name: string, span: AmountOfTime): string[] =>
  isCalendar(span) ? [`${name}: { amount: ${emitter.expression(span.amount).code}, unit: ${jsText(span.unit)} }`] : [];

export function emitTimeSpan(emitter: Emitter, written: AmountOfTime): string {
  const { amount, unit, span } = written;
  if (amount.kind === 'number' && isFixedAmount(written)) return String(inMilliseconds({ amount: amount.value, unit }));
  const location = emitter.location(span, amount.span, amount.span);
  return `${emitter.use('timeSpan')}(run, ${emitter.expression(amount).code}, ${jsText(unit)}, ${location})`;
}
