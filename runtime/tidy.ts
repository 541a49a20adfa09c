// Numbers as a spreadsheet has them: the noise of binary fractions rounded away, decimal text without an exponent, and back. Its own
// file, because it is the hottest code of the runtime and depends on nothing.

/** 1 to 1e22: all that a double holds exactly. */
export const powersOfTen: readonly number[] = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * The number that counts where one is shown, compared or put out (language.md 3): where rounding a number that is no integer to
 * 15 significant digits leaves 12 significant digits or fewer, the rounded number; otherwise the number itself.
 */
export function tidy(number: number): number {
  return Math.trunc(number) === number ? number : tidyFraction(number);
}

/**
 * Scales the number to 12 digits before the point. How far that is from a whole number decides, except close to the border of
 * half a unit of the 15th digit, where the scaling itself (exact to 0.00007) could decide wrongly.
 */
function tidyFraction(number: number): number {
  const size = Math.abs(number);
  // The powers up to 1e22 are exact, so the product and the quotient below are each rounded only once.
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
  return tidyByText(number);
}

function tidyByText(number: number): number {
  const text = number.toPrecision(15);
  const digits = text.replace(/e.*$/, '').replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
  return digits.length <= 12 ? Number(text) : number;
}

/** A number as text (language.md 3): tidied, decimal, no exponent below 1e21, no negative zero. */
export function numberText(number: number): string {
  const text = String(tidy(number));
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
 * The number that a text holds: decimal, with or without a sign, a fraction, an exponent and white space around it; `undefined` for
 * all else, also for `1,200`, `0x10`, `Infinity` and `1e400`.
 */
export function numberIn(text: string): number | undefined {
  if (!/^\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}
