// `absolute value of`, `remainder of … divided by …`, `N percent of …`, `rounded up to` and `rounded down to`, with the errors of
// operations on numbers.
import type { SourceLocation, Value } from '../types.js';
import { WfError } from '../values/errors.js';
import { numberText, powersOfTen } from '../values/number-format.js';
import { named, numberHint, operandText, operandWhich } from '../values/operand-text.js';
import { cannotRound, divisionByZero, notANumber, notFinite, wrongPlaces } from '../values/value-errors.js';

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

/** `rounded up to N places`: away from zero. @throws WfError for a value that is not a number, and for an impossible number of places */
export function roundedUp(value: Value, places: Value, location?: SourceLocation): number {
  return roundedTowards(value, places, 1, 'rounded up to', location);
}

/** `rounded down to N places`: towards zero. @throws WfError like `roundedUp` */
export function roundedDown(value: Value, places: Value, location?: SourceLocation): number {
  return roundedTowards(value, places, 0, 'rounded down to', location);
}

function roundedTowards(value: Value, places: Value, up: 0 | 1, word: string, location: SourceLocation | undefined): number {
  if (typeof value !== 'number') throw cannotRound(value, location, word);
  if (typeof places !== 'number' || !Number.isInteger(places) || places < 0 || places > 15) throw wrongPlaces(places, location);
  if (Number.isInteger(value)) return value + 0;
  const size = Math.abs(value);
  const power = powersOfTen[places] ?? 1;
  const scaled = size * power;
  const below = Math.floor(scaled);
  const rest = scaled - below;
  // Far from a whole number, binary and decimal agree on the side the value is on.
  const isClear = scaled < 1e9 && rest > 1e-4 && rest < 1 - 1e-4;
  const result = isClear ? (below + up) / power : cutText(numberText(size), places, up);
  return value < 0 ? -result + 0 : result;
}

/** Truncates the decimal text of a positive number. With `up`, adds one unit of the last place if anything was cut. */
function cutText(text: string, places: number, up: 0 | 1): number {
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length <= places) return Number(text);
  const isLess = /[1-9]/.test(fraction.slice(places));
  return Number(`${BigInt(whole + fraction.slice(0, places)) + (isLess && up === 1 ? 1n : 0n)}e-${places}`);
}

export function notWrittenLike(value: Value, location: SourceLocation | undefined): WfError {
  const source = location?.[3];
  const sample = named(location?.[4], 'the sample');
  const fault =
    typeof value !== 'string'
      ? `${operandText(value, source, 'the value')}, but it must be text like ${sample}`
      : operandWhich(value, source, `is not written like ${sample}`);
  return new WfError('WF627', `I can't read a number: ${fault}.`, location);
}

export function cannotWriteNumber(value: Value, location: SourceLocation | undefined): WfError {
  const source = location?.[3];
  const fault = operandText(value, source, 'the value');
  const message = `I can't write it like ${named(location?.[4], 'the sample')}: ${fault}, but it must be a number.${numberHint(value, source)}`;
  return new WfError('WF601', message, location);
}

/** @param word the operation as written: `absolute value of` */
function needsNumber(word: string, value: Value, source: string | undefined, location: SourceLocation | undefined): WfError {
  const fault = operandText(value, source, 'the value');
  return new WfError('WF601', `I can't apply "${word}": ${fault}, but it needs a number.${numberHint(value, source)}`, location);
}
