// The digits of a number as a database writes it → a number where that has the same digits, else the text.
import { withoutEnd } from '../../../runtime/without-end.js';

/** Significant digits that every double keeps. */
const certainDigits = 15;

/**
 * `12.50` is 12.5; `9007199254740993` and `12345678901234567890.12` stay texts, because a number would change them. What is no number in
 * plain digits (`NaN`, `Infinity`) stays text as well.
 */
export function exactNumber(text: string): number | string {
  const [, sign = '', digits = '', fraction = ''] = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text) ?? [];
  if (digits === '' && fraction === '') return text;
  const whole = digits.replace(/^0+/, '');
  const kept = withoutEnd(fraction, '0');
  const number = Number(text);
  const significant = whole === '' ? kept.replace(/^0+/, '').length : whole.length + kept.length;
  if (significant <= certainDigits) return number === 0 ? 0 : number;
  const plain = `${sign}${whole === '' ? '0' : whole}${kept === '' ? '' : `.${kept}`}`;
  return String(number) === plain ? number : text;
}
