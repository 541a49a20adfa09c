// plus, minus, times, divided by, rounded: any two values → a value or a `WfError`. Emitted code computes with two numbers
// itself and comes here for all else; each function is complete nevertheless.
import { cannotAdd, cannotRound, divisionByZero, notANumber, notFinite, tooLarge, wrongPlaces } from './complaints.js';
import { numberText, powersOfTen } from './tidy.js';
import type { Place, Value } from './types.js';
import { show } from './values.js';

/** V8's own limit is 2^29 - 24; a `RangeError` beyond it would count as a bug. */
const longestText = 500_000_000;
const longestList = 50_000_000;

/**
 * `plus` (language.md 4): two numbers add, two lists join into a new one, a text joins with a text, number or boolean.
 * @throws WfError for anything else, and for a result that cannot be held.
 */
export function plus(left: Value, right: Value, place?: Place): Value {
  if (typeof left === 'number' && typeof right === 'number') return finite(left + right, 'plus', place);
  if ((typeof left === 'string' && isJoinable(right)) || (typeof right === 'string' && isJoinable(left))) {
    const start = show(left);
    const end = show(right);
    if (start.length + end.length > longestText) throw tooLarge('a text of more than 500,000,000 characters', place);
    return start + end;
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length + right.length > longestList) throw tooLarge('a list of more than 50,000,000 items', place);
    return left.concat(right);
  }
  throw cannotAdd(left, right, place);
}

const isJoinable = (value: Value): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** @throws WfError unless both are numbers and the result is finite. */
export function minus(left: Value, right: Value, place?: Place): number {
  if (typeof left !== 'number' || typeof right !== 'number') throw notANumber('subtract', 'minus', left, right, place);
  return finite(left - right, 'minus', place);
}

/** @throws WfError unless both are numbers and the result is finite. */
export function times(left: Value, right: Value, place?: Place): number {
  if (typeof left !== 'number' || typeof right !== 'number') throw notANumber('multiply', 'times', left, right, place);
  return finite(left * right, 'times', place);
}

/** @throws WfError unless both are numbers, the second is not 0 and the result is finite. */
export function dividedBy(left: Value, right: Value, place?: Place): number {
  if (typeof left !== 'number' || typeof right !== 'number') throw notANumber('divide', 'divided by', left, right, place);
  if (right === 0) throw divisionByZero(place);
  return finite(left / right, 'divided by', place);
}

function finite(result: number, word: string, place: Place | undefined): number {
  if (!Number.isFinite(result)) throw notFinite(word, place);
  return result;
}

/**
 * `rounded to N places`: halves away from zero on the decimal form of the tidied number, so that 1.005 gives 1.01. `places` is a
 * whole number from 0 to 15.
 * @throws WfError for a value that is no number and for places that cannot be.
 */
export function rounded(value: Value, places: Value, place?: Place): number {
  if (typeof value !== 'number') throw cannotRound(value, place);
  if (typeof places !== 'number' || !Number.isInteger(places) || places < 0 || places > 15) throw wrongPlaces(places, place);
  if (Number.isInteger(value)) return value === 0 ? 0 : value;
  const size = Math.abs(value);
  const power = powersOfTen[places] ?? 1;
  const scaled = size * power;
  // Far from a half, binary and decimal agree, and the quotient of two exact numbers is the nearest double to the decimal.
  const clear = scaled < 1e9 && Math.abs(scaled - Math.floor(scaled) - 0.5) > 1e-4;
  const result = clear ? Math.round(scaled) / power : roundedText(numberText(size), places);
  return value < 0 && result !== 0 ? -result : result;
}

/** Rounds the decimal text of a positive number. */
function roundedText(text: string, places: number): number {
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length <= places) return Number(text);
  const kept = BigInt(whole + fraction.slice(0, places)) + (fraction.charCodeAt(places) >= 53 ? 1n : 0n);
  return Number(`${kept}e-${places}`);
}
