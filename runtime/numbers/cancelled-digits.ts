// Removes the noise of binary fractions that remains when the leading digits of two numbers cancel.
import { powersOfTen } from '../values/number-format.js';

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
