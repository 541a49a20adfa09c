// Converts the digits that a database sends to a number, or keeps them as text if a number would change them.
import { withoutEnd } from '../../../runtime/values/without-end.js';

/** Significant digits that a double always preserves. */
const certainDigits = 15;

/**
 * `12.50` becomes 12.5. `9007199254740993` and `12345678901234567890.12` remain text, because a double can't represent them. So do
 * `NaN` and `Infinity`.
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
