// Arithmetic on any two values. Emitted code handles two numbers itself and calls these functions for everything else, but each
// of them is complete.
import { hasMemoryFor } from '../run/run-memory.js';
import type { SourceLocation, Value } from '../types.js';
import { work } from '../workload.js';
import { numberText, powersOfTen } from './number-format.js';
import {
  cannotAdd,
  cannotRound,
  divisionByZero,
  noMemory,
  notANumber,
  notFinite,
  tooLarge,
  wrongPlaces,
} from './value-errors.js';

const longestList = 10_000_000;

/**
 * `plus`: adds two numbers, or joins two lists into a new one. It never joins text, because `"100" plus 5` has two readings.
 * @throws WfError for anything else, or if the result is too large
 */
export function plus(left: Value, right: Value, location?: SourceLocation): Value {
  if (typeof left === 'number' && typeof right === 'number')
    return withoutCancelledDigits(finite(left + right, 'plus', location), left, right);
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length + right.length > longestList) throw tooLarge('a list of more than 10,000,000 items', location);
    work(left.length + right.length);
    if (!hasMemoryFor(8 * (left.length + right.length))) throw noMemory('list', location);
    return left.concat(right);
  }
  throw cannotAdd(left, right, location);
}

/** @throws WfError unless both are numbers and the result is finite */
export function minus(left: Value, right: Value, location?: SourceLocation): number {
  if (typeof left !== 'number' || typeof right !== 'number') throw notANumber('subtract', 'minus', left, right, location);
  return withoutCancelledDigits(finite(left - right, 'minus', location), left, right);
}

/** @throws WfError unless both are numbers and the result is finite */
export function times(left: Value, right: Value, location?: SourceLocation): number {
  if (typeof left !== 'number' || typeof right !== 'number') throw notANumber('multiply', 'times', left, right, location);
  return finite(left * right, 'times', location);
}

/** @throws WfError unless both are numbers, the second is not 0, and the result is finite */
export function dividedBy(left: Value, right: Value, location?: SourceLocation): number {
  if (typeof left !== 'number' || typeof right !== 'number') throw notANumber('divide', 'divided by', left, right, location);
  if (right === 0) throw divisionByZero(location);
  return finite(left / right, 'divided by', location);
}

function finite(result: number, word: string, location: SourceLocation | undefined): number {
  if (!Number.isFinite(result)) throw notFinite(word, location);
  return result;
}

/**
 * `rounded to N places`: rounds halves away from zero, based on the decimal form without noise, so that 1.005 gives 1.01.
 * `places` is a whole number from 0 to 15.
 * @throws WfError if the value is not a number or the places are invalid
 */
export function rounded(value: Value, places: Value, location?: SourceLocation): number {
  if (typeof value !== 'number') throw cannotRound(value, location);
  if (typeof places !== 'number' || !Number.isInteger(places) || places < 0 || places > 15) throw wrongPlaces(places, location);
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

/**
 * Rounds the result of an addition or subtraction whose leading digits may have cancelled to the 15th digit of the larger operand, so that
 * `10.1 minus 10` is 0.1. Whole numbers don't change.
 */
export function withoutCancelledDigits(result: number, left: number, right: number): number {
  if (Math.trunc(result) === result) return result;
  const largest = Math.max(Math.abs(left), Math.abs(right));
  const size = Math.abs(result);
  if (size >= largest) return result;
  const exponent = Math.floor(Math.log10(largest));
  const places = 14 - exponent;
  // A number with that many digits has no fraction left, and noise below 1e-8 is invisible.
  if (places < 0 || places > 22) return result;
  const power = powersOfTen[places] ?? 1;
  const scaled = size * power;
  // The power is exact, so the product and the quotient are each rounded only once.
  return scaled < 1e15 ? (Math.sign(result) * Math.round(scaled)) / power + 0 : result;
}
