// Converts the amount and unit after `wait` to milliseconds.
import { clockUnits } from '../dates/date-unit.js';
import type { SourceLocation, Value } from '../types.js';
import { WfError } from '../values/errors.js';
import { numberHint, operandText } from '../values/operand-text.js';

const units = { ...clockUnits, days: 86_400_000, weeks: 604_800_000 } as const;

export type WaitUnit = keyof typeof units;

/** @throws WfError for an amount that is not a number, or is below 0 */
export function waitDuration(amount: Value, unit: WaitUnit, location: SourceLocation): number {
  if (typeof amount === 'number' && amount >= 0) return amount * units[unit];
  throw cannotWait(amount, unit, location);
}

/** For an amount of time that is not a number, or below 0. */
export function cannotWait(amount: Value, unit: string, location: SourceLocation): WfError {
  const source = location[3];
  const need = typeof amount === 'number' ? 'no time is shorter than 0' : 'it must be a number';
  const message = `I can't wait: ${operandText(amount, source, `the number of ${unit}`)}, but ${need}.${numberHint(amount, source)}`;
  return new WfError('WF624', message, location);
}
