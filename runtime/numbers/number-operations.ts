// `absolute value of`, `remainder of … divided by …`, `N percent of …`.

import type { SourceLocation, Value } from '../types.js';
import { numberText, powersOfTen } from '../values/number-format.js';
import { divisionByZero, notANumber, notFinite } from '../values/value-errors.js';
import { needsNumber } from './number-errors.js';

/** @throws WfError for a value that is not a number */
export function absoluteValue(value: Value, location?: SourceLocation): number {
  if (typeof value !== 'number') throw needsNumber('absolute value of', value, location?.[3], location);
  return Math.abs(value);
}

/**
 * The remainder has the sign of the divisor, like `MOD` in a spreadsheet. Decimals leave no noise.
 * @throws WfError for values that are not numbers, and for a divisor of 0
 */
export function remainder(left: Value, right: Value, location?: SourceLocation): number {
  if (typeof left !== 'number' || typeof right !== 'number')
    throw notANumber('divide', 'remainder of … divided by', left, right, location);
  if (right === 0) throw divisionByZero(location);
  const rest = exactRest(left, right);
  return (rest !== 0 && rest < 0 !== right < 0 ? rest + right : rest) + 0;
}

/** `left % right`, in whole units of the last decimal if both have few digits. */
function exactRest(left: number, right: number): number {
  if (Number.isInteger(left) && Number.isInteger(right)) return left % right;
  const decimals = Math.max(decimalsOf(left), decimalsOf(right));
  const power = powersOfTen[decimals];
  if (power === undefined) return left % right;
  const [dividend, divisor] = [Math.round(left * power), Math.round(right * power)];
  if (!Number.isSafeInteger(dividend) || !Number.isSafeInteger(divisor) || divisor === 0) return left % right;
  return (dividend % divisor) / power;
}

const decimalsOf = (number: number): number => numberText(number).split('.')[1]?.length ?? 0;

/** `rate percent of value`. @throws WfError for values that are not numbers, and for a result that is too large */
export function percentOf(rate: Value, value: Value, location?: SourceLocation): number {
  if (typeof rate !== 'number' || typeof value !== 'number') throw notANumber('multiply', 'percent of', rate, value, location);
  const result = (rate * value) / 100;
  if (!Number.isFinite(result)) throw notFinite('percent of', location);
  return result;
}
