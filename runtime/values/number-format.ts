// Numbers as a spreadsheet shows them: without the noise of binary fractions, as decimal text without an exponent, and back.
// This is the hottest code of the runtime.
import { withoutEnd } from './without-end.js';

/** 1 to 1e22: all powers that a double represents exactly. */
export const powersOfTen: readonly number[] = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * The number to show, compare or output: if rounding a non-integer to 15 significant digits leaves at most 12 significant
 * digits, the rounded number; otherwise the number itself.
 */
export function withoutNoise(number: number): number {
  return Math.trunc(number) === number ? number : fractionWithoutNoise(number);
}

/**
 * Scales the number to 12 digits before the point. Its distance from a whole number decides, except near half a unit of the
 * 15th digit, where the scaling itself (exact to 0.00007) could decide wrongly.
 */
function fractionWithoutNoise(number: number): number {
  const size = Math.abs(number);
  // Amounts have few digits: the double closest to a decimal of up to 11 digits has no noise.
  if (size < 1e7 && Math.round(number * 1e4) / 1e4 === number) return number;
  // Powers up to 1e22 are exact, so the product and the quotient below are each rounded only once.
  if (size >= 1e-11 && size < 1e12) {
    const power = powersOfTen[11 - Math.floor(Math.log10(size))] ?? 0;
    const scaled = size * power;
    if (scaled >= 1e11 && scaled < 1e12) {
      const whole = Math.round(scaled);
      const noise = Math.abs(scaled - whole);
      if (noise > 0.0006) return number;
      if (noise < 0.0004) return number < 0 ? -whole / power : whole / power;
    }
  }
  return withoutNoiseByText(number);
}

function withoutNoiseByText(number: number): number {
  const text = number.toPrecision(15);
  const [mantissa = ''] = text.split('e', 1);
  const digits = withoutEnd(mantissa.replace(/[-.]/g, '').replace(/^0+/, ''), '0');
  return digits.length <= 12 ? Number(text) : number;
}

/** A number as text: without noise, decimal, no exponent below 1e21, no negative zero. */
export function numberText(number: number): string {
  const text = String(withoutNoise(number));
  return text.includes('e-') ? withoutExponent(text) : text;
}

/** `-1.5e-7` → `-0.00000015`. */
function withoutExponent(text: string): string {
  const [mantissa = '', exponent = '0'] = text.split('e-');
  const sign = mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  return `${sign}0.${'0'.repeat(Number(exponent) - 1)}${digits}`;
}

/**
 * The number in a text: decimal, optionally with a sign, a fraction, an exponent and surrounding white space; `undefined` for
 * anything else, including `1,200`, `0x10`, `Infinity` and `1e400`.
 */
export function numberIn(text: string): number | undefined {
  if (!/^\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}
